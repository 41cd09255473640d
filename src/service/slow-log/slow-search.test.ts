import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FlatSettings, IndexMetadata } from '../metadata/metadata.ts'
import { hasThresholds, isSlow, slowSearches, type TimedSearch } from './slow-search.ts'

const index = (name: string, settings: FlatSettings) => ({ name, settings }) as IndexMetadata
const threshold = (phase: string, level: string) => `index.search.slowlog.threshold.${phase}.${level}`

const BOTH = index('both', { [threshold('query', 'warn')]: '100ms', [threshold('fetch', 'info')]: '10ms' })
const USER = index('user', {
  [threshold('query', 'trace')]: '0ms',
  'index.search.slowlog.include.user': 'true',
})
const NONE = index('none', {})

const search = (queryMs: number, fetchMs: number, indices: IndexMetadata[]): TimedSearch => ({
  indices,
  queryMs,
  fetchMs,
  totalHits: 1,
  totalShards: 2,
  stats: [],
  searchType: 'QUERY_THEN_FETCH',
  origin: { body: Buffer.from('{"size":1}'), opaqueId: 'o', user: { 'user.name': 'ann' }, requestId: () => 'r' },
  scripts: { query: [{ script: 'q', ms: 1 }], fetch: [] },
})

test('an index without thresholds has no slow searches, and -1 disables a threshold', () => {
  assert.equal(hasThresholds(NONE), false)
  assert.equal(isSlow(NONE, 1e9, 1e9), false)
  assert.equal(hasThresholds(index('off', { [threshold('query', 'warn')]: '-1' })), false)
  assert.equal(hasThresholds(BOTH), true)
})

test('a search is slow if one of its phases takes longer than the threshold', () => {
  assert.equal(isSlow(BOTH, 100, 10), false)
  assert.equal(isSlow(BOTH, 101, 0), true)
  assert.equal(isSlow(BOTH, 0, 11), true)
})

test('each slow phase of each index has a line with the request', () => {
  const lines = slowSearches(search(150, 20, [BOTH, USER, NONE]))
  assert.deepEqual(
    lines.map((line) => [line.index, line.phase, line.level, line.tookMs, line.scripts.length]),
    [
      ['both', 'query', 'warn', 150, 1],
      ['both', 'fetch', 'info', 20, 0],
      ['user', 'query', 'trace', 150, 1],
    ],
  )
  for (const line of lines) assert.deepEqual([line.source, line.opaqueId, line.requestId], ['{"size":1}', 'o', 'r'])
})

test('a line shows the caller only if the index includes it', () => {
  const [both, user] = [BOTH, USER].map((one) => slowSearches(search(150, 0, [one]))[0]!)
  assert.equal(both!.user, undefined)
  assert.deepEqual(user!.user, { 'user.name': 'ann' })
})

test('the id of a request is made only if one of its searches was slow', () => {
  const quick = search(1, 1, [BOTH])
  const origin = {
    ...quick.origin!,
    requestId: () => {
      throw new Error('no line needs an id')
    },
  }
  assert.deepEqual(slowSearches({ ...quick, origin }), [])
})
