import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../../base/api-error.ts'
import { MemoryDirectory } from '../../store/memory-directory.ts'
import { type CopySource, copyShard } from './copy-shard.ts'

test('a copy of a shard whose segment file is gone fails with 503 and leaves no commit point', async () => {
  const source = {
    directory: new MemoryDirectory(),
    segments: [{ segment: { name: 'seg-2' }, live: undefined, liveCount: 1, liveRoots: 1 }],
    maxSeqNo: 0,
    primaryTerm: 1,
    release: () => {},
  } as unknown as CopySource
  const target = new MemoryDirectory()
  const isUnavailable = (error: unknown) => error instanceof ApiError && error.status === 503
  await assert.rejects(copyShard(target, [source], undefined), isUnavailable)
  assert.deepEqual(target.list(), [])
})
