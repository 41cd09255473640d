import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SearchCounters, SearchStatistics } from './search-counters.ts'

const SEARCH = { groups: ['slow'], shards: 2, queryTimeMs: 5, fetches: 1, fetchTimeMs: 3, failures: 1 }

test('a search is counted for its index and for each of its stats groups', () => {
  const statistics = new SearchStatistics()
  statistics.of('a').record(SEARCH)
  statistics.of('a').record({ ...SEARCH, groups: [] })
  const { total, groups } = statistics.of('a')
  assert.deepEqual([total.queryTotal, total.queryTimeMs, total.fetchTotal, total.queryFailure], [4, 10, 2, 2])
  assert.deepEqual([...groups.keys()], ['slow'])
  assert.equal(groups.get('slow')!.queryTotal, 2)
  assert.equal(statistics.of('b').total.queryTotal, 0)
})

test('counters of a removed index start over', () => {
  const statistics = new SearchStatistics()
  statistics.of('a').record(SEARCH)
  statistics.forget('a')
  assert.equal(statistics.of('a').total.queryTotal, 0)
})

test('request cache counters record hits, misses, evictions and the current bytes', () => {
  const counters = new SearchStatistics().of('a')
  counters.recordCache({ hits: 1, misses: 2, bytes: 100, evictions: 0 })
  counters.recordCache({ hits: 0, misses: 0, bytes: -40, evictions: 1 })
  const { requestCacheHits, requestCacheMisses, requestCacheBytes, requestCacheEvictions } = counters.total
  assert.deepEqual([requestCacheHits, requestCacheMisses, requestCacheBytes, requestCacheEvictions], [1, 2, 60, 1])
})

test('filter cache counters record current and total entries', () => {
  const counters = new SearchStatistics().of('a')
  counters.recordFilters({ hits: 3, misses: 4, added: 5, dropped: 2, evicted: 1, bytes: 80 })
  const { filterCacheSize, filterCacheCount, filterCacheEvictions, filterCacheBytes } = counters.total
  assert.deepEqual([filterCacheSize, filterCacheCount, filterCacheEvictions, filterCacheBytes], [3, 5, 1, 80])
})

test('adding counters adds every member', () => {
  const one = new SearchCounters()
  for (const name of Object.keys(one) as (keyof SearchCounters)[]) (one as unknown as Record<string, number>)[name] = 2
  const sum = new SearchCounters()
  sum.add(one)
  sum.add(one)
  for (const name of Object.keys(one) as (keyof SearchCounters)[]) assert.equal(sum[name], 4, name)
})
