/** The rewrites of the gateway with answers of both servers: what OpenSearch answered becomes what Elasticsearch answered. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { encodeJson } from '../../src/base/json/json-writer.ts'
import { parseAnswer } from '../../src/gateway/rewrite/answer-tree.ts'
import { translateError } from '../../src/gateway/rewrite/errors.ts'
import { applyRewrites } from '../../src/gateway/rewrite/search-rewrite.ts'
import { SEARCH_REWRITES } from '../../src/gateway/rewrite/search-rewrites.ts'
import { comparable, type Pair, pairScope } from './gateway-pairs.ts'

const pairs = readFileSync(new URL('./gateway-pairs.ndjson', import.meta.url), 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line) as Pair)
/** Parts of a point in time and of a scroll cannot be told from one search. Both servers refuse a `from` of -1 beside `search_after`. */
const WITHOUT_PAIR: ReadonlySet<string> = new Set(['shards_of_slice', 'negative_from'])

for (const [i, pair] of pairs.filter(({ rewrite }) => rewrite !== 'errors').entries()) {
  const { rewrite, request, target, sent, elasticsearch, opensearch } = pair
  const isRefused =
    sent === undefined && !['terminated_early', 'empty_meta', 'ignored_values', 'half_floats'].includes(rewrite)
  test(`recorded search ${i} (${rewrite}) is ${isRefused ? 'refused' : 'rewritten to what Elasticsearch answers'}`, () => {
    const plan = () => applyRewrites(request, SEARCH_REWRITES, pairScope(target))
    if (isRefused) {
      assert.throws(plan, { status: 400, type: 'unsupported_operation_exception' })
      // The cluster would refuse it in other words, or answer something else without an error.
      assert.equal(elasticsearch.status, 200)
      assert.notDeepEqual(comparable(opensearch.body), comparable(elasticsearch.body))
      return
    }
    const { names, conditional, request: changed, amend } = plan()!
    assert.ok([...names, ...conditional].includes(rewrite))
    assert.deepEqual(JSON.parse(encodeJson(changed as never).toString()), sent ?? request)
    const answer = parseAnswer(Buffer.from(opensearch.body))
    assert.deepEqual(comparable(amend?.(answer) ?? answer), comparable(elasticsearch.body))
  })
}

for (const { method, path, elasticsearch, opensearch } of pairs.filter(({ rewrite }) => rewrite === 'errors'))
  test(`the recorded error of ${method} ${path} becomes that of Elasticsearch`, () => {
    const { status, body } = translateError(opensearch.status, Buffer.from(opensearch.body))
    assert.equal(status, elasticsearch.status)
    assert.deepEqual(comparable(body), comparable(elasticsearch.body))
  })

test('every rewrite of a search has a recorded pair', () => {
  const recorded = new Set(pairs.map(({ rewrite }) => rewrite))
  const missing = SEARCH_REWRITES.map(({ name }) => name).filter((name) => !recorded.has(name))
  assert.deepEqual(missing, [...WITHOUT_PAIR])
})
