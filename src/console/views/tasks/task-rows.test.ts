import assert from 'node:assert/strict'
import { test } from 'node:test'
import { finishedRow, isMonitoring, isOperation, restoreRow, snapshotRow, type Task, taskRow } from './task-rows.ts'

const REINDEX: Task = {
  node: 'n1',
  id: 7,
  action: 'indices:data/write/reindex',
  description: 'reindex from [a] to [b]',
  start_time_in_millis: 0,
  running_time_in_nanos: 2e9,
  cancellable: true,
  status: { total: 5000, created: 1000, updated: 150, version_conflicts: 50 },
}

test('the progress of a reindex counts everything that was handled', () => {
  const { title, progress, share, runningMs, cancel } = taskRow(REINDEX)
  assert.equal(title, 'Reindex')
  assert.equal(progress, '1,200 of 5,000 documents')
  assert.equal(share, 0.24)
  assert.equal(runningMs, 2000)
  assert.deepEqual(cancel, { method: 'POST', path: '/_tasks/n1:7/_cancel' })
})

test('a search task has no progress and no stored result', () => {
  const { status: _status, ...rest } = REINDEX
  const search = { ...rest, action: 'indices:data/read/search' }
  assert.equal(taskRow(search).share, undefined)
  assert.ok(!isOperation(search) && isOperation(REINDEX))
  assert.ok(isMonitoring({ ...rest, action: 'cluster:monitor/tasks/lists' }))
})

test('a finished task with failures or an error is shown as failed, and cannot be cancelled', () => {
  const done = finishedRow({ completed: true, task: REINDEX, response: { failures: [] } })
  assert.deepEqual([done.state, done.cancel], ['done', undefined])
  assert.equal(finishedRow({ completed: true, task: REINDEX, response: { failures: [1] } }).state, 'failed')
  const broken = finishedRow({ completed: true, task: REINDEX, error: { reason: 'no such index' } })
  assert.match(broken.progress, /no such index$/)
})

test('a snapshot is cancelled by its deletion', () => {
  const row = snapshotRow(
    {
      snapshot: 'night',
      repository: 'disk',
      shards_stats: { done: 1, total: 4 },
      stats: { total: { size_in_bytes: 2000 }, start_time_in_millis: 1000 },
    },
    4000,
  )
  assert.equal(row.share, 0.25)
  assert.equal(row.progress, '1 of 4 shards · 2.00 kB')
  assert.equal(row.runningMs, 3000)
  assert.deepEqual(row.cancel, { method: 'DELETE', path: '/_snapshot/disk/night' })
})

test('a restore that failed shows its reason', () => {
  const base = { repository: 'r', snapshot: 's', indices: ['a'], bytes_done: 1, bytes_total: 2 }
  assert.equal(restoreRow({ ...base, state: 'failed', reason: 'disk full' }, 0).progress, 'disk full')
  assert.equal(restoreRow({ ...base, state: 'running' }, 0).share, 0.5)
})
