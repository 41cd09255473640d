import assert from 'node:assert/strict'
import { test } from 'node:test'
import { printStatus } from './print-snapshot.ts'
import type { SnapshotInfo } from './repository/repository-format.ts'

const RUNNING: SnapshotInfo = {
  name: 'night',
  uuid: 'u',
  state: 'IN_PROGRESS',
  indices: ['a'],
  dataStreams: [],
  includeGlobalState: false,
  startMs: 1000,
  endMs: 0,
  version: '8.19.0',
  totalShards: 5,
  failures: [],
  totalFiles: 8,
  totalBytes: 4000,
  newFiles: 3,
  newBytes: 1000,
}

test('the status of a snapshot in progress counts the shards that are done', () => {
  const { state, shards_stats } = printStatus('disk', RUNNING, undefined, 2)
  assert.equal(state, 'STARTED')
  assert.deepEqual(shards_stats, { initializing: 0, started: 3, finalizing: 0, done: 2, failed: 0, total: 5 })
})
