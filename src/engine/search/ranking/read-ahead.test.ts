// Goal: pages from a list that was read ahead equal those of single searches, in any order of requests. Method: several
// readers walk the same view in turn, from random positions; every page is compared with a separate search.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { SortValue } from '../../sort/sort-key.ts'
import { executeSearch } from '../execute-search.ts'
import { openTestShard, searchRequest } from '../search-fixture.ts'
import { searchAhead } from './read-ahead.ts'

const shard = openTestShard(
  { k: { type: 'keyword' }, n: { type: 'integer' }, t: { type: 'text' } },
  [0, 1, 2].map((batch) =>
    Array.from({ length: 60 }, (_, i) => ({
      id: `${batch}-${i}`,
      source: { n: (i * 7) % 13, t: 'red '.repeat(1 + (i % 5)), ...(i % 4 === 0 ? {} : { k: `k${i % 6}` }) },
      deleted: i % 11 === 0,
    })),
  ),
)

const SORTS = [
  [{ n: 'desc' }, '_doc'],
  ['k', '_doc'],
  [{ k: { missing: 'k22', order: 'desc' } }, 'n', '_doc'],
  ['_score', { _doc: 'desc' }],
  ['n'],
]

/** Where a reader starts, and how many pages it reads before others do. */
const reader = fc.record({
  start: fc.nat({ max: 100 }),
  size: fc.integer({ min: 1, max: 12 }),
  turns: fc.nat({ max: 9 }),
})

test('every page of a read-ahead walk equals that of a separate search', () => {
  fc.assert(
    fc.property(fc.constantFrom(...SORTS), fc.array(reader, { minLength: 1, maxLength: 4 }), (sort, readers) => {
      const search = { query: { match: { t: 'red' } }, sort }
      const whole = executeSearch(shard, searchRequest(search, { window: 1000 }))
      const places: (readonly SortValue[])[] = readers.map(({ start }) => whole.hits[start]!.sort)
      const walk = {}
      for (let round = 0; round < 5; round++) {
        for (const [i, { size, turns }] of readers.entries()) {
          for (let turn = 0; turn < turns; turn++) {
            const request = searchRequest(search, { window: size, behind: places[i] })
            const page = searchAhead(shard, request, walk)
            const { hits, total } = executeSearch(shard, request)
            assert.deepEqual(page.hits, hits)
            assert.equal(page.total, total)
            places[i] = hits.at(-1)?.sort ?? places[i]!
          }
        }
      }
    }),
    { numRuns: 100 },
  )
})

test('walks with different names or views are independent', () => {
  const search = { query: { match: { t: 'red' } }, sort: ['n', '_doc'] }
  const behind = executeSearch(shard, searchRequest(search, { window: 10 })).hits.at(-1)!.sort
  const request = searchRequest(search, { window: 5, behind })
  const other = searchRequest({ ...search, query: { term: { k: 'k1' } } }, { window: 5, behind })
  searchAhead(shard, request, 'one')
  assert.deepEqual(searchAhead(shard, other, 'two').hits, executeSearch(shard, other).hits)
  const emptied = { ...shard, view: { ...shard.view, segments: [] } }
  assert.deepEqual(searchAhead(emptied, request, 'one').hits, [])
})
