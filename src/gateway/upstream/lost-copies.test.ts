import assert from 'node:assert/strict'
import { test } from 'node:test'
import { repeatAfterMs } from './lost-copies.ts'

const SEARCH = { uri: '/i/_search', body: Buffer.from('{"size":1}') }
const PAGE = { uri: '/_search', body: Buffer.from('{"size":1,"pit":{"id":"x"}}') }
const answer = (value: unknown, status = 200) => ({ status, headers: {}, body: Buffer.from(JSON.stringify(value)) })
const reason = (type: string, cause?: string) => ({
  type,
  reason: '[node-2][127.0.0.1:19252][indices:data/read/search[phase/fetch/id]] disconnected',
  ...(cause === undefined ? {} : { caused_by: { type: cause, reason: null } }),
})
const shards = (...failed: object[]) => ({
  _shards: {
    total: 3,
    successful: 3 - failed.length,
    skipped: 0,
    failed: failed.length,
    ...(failed.length === 0 ? {} : { failures: failed.map((reason) => ({ shard: 0, index: 'i', node: 'n', reason })) }),
  },
  hits: { hits: [] },
})
const allFailed = (failure: object) => ({
  error: {
    root_cause: [failure],
    type: 'search_phase_execution_exception',
    reason: 'all shards failed',
    phase: 'fetch',
    failed_shards: [{ shard: 0, index: 'i', node: 'n', reason: failure }],
  },
  status: 500,
})
const DISCONNECTED = reason('node_disconnected_exception')
const waits = (read: typeof SEARCH, given: ReturnType<typeof answer>) =>
  [0, 1, 2, 3].map((repeats) => repeatAfterMs(read, given, repeats, 0))
const NEVER = [undefined, undefined, undefined, undefined]
const ONCE = [0, undefined, undefined, undefined]

test('a search that lost a shard with its node is repeated three times, and not after ten seconds', () => {
  const lost = answer(shards(DISCONNECTED))
  assert.deepEqual(waits(SEARCH, lost), [0, 100, 400, undefined])
  assert.deepEqual(waits({ ...SEARCH, uri: '/i/_count' }, lost), [0, 100, 400, undefined])
  assert.equal(repeatAfterMs(SEARCH, lost, 1, 9_000), 100)
  assert.equal(repeatAfterMs(SEARCH, lost, 1, 10_001), undefined)
})

test('a search whose shards all failed with their node is repeated, also when the node is named by a cause', () => {
  for (const failure of [DISCONNECTED, reason('query_phase_execution_exception', 'node_not_connected_exception')])
    assert.deepEqual(waits(SEARCH, answer(allFailed(failure), 500)), [0, 100, 400, undefined])
  const missing = { error: reason('search_context_missing_exception'), status: 404 }
  assert.deepEqual(waits(SEARCH, answer(missing, 404)), [0, 100, 400, undefined])
})

test('a page of a point in time is repeated once, and not if its context is missing', () => {
  assert.deepEqual(waits(PAGE, answer(allFailed(DISCONNECTED), 503)), ONCE)
  assert.deepEqual(waits(PAGE, answer(allFailed(reason('search_context_missing_exception')), 404)), NEVER)
})

test('a search of an index without a copy of a shard is repeated once', () => {
  assert.deepEqual(waits(SEARCH, answer(shards(reason('no_shard_available_action_exception')))), ONCE)
})

test('an answer without failures, or with failures of the search itself, is final', () => {
  assert.deepEqual(waits(SEARCH, answer(shards())), NEVER)
  assert.deepEqual(waits(SEARCH, answer(shards(reason('script_exception', 'arithmetic_exception')))), NEVER)
  assert.deepEqual(waits(SEARCH, answer(allFailed(reason('script_exception')), 500)), NEVER)
  assert.deepEqual(waits(SEARCH, answer({ error: reason('index_not_found_exception'), status: 404 }, 404)), NEVER)
  assert.deepEqual(waits(SEARCH, { status: 502, headers: {}, body: Buffer.from('Bad Gateway') }), NEVER)
})

test('an item of several searches or gets that was lost with a node repeats the request', () => {
  const msearch = { uri: '/_msearch', body: Buffer.from('{}\n{}\n') }
  assert.deepEqual(waits(msearch, answer({ responses: [shards(), shards()] })), NEVER)
  assert.deepEqual(waits(msearch, answer({ responses: [shards(), shards(DISCONNECTED)] })), [0, 100, 400, undefined])
  assert.deepEqual(waits(msearch, answer({ responses: [allFailed(DISCONNECTED)] })), [0, 100, 400, undefined])
  const mget = { uri: '/i/_mget', body: Buffer.from('{"ids":["1"]}') }
  const lost = { _index: 'i', _id: '1', error: reason('no_shard_available_action_exception') }
  assert.deepEqual(waits(mget, answer({ docs: [{ _id: '2', found: true }, lost] })), ONCE)
})

test('a document that contains the text of a failure does not repeat a request', () => {
  const text = { error: DISCONNECTED, text: 'node_disconnected_exception"' }
  assert.deepEqual(waits({ ...SEARCH, uri: '/i/_doc/1' }, answer({ _id: '1', found: true, _source: text })), NEVER)
  assert.deepEqual(waits({ ...SEARCH, uri: '/i/_mget' }, answer({ docs: [{ found: true, _source: text }] })), NEVER)
})
