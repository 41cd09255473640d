import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_MERGE_SETTINGS, findForcedMerge, findMerge, type MergeCandidate } from './merge-policy.ts'

const MB = 1024 * 1024

function segment(name: string, fileBytes: number, deletedShare = 0): MergeCandidate {
  return { name, fileBytes, docCount: 1000, keptCount: Math.round(1000 * (1 - deletedShare)) }
}

// Goal: segments stay few, and a document is written again only a few times.
// Method: 2,000 flushes of 1 MB each; merges run as soon as the policy asks for one.
test('a long run of equal flushes leaves few segments at a bounded cost', () => {
  let segments: MergeCandidate[] = []
  let writtenBytes = 0
  for (let i = 0; i < 2000; i++) {
    segments.push(segment(`flush ${i}`, MB))
    for (let found = findMerge(segments, DEFAULT_MERGE_SETTINGS); found !== undefined; ) {
      const inputs = found
      const bytes = inputs.reduce((sum, { fileBytes }) => sum + fileBytes, 0)
      assert.ok(inputs.length >= 2 && inputs.length <= 10)
      writtenBytes += bytes
      segments = [...segments.filter((one) => !inputs.includes(one)), segment(`merge ${i}/${writtenBytes}`, bytes)]
      found = findMerge(segments, DEFAULT_MERGE_SETTINGS)
    }
  }
  assert.ok(segments.length <= 40, `${segments.length} segments`)
  assert.ok(writtenBytes <= 2000 * MB * 5, `${writtenBytes / MB} MB written by merges`)
  assert.equal(
    segments.reduce((sum, { fileBytes }) => sum + fileBytes, 0),
    2000 * MB,
  )
})

test('few segments are left alone, and a merge never makes one beyond the limit', () => {
  const ten = Array.from({ length: 10 }, (_, i) => segment(`${i}`, 1000))
  assert.equal(findMerge(ten, DEFAULT_MERGE_SETTINGS), undefined)
  assert.equal(findMerge([...ten, segment('10', 1000)], DEFAULT_MERGE_SETTINGS)?.length, 10)
  const large = Array.from({ length: 30 }, (_, i) => segment(`${i}`, 1024 * MB))
  const bytes = findMerge(large, DEFAULT_MERGE_SETTINGS)!.reduce((sum, { fileBytes }) => sum + fileBytes, 0)
  assert.ok(bytes <= DEFAULT_MERGE_SETTINGS.maxMergedSegmentBytes)
})

test('a segment full of deleted documents is rewritten alone', () => {
  const half = segment('half', 100 * MB, 0.5)
  assert.deepEqual(findMerge([half], DEFAULT_MERGE_SETTINGS), [half])
  assert.equal(findMerge([segment('tenth', 100 * MB, 0.1)], DEFAULT_MERGE_SETTINGS), undefined)
  assert.equal(findMerge([segment('small', MB, 0.5)], DEFAULT_MERGE_SETTINGS), undefined)
})

test('a forced merge takes the smallest segments until few enough are left', () => {
  const segments = [segment('a', 30), segment('b', 10), segment('c', 20)]
  const names = (maxSegments: number, onlyExpungeDeletes = false) =>
    findForcedMerge(segments, { maxSegments, onlyExpungeDeletes })?.map(({ name }) => name)
  assert.deepEqual(names(2), ['c', 'b'])
  assert.deepEqual(names(3), undefined)
  assert.deepEqual(names(1, true), undefined)
  const dirty = segment('d', 10, 0.2)
  assert.deepEqual(findForcedMerge([dirty], { maxSegments: 1, onlyExpungeDeletes: false }), [dirty])
  assert.deepEqual(findForcedMerge([...segments, dirty], { maxSegments: 9, onlyExpungeDeletes: true }), [dirty])
})
