import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeJson } from '../../base/json/json-writer.ts'
import type { Bridge } from '../exchange/bridge.ts'
import type { Exchange, JsonObject } from '../exchange/exchange.ts'
import type { SearchScope } from '../rewrite/search-rewrite.ts'
import { recounted, recountOf } from './composite-recount.ts'

const scope = { field: (name: string) => ({ type: name === 'k' ? 'keyword' : 'long' }) } as unknown as SearchScope
const pages = (field: string, aggs?: JsonObject) => ({
  composite: { sources: [{ s: { terms: { field } } }] },
  ...(aggs === undefined ? {} : { aggs }),
})

/** Recounts an answer; `sent` collects the aggregations of the second search. */
async function run(request: JsonObject, answer: JsonObject, second: JsonObject, sent: unknown[]): Promise<JsonObject> {
  const exchange = { path: '/i/_search', query: { string: () => undefined }, uriFor: (path: string) => path }
  const send = (_: unknown, { body }: { body: Buffer }) => {
    sent.push((JSON.parse(body.toString()) as JsonObject)['aggs'])
    return Promise.resolve({ status: 200, headers: {}, body: encodeJson({ aggregations: second }) })
  }
  const bridge = { send, statistics: { met: () => {} } }
  await recounted(exchange as unknown as Exchange, bridge as unknown as Bridge, recountOf(request, scope)!, answer)
  return answer
}

test('buckets in which a document is counted for each of its values are counted again', async () => {
  const request = {
    query: { match_all: {} },
    aggs: { f: { filter: { match_all: {} }, aggs: { p: pages('n', { m: { sum: { field: 'n' } } }) } } },
  }
  const { request: asked } = recountOf(request, scope)!
  const { aggs } = (asked['aggs'] as { f: { aggs: JsonObject } }).f
  assert.deepEqual(aggs['_sandpiper_values_p_0'], { value_count: { field: 'n' } })
  assert.deepEqual(aggs['_sandpiper_documents_p_0'], { filter: { exists: { field: 'n' } } })
  const buckets = [
    { key: { s: 1 }, doc_count: 3, m: { value: 3 } },
    { key: { s: 2 }, doc_count: 1, m: { value: 2 } },
  ]
  const counts = { _sandpiper_values_p_0: { value: 4 }, _sandpiper_documents_p_0: { doc_count: 3 } }
  const answer = { aggregations: { f: { doc_count: 3, p: { buckets }, ...counts } } }
  const sent: unknown[] = []
  const again = { b0: { doc_count: 2, m: { value: 2 } }, b1: { doc_count: 1, m: { value: 1 } } }
  const second = { f: { doc_count: 3, p: { buckets: again } } }
  assert.deepEqual(await run(request, answer, second, sent), {
    aggregations: {
      f: {
        doc_count: 3,
        p: {
          buckets: [
            { key: { s: 1 }, doc_count: 2, m: { value: 2 } },
            { key: { s: 2 }, doc_count: 1, m: { value: 1 } },
          ],
        },
      },
    },
  })
  const filters = { b0: { bool: { filter: [{ term: { n: 1 } }] } }, b1: { bool: { filter: [{ term: { n: 2 } }] } } }
  assert.deepEqual(sent, [
    { f: { filter: { match_all: {} }, aggs: { p: { filters: { filters }, aggs: { m: { sum: { field: 'n' } } } } } } },
  ])
})

test('without documents with several values there is no second search', async () => {
  const counts = { _sandpiper_values_p_0: { value: 2 }, _sandpiper_documents_p_0: { doc_count: 2 } }
  const answer = { aggregations: { p: { buckets: [{ key: { s: 1 }, doc_count: 2 }] }, ...counts } }
  const sent: unknown[] = []
  const shown = await run({ aggs: { p: pages('n') } }, answer, {}, sent)
  assert.deepEqual(shown, { aggregations: { p: { buckets: [{ key: { s: 1 }, doc_count: 2 }] } } })
  assert.deepEqual(sent, [])
})

test('composite aggregations of keywords, and those that choose among their buckets, are not counted again', () => {
  assert.equal(recountOf({ aggs: { p: pages('k') } }, scope), undefined)
  assert.equal(recountOf({ aggs: { p: pages('n', { b: { bucket_sort: { size: 1 } } }) } }, scope), undefined)
  assert.equal(recountOf({ aggs: { t: { terms: { field: 'n' } } } }, scope), undefined)
})
