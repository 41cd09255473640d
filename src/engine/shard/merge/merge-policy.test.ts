import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_MERGE_SETTINGS, findForcedMerge, findMerge, type MergeCandidate } from './merge-policy.ts'

const MB = 1024 * 1024

function segment(number: number, bytes: number, deletedShare = 0): MergeCandidate {
  return { number, position: number - 1, bytes, docCount: 1000, keptCount: Math.round(1000 * (1 - deletedShare)) }
}

// Goal: segments stay few, and a document is rewritten only a few times. Method: 2,000 flushes of 1 MB each; merges run
// as soon as the policy selects one.
test('a long series of equal flushes leaves few segments at a bounded write cost', () => {
  let segments: MergeCandidate[] = []
  let writtenBytes = 0
  let next = 1
  for (let i = 0; i < 2000; i++) {
    segments.push(segment(next++, MB))
    for (let found = findMerge(segments, DEFAULT_MERGE_SETTINGS); found !== undefined; ) {
      const inputs = found
      const bytes = inputs.reduce((sum, { bytes }) => sum + bytes, 0)
      assert.ok(inputs.length >= 2 && inputs.length <= 10)
      writtenBytes += bytes
      segments = [...segments.filter((one) => !inputs.includes(one)), segment(next++, bytes)]
      found = findMerge(segments, DEFAULT_MERGE_SETTINGS)
    }
  }
  assert.ok(segments.length <= 40, `${segments.length} segments`)
  assert.ok(writtenBytes <= 2000 * MB * 5, `${writtenBytes / MB} MB written by merges`)
  assert.equal(
    segments.reduce((sum, { bytes }) => sum + bytes, 0),
    2000 * MB,
  )
})

test('few segments are not merged, and a merge never exceeds the size limit', () => {
  const ten = Array.from({ length: 10 }, (_, i) => segment(i + 1, 1000))
  assert.equal(findMerge(ten, DEFAULT_MERGE_SETTINGS), undefined)
  assert.equal(findMerge([...ten, segment(11, 1000)], DEFAULT_MERGE_SETTINGS)?.length, 10)
  const large = Array.from({ length: 30 }, (_, i) => segment(i + 1, 1024 * MB))
  const bytes = findMerge(large, DEFAULT_MERGE_SETTINGS)!.reduce((sum, { bytes }) => sum + bytes, 0)
  assert.ok(bytes <= DEFAULT_MERGE_SETTINGS.maxMergedSegmentBytes)
})

test('a segment full of deleted documents is rewritten alone', () => {
  const half = segment(1, 100 * MB, 0.5)
  assert.deepEqual(findMerge([half], DEFAULT_MERGE_SETTINGS), [half])
  assert.equal(findMerge([segment(1, 100 * MB, 0.1)], DEFAULT_MERGE_SETTINGS), undefined)
  assert.equal(findMerge([segment(1, MB, 0.5)], DEFAULT_MERGE_SETTINGS), undefined)
})

const forced = (segments: MergeCandidate[], maxSegments: number, onlyExpungeDeletes = false) =>
  findForcedMerge(segments, { maxSegments, onlyExpungeDeletes })?.map(({ number }) => number)

test('a forced merge merges the smallest segments until few enough are left', () => {
  const segments = [segment(1, 30), segment(2, 10), segment(3, 20)]
  assert.deepEqual(forced(segments, 2), [2, 3])
  assert.deepEqual(forced(segments, 3), undefined)
  assert.deepEqual(forced(segments, 1, true), undefined)
  const dirty = segment(4, 10, 0.2)
  assert.deepEqual(forced([dirty], 1), [4])
  assert.deepEqual(forced([...segments, dirty], 9, true), [4])
})

test('a forced merge alternates between oldest and newest segments, the smaller of each pair first', () => {
  const sizes = (...bytes: number[]) => bytes.map((each, i) => segment(i + 1, each))
  assert.deepEqual(forced(sizes(3, 9, 5, 7, 2), 1), [5, 1, 4, 2, 3])
  assert.deepEqual(
    forced(sizes(2, 9, 8, 3, 4, 1, 7), 1),
    [1, 7, 6, 2, 5, 3, 4].map((n) => n),
  )
  assert.deepEqual(forced(sizes(5, 5), 1), [2, 1])
  // Documents that a merge would drop count for the size, but not for the selection of the smallest segments.
  assert.deepEqual(forced([segment(1, 100, 0.9), segment(2, 50), segment(3, 90)], 2), [2, 1])
})
