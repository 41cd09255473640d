import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CommitPoint, encodeCommitPoint, readCommitPoint, writeCommitPoint } from './commit-point.ts'
import { readWhole } from './directory.ts'
import { FaultyDirectory } from './faulty-directory.ts'
import { MemoryDirectory } from './memory-directory.ts'

function commitPoint(generation: number): CommitPoint {
  return {
    generation,
    segments: [
      { name: 'seg-1', fileBytes: 100, docCount: 40, liveCount: 39, liveRoots: 39, live: new Uint32Array([5, 255]) },
      { name: 'seg-2', fileBytes: 10, docCount: 1, liveCount: 1, liveRoots: 1, live: undefined },
    ],
    maxSeqNo: 2 ** 40,
    primaryTerm: 3,
    logGeneration: 9,
    nextSegment: 3,
  }
}

test('a commit point reads back completely, and the newest one is used', async () => {
  const directory = new MemoryDirectory()
  assert.equal(readCommitPoint(directory), undefined)
  await writeCommitPoint(directory, commitPoint(9))
  await writeCommitPoint(directory, commitPoint(10))
  assert.deepEqual(readCommitPoint(directory), commitPoint(10))
})

test('a truncated or modified commit point is rejected', async () => {
  const whole = encodeCommitPoint(commitPoint(2))
  for (let at = 0; at < whole.length; at++) {
    const directory = new MemoryDirectory()
    directory.write('commit-2', whole.subarray(0, at))
    assert.throws(() => readCommitPoint(directory), /commit-2 is damaged/, `cut at ${at}`)
    const changed = whole.slice()
    changed[at]! ^= 4
    directory.write('commit-2', changed)
    assert.throws(() => readCommitPoint(directory), /commit-2 is damaged/, `changed at ${at}`)
    await writeCommitPoint(directory, commitPoint(1))
    assert.deepEqual(readCommitPoint(directory), commitPoint(1))
  }
})

test('a failed commit leaves the previous one in place', async () => {
  const directory = new FaultyDirectory()
  await writeCommitPoint(directory, commitPoint(1))
  directory.failingSyncs = 1
  await assert.rejects(writeCommitPoint(directory, commitPoint(2)), /EIO/)
  const found = directory.powerCut('lost')
  assert.deepEqual(readCommitPoint(found), commitPoint(1))
  assert.equal(readWhole(found, 'commit-2.tmp').length, 0)
})
