import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { openTestShard } from '../../search/search-fixture.ts'
import { aggregate, type TestAnswer } from '../aggregation-fixture.ts'

const DAY_MS = 86_400_000
const SEGMENT_DOCS = 400

interface Case {
  readonly days: readonly number[]
  readonly seed: number
}

const arbitraryCase: fc.Arbitrary<Case> = fc.record({
  // Few days for many documents, because otherwise the index is not used for counting.
  days: fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 4 }),
  seed: fc.integer({ min: 1, max: 1 << 20 }),
})

const shardOf = ({ days, seed }: Case) => {
  const source = (i: number) => {
    const random = Math.imul(i + seed, 0x9e3779b1) >>> 8
    return random % 50 === 0
      ? {}
      : { at: days[random % days.length]! * DAY_MS + ((random * 7) % DAY_MS), n: random % 100 }
  }
  const segment = (from: number) =>
    Array.from({ length: SEGMENT_DOCS }, (_, i) => ({ id: `${from + i}`, source: source(from + i) }))
  return openTestShard({ at: { type: 'date', format: 'epoch_millis' }, n: { type: 'integer' } }, [
    segment(0),
    segment(SEGMENT_DOCS),
  ])
}

const counts = ({ buckets }: TestAnswer) => buckets.map(({ key, doc_count }: TestAnswer) => [key, doc_count])

// Goal: counts from the ordered index equal those of reading every document. Method: the same histogram with and
// without a child (which needs the documents), over all documents and over a range of the field.
test('histogram buckets counted by the ordered index equal those counted by document', () => {
  fc.assert(
    fc.property(arbitraryCase, (random) => {
      const shards = [shardOf(random)]
      for (const query of [{ match_all: {} }, { range: { at: { gte: DAY_MS / 2, lt: 5 * DAY_MS } } }]) {
        for (const definition of [
          { date_histogram: { field: 'at', calendar_interval: 'day', time_zone: 'Europe/Paris' } },
          { date_histogram: { field: 'at', fixed_interval: '36h', hard_bounds: { min: DAY_MS, max: 4 * DAY_MS } } },
          { histogram: { field: 'n', interval: 12.5, offset: 3 } },
        ]) {
          const child = { aggs: { s: { sum: { field: 'n' } } } }
          const { plain, looked } = aggregate(
            shards,
            { plain: definition, looked: { ...definition, ...child } },
            { query },
          )
          assert.deepEqual(counts(plain), counts(looked))
        }
      }
    }),
    { numRuns: 15 },
  )
})

test('histogram buckets of a segment with deleted documents count the live ones, as counted by document', () => {
  const value = fc.oneof(fc.integer({ min: -30, max: 30 }), fc.constantFrom(-0, 0.25))
  const documents = fc.array(fc.tuple(value, fc.boolean(), fc.boolean()), { minLength: 1, maxLength: 200 })
  fc.assert(
    fc.property(documents, (values) => {
      const batch = values.map(([n, a, b], i) => ({ id: `${i}`, source: { n }, deleted: a && b }))
      const shard = openTestShard({ n: { type: 'double' } }, [batch])
      const histogram = { field: 'n', interval: 7.5, offset: 1, min_doc_count: 1 }
      const { plain, looked } = aggregate([shard], {
        plain: { histogram },
        looked: { histogram, aggs: { s: { sum: { field: 'n' } } } },
      })
      assert.deepEqual(counts(plain), counts(looked))
    }),
  )
})

test('a histogram of a segment of several windows counts no deleted document of any of them', () => {
  const batch = Array.from({ length: 9_001 }, (_, i) => ({ id: `${i}`, source: { n: i % 50 }, deleted: i % 3 === 1 }))
  const shard = openTestShard({ n: { type: 'double' } }, [batch])
  const { plain } = aggregate([shard], { plain: { histogram: { field: 'n', interval: 10 } } })
  const live = batch.filter(({ deleted }) => !deleted)
  const expected = [0, 10, 20, 30, 40].map((key) => [
    key,
    live.filter(({ source }) => source.n >= key && source.n < key + 10).length,
  ])
  assert.deepEqual(counts(plain), expected)
})
