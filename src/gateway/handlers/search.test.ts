import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silentLog } from '../../base/log.ts'
import { copyOfLent } from '../../base/memory/lent-bytes.ts'
import type { IncomingRequest } from '../../http/dispatcher.ts'
import { SearchServer } from '../../server/search-server.ts'
import { type FakeIndex, FakeOpenSearch, type FakeRequest } from '../fake-opensearch.ts'
import { connectCluster } from '../open-gateway.ts'
import { withKept } from '../rewrite/kept-definitions.ts'
import { encodePitId } from '../rewrite/pit-id.ts'
import { ShardPlaces } from '../rewrite/shard-places.ts'
import { requestOf } from '../shadow/shadow.ts'

type Headers = Readonly<Record<string, string>>

interface Behind {
  readonly fake: FakeOpenSearch
  // biome-ignore lint/suspicious/noExplicitAny: answers of any shape
  send(method: string, path: string, body?: object, headers?: Headers): Promise<{ status: number; json: any }>
  // biome-ignore lint/suspicious/noExplicitAny: answers of any shape
  sendLines(path: string, lines: readonly object[], headers?: Headers): Promise<{ status: number; json: any }>
  stop(): Promise<void>
}

async function behindGateway(index: FakeIndex, answer: (request: FakeRequest) => object): Promise<Behind> {
  const fake = await FakeOpenSearch.start(index, answer)
  const connected = await connectCluster({
    urls: [fake.url],
    passesCredentials: false,
    sniffs: false,
    partialPages: false,
    log: silentLog,
  })
  const gateway = await SearchServer.open({
    threads: 0,
    maxContentBytes: 1 << 24,
    strictMediaTypes: false,
    log: silentLog,
    gateway: (shadow) => connected.gateway(shadow),
  })
  return {
    fake,
    async send(method, path, body, headers) {
      const text = body === undefined ? '' : JSON.stringify(body)
      const answered = await gateway.dispatch(withHeaders(requestOf(method, path, text), headers))
      return { status: answered.status, json: JSON.parse(copyOfLent(answered.body).toString()) }
    },
    async sendLines(path, lines, headers) {
      const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
      const answered = await gateway.dispatch(withHeaders(requestOf('POST', path, text), headers))
      return { status: answered.status, json: JSON.parse(copyOfLent(answered.body).toString()) }
    },
    async stop() {
      await gateway.stop()
      fake.stop()
    },
  }
}

function withHeaders(request: IncomingRequest, headers: Headers | undefined): IncomingRequest {
  return { ...request, headers: { ...request.headers, ...headers } }
}

const SHARDS = { total: 1, successful: 1, skipped: 0, failed: 0 }
const pageOf = (hits: readonly object[]) => ({
  took: 1,
  timed_out: false,
  _shards: SHARDS,
  hits: { total: { value: hits.length, relation: 'eq' }, max_score: null, hits },
})

test('a search template is rendered by the gateway and rewritten like any search', async () => {
  const index: FakeIndex = { name: 'birds', shards: 1, properties: { d: { type: 'date' } }, version: 1 }
  const hits = [{ _index: 'birds', _id: '1', sort: [0] }]
  const { fake, send, stop } = await behindGateway(index, () => pageOf(hits))
  try {
    const source = '{"size":{{n}},"sort":[{"d":{"order":"asc","format":"yyyy"}}]}'
    const { json } = await send('POST', '/birds/_search/template?typed_keys=true', { source, params: { n: 3 } })
    assert.deepEqual(json.hits.hits[0].sort, ['1970'])
    const { uri, body } = fake.requests.at(-1)!
    assert.equal(uri, '/birds/_search?typed_keys=true')
    assert.deepEqual(body, { size: 3, sort: [{ d: { order: 'asc' } }] })
  } finally {
    await stop()
  }
})

test('templates of several searches are rendered and rewritten, and one with a mistake is answered alone', async () => {
  const index: FakeIndex = { name: 'birds', shards: 1, properties: { d: { type: 'date' } }, version: 1 }
  const page = { ...pageOf([{ _index: 'birds', _id: '1', sort: [0] }]), status: 200 }
  const { fake, sendLines, stop } = await behindGateway(index, () => ({ took: 1, responses: [page] }))
  try {
    const source = '{"size":{{n}},"sort":[{"d":{"order":"asc","format":"yyyy"}}]}'
    const lines = [{ index: 'birds' }, { id: 'unknown' }, { index: 'birds' }, { source, params: { n: 3 } }]
    const { status, json } = await sendLines('/_msearch/template', lines)
    assert.equal(status, 200)
    assert.equal(json.responses[0].error.type, 'resource_not_found_exception')
    assert.deepEqual(json.responses[1].hits.hits[0].sort, ['1970'])
    const { uri, body } = fake.requests.at(-1)!
    assert.equal(uri, '/_msearch')
    assert.deepEqual(body, [{ index: 'birds' }, { size: 3, sort: [{ d: { order: 'asc' } }] }])
  } finally {
    await stop()
  }
})

test('templates with vendor media types are rendered', async () => {
  const index: FakeIndex = { name: 'birds', shards: 1, properties: {}, version: 1 }
  const page = { ...pageOf([]), status: 200 }
  const { send, sendLines, stop } = await behindGateway(index, ({ uri }) =>
    uri.startsWith('/_msearch') ? { took: 1, responses: [page] } : page,
  )
  const type = (name: string) => `application/vnd.elasticsearch+${name}; compatible-with=8`
  const template = { source: '{"size":{{n}}}', params: { n: 3 } }
  try {
    const headers = { accept: type('json'), 'content-type': type('json') }
    assert.equal((await send('POST', '/birds/_search/template', template, headers)).status, 200)
    const lines = { accept: type('json'), 'content-type': type('x-ndjson') }
    const { status, json } = await sendLines('/_msearch/template', [{ index: 'birds' }, template], lines)
    assert.deepEqual([status, json.responses[0].status], [200, 200])
  } finally {
    await stop()
  }
})

test('a composite aggregation of several searches is counted again with the parameters of its header', async () => {
  const index: FakeIndex = { name: 'birds', shards: 1, properties: { n: { type: 'long' } }, version: 1 }
  const bucket = { key: { n: 1 }, doc_count: 2 }
  const counts = { _sandpiper_values_c_0: { value: 2 }, _sandpiper_documents_c_0: { doc_count: 1 } }
  const first = { ...pageOf([]), status: 200, aggregations: { c: { buckets: [bucket] }, ...counts } }
  const again = { ...pageOf([]), aggregations: { c: { buckets: { b0: { doc_count: 1 } } } } }
  const { fake, sendLines, stop } = await behindGateway(index, ({ uri }) =>
    uri.startsWith('/_msearch') ? { took: 1, responses: [first] } : again,
  )
  try {
    const aggs = { c: { composite: { sources: [{ n: { terms: { field: 'n' } } }] } } }
    const { json } = await sendLines('/_msearch', [
      { index: 'birds', routing: 'r' },
      { size: 0, aggs },
    ])
    assert.deepEqual(json.responses[0].aggregations, { c: { buckets: [{ key: { n: 1 }, doc_count: 1 }] } })
    assert.equal(fake.requests.at(-1)!.uri, '/birds/_search?routing=r')
  } finally {
    await stop()
  }
})

test('a search that is repeated is planned anew when the mapping has changed', async () => {
  const index: FakeIndex = { name: 'birds', shards: 1, properties: { b: { type: 'integer' } }, version: 1 }
  const { send, stop } = await behindGateway(index, () => pageOf([{ _index: 'birds', _id: '1', sort: [2147483647] }]))
  const sorted = async () =>
    (await send('POST', '/birds/_search', { sort: [{ b: 'asc' }] })).json.hits.hits[0].sort.map(String)
  try {
    assert.deepEqual(await sorted(), ['2147483647'])
    assert.deepEqual(await sorted(), ['2147483647'])
    index.properties = { b: { type: 'boolean' } }
    index.version++
    await send('GET', '/birds/_mapping')
    // A missing boolean has the sort value of a missing long.
    assert.deepEqual(
      await sorted(),
      [String(9223372036854775807n)].map((text) => String(Number(text))),
    )
  } finally {
    await stop()
  }
})

test('a path that cannot be decoded is refused with the text of Elasticsearch', async () => {
  const index: FakeIndex = { name: 'birds', shards: 1, properties: {}, version: 1 }
  const { fake, send, stop } = await behindGateway(index, () => pageOf([]))
  try {
    const { status, json } = await send('GET', '/%zz/_search')
    assert.equal(status, 400)
    assert.equal(json.error.reason, "invalid escape sequence `%zz' at index 1 of: /%zz/_search")
    assert.deepEqual(fake.requests, [])
  } finally {
    await stop()
  }
})

test('a search that Elasticsearch refuses is not sent', async () => {
  const index: FakeIndex = { name: 'birds', shards: 1, properties: {}, version: 1 }
  const { fake, send, stop } = await behindGateway(index, () => pageOf([]))
  try {
    const refused = await send('POST', '/birds/_search', { query: { none: {} } })
    assert.equal(refused.status, 400)
    assert.equal(refused.json.error.type, 'parsing_exception')
    assert.equal((await send('POST', '/other/_search', {})).status, 404)
    assert.equal(fake.requests.length, 0)
  } finally {
    await stop()
  }
})

test('a page of a point in time that Elasticsearch refuses gets the same error after the metadata has changed', async () => {
  const index: FakeIndex = {
    name: 'birds',
    shards: 1,
    properties: { d: { type: 'date' }, t: { type: 'text' } },
    version: 1,
  }
  const { fake, send, sendLines, stop } = await behindGateway(index, () => pageOf([]))
  const id = encodePitId({
    shards: 1,
    spread: [{ name: 'birds', shards: 1, routingShards: 1024, partition: 1 }],
    id: 'x',
  })
  const page = { sort: ['d'], pit: { id } }
  const wrong = { ...page, sort: ['t'] }
  try {
    assert.equal((await send('POST', '/_search', page)).status, 200)
    fake.requests.length = 0
    // The shadow closes its points in time when it reads the new metadata.
    index.version++
    const { status, json } = await send('POST', '/_search', wrong)
    assert.equal(status, 400)
    assert.match(json.error.root_cause[0].reason, /^Fielddata is disabled on \[t\]/)
    index.version++
    const several = await sendLines('/_msearch', [{}, wrong, {}, page])
    assert.equal(several.json.responses[0].status, 400)
    assert.deepEqual(
      fake.requests.filter(({ uri }) => uri.startsWith('/_search')),
      [],
    )
  } finally {
    await stop()
  }
})

test('a page of a slice as large as the window is put together from two, without a document twice', async () => {
  const index: FakeIndex = { name: 'birds', shards: 3, properties: {}, version: 1 }
  const spread = [{ name: 'birds', shards: 3, routingShards: 768, partition: 1 }]
  const places = new ShardPlaces(spread)
  // Three documents share each _seq_no, as those of three shards do.
  const documents = Array.from({ length: 30_000 }, (_, i) => {
    let salt = 0
    while (places.placeOf({ _index: 'birds', _id: `d${i}-${salt}` }) !== i % 3) salt++
    return { _index: 'birds', _id: `d${i}-${salt}`, sort: [Math.floor(i / 3)] }
  })
  const { fake, send, stop } = await behindGateway(index, ({ body }) => {
    const after = body.search_after?.[0] ?? -1
    return pageOf(documents.filter(({ sort }) => sort[0]! > after).slice(0, body.size))
  })
  try {
    const id = encodePitId({ shards: 3, spread, id: 'abc' })
    const search = { size: 10_000, sort: ['_shard_doc'], pit: { id }, slice: { id: 0, max: 2 } }
    const first = (await send('POST', '/_search', search)).json.hits.hits
    const second = (await send('POST', '/_search', { ...search, search_after: first.at(-1).sort })).json.hits.hits
    const ids = [...first, ...second].map(({ _id }: { _id: string }) => _id)
    assert.deepEqual(
      ids,
      documents.slice(0, 20_000).map(({ _id }) => _id),
    )
    assert.ok(fake.requests.every(({ body }) => body.size <= 10_000))
  } finally {
    await stop()
  }
})

test('an index template of a data stream is shown', async () => {
  const templates = {
    sea: { index_patterns: ['sea-*'], composed_of: [], data_stream: { timestamp_field: { name: '@timestamp' } } },
  }
  const index: FakeIndex = { name: 'birds', shards: 1, properties: {}, templates, version: 1 }
  const { send, stop } = await behindGateway(index, () => ({}))
  try {
    const { status, json } = await send('GET', '/_index_template/sea')
    assert.equal(status, 200)
    assert.deepEqual(json.index_templates[0].index_template.data_stream, { hidden: false, allow_custom_routing: false })
  } finally {
    await stop()
  }
})

test('a request that waits for the health of the cluster does not wait for the health of the shadow', async () => {
  const index: FakeIndex = { name: 'birds', shards: 1, properties: {}, version: 1 }
  const health = { status: 'green', timed_out: false, unassigned_shards: 0 }
  const { fake, send, stop } = await behindGateway(index, () => health)
  try {
    // The shadow has one node and would wait for three until the timeout.
    const { status, json } = await send('GET', '/_cluster/health?wait_for_nodes=3&timeout=1h')
    assert.deepEqual([status, json.status], [200, 'green'])
    assert.match(fake.requests[0]!.uri, /wait_for_nodes=3&timeout=1h/)
    assert.equal((await send('GET', '/_cluster/health?wait_for_status=blue')).status, 400)
    assert.equal((await send('GET', '/_cluster/health?timeout=soon')).status, 400)
    assert.equal(fake.requests.length, 1)
  } finally {
    await stop()
  }
})

test('a histogram with too many buckets is refused before it is sent', async () => {
  const index: FakeIndex = { name: 'birds', shards: 1, properties: { d: { type: 'date' } }, version: 1 }
  const range = { 'h min': { value: 0 }, 'h max': { value: 86_400_000 * 60 } }
  const { fake, send, stop } = await behindGateway(index, () => ({
    ...pageOf([]),
    aggregations: { f: { doc_count: 1, ...range } },
  }))
  const aggs = {
    f: { filter: { match_all: {} }, aggs: { h: { date_histogram: { field: 'd', fixed_interval: '1s' } } } },
  }
  try {
    const { status, json } = await send('POST', '/birds/_search', { size: 0, aggs })
    assert.equal(status, 400)
    assert.equal(json.error.caused_by.type, 'too_many_buckets_exception')
    assert.equal(fake.requests.length, 1)
    assert.equal(fake.requests[0]!.body.aggs.f.aggs.h, undefined)
  } finally {
    await stop()
  }
})

test('a sorted search over several shards with a query that cannot match has the best score 0', async () => {
  const index: FakeIndex = { name: 'birds', shards: 3, properties: { n: { type: 'long' } }, version: 1 }
  const { send, stop } = await behindGateway(index, () => ({
    ...pageOf([]),
    _shards: { total: 3, successful: 3, skipped: 2, failed: 0 },
  }))
  const found = async (body: object) => {
    const { json } = await send('POST', '/birds/_search', body)
    return [json.hits.max_score, json._shards.skipped]
  }
  try {
    const none = { terms: { n: [] } }
    assert.deepEqual(await found({ query: none, sort: ['n'] }), [0, 3])
    assert.deepEqual(await found({ query: none, sort: ['n'] }), [0, 3])
    assert.deepEqual(await found({ query: { terms: { n: [1] } }, sort: ['n'] }), [null, 2])
    assert.deepEqual(await found({ query: none }), [null, 2])
  } finally {
    await stop()
  }
})

test('a composite aggregation that cannot be counted again is an error', async () => {
  const index: FakeIndex = { name: 'birds', shards: 1, properties: { n: { type: 'long' } }, version: 1 }
  const counts = { _sandpiper_values_c_0: { value: 2 }, _sandpiper_documents_c_0: { doc_count: 1 } }
  const first = { ...pageOf([]), aggregations: { c: { buckets: [{ key: { n: 1 }, doc_count: 2 }] }, ...counts } }
  const error = { type: 'circuit_breaking_exception', reason: 'too large' }
  const { send, stop } = await behindGateway(index, ({ body }) =>
    body.aggs.c.filters === undefined ? first : { status: 429, error: { ...error, root_cause: [error] } },
  )
  try {
    const aggs = { c: { composite: { sources: [{ n: { terms: { field: 'n' } } }] } } }
    const { status, json } = await send('POST', '/birds/_search', { size: 0, aggs })
    assert.deepEqual([status, json.error.type], [429, 'circuit_breaking_exception'])
  } finally {
    await stop()
  }
})

const NANOS: FakeIndex = {
  name: 'birds',
  shards: 3,
  properties: { x: { type: 'date_nanos' }, d: { type: 'date' } },
  version: 1,
}

test('later pages of a scroll have the format of the sort through any gateway, and the scroll can be closed', async () => {
  // The sort has a constant in front of the nanoseconds (unskipped-sort.ts).
  const hits = [{ _index: 'birds', _id: '1', sort: [0, 1_500_000] }]
  const answer = ({ method }: { method: string }) =>
    method === 'DELETE' ? { succeeded: true, num_freed: 3 } : { _scroll_id: 'abc==', ...pageOf(hits) }
  const first = await behindGateway(NANOS, answer)
  const second = await behindGateway(NANOS, answer)
  const sort = [{ x: { order: 'asc', format: 'epoch_millis' } }]
  try {
    const opened = (await first.send('POST', '/birds/_search?scroll=1m', { sort, slice: { id: 0, max: 2 } })).json
    assert.deepEqual(opened.hits.hits[0].sort, ['1.5'])
    const id = opened._scroll_id
    const next = await second.send('POST', '/_search/scroll', { scroll: '1m', scroll_id: id })
    assert.deepEqual(next.json.hits.hits[0].sort, ['1.5'])
    assert.equal(next.json._scroll_id, id)
    assert.equal(next.json._shards.total, 3)
    const sent = second.fake.requests.at(-1)!
    assert.deepEqual([sent.uri, sent.body], ['/_search/scroll', { scroll: '1m', scroll_id: 'abc==' }])
    const inPath = await second.send('GET', `/_search/scroll/${id}?scroll=2m`)
    assert.deepEqual(inPath.json.hits.hits[0].sort, ['1.5'])
    assert.equal(second.fake.requests.at(-1)!.uri, '/_search/scroll?scroll=2m')
    const closed = await second.send('DELETE', '/_search/scroll', { scroll_id: [id, 'other'] })
    assert.equal(closed.status, 200)
    assert.deepEqual(second.fake.requests.at(-1)!.body, { scroll_id: ['abc==', 'other'] })
    await second.send('DELETE', `/_search/scroll/${id}`)
    assert.deepEqual(second.fake.requests.at(-1)!.body, { scroll_id: ['abc=='] })
  } finally {
    await first.stop()
    await second.stop()
  }
})

test('a scroll whose pages need no change keeps the id of the cluster', async () => {
  const { send, fake, stop } = await behindGateway(NANOS, () => ({ _scroll_id: 'abc==', ...pageOf([]) }))
  try {
    const opened = (await send('POST', '/birds/_search?scroll=1m', { sort: ['d'] })).json
    assert.equal(opened._scroll_id, 'abc==')
    await send('POST', '/_search/scroll', { scroll: '1m', scroll_id: 'abc==' })
    assert.deepEqual(fake.requests.at(-1)!.body, { scroll: '1m', scroll_id: 'abc==' })
  } finally {
    await stop()
  }
})

test('a page of a scroll without the time until the next one closes the scroll of the cluster', async () => {
  const { send, fake, stop } = await behindGateway(NANOS, () => ({ _scroll_id: 'abc==', ...pageOf([]) }))
  try {
    const own = (await send('POST', '/birds/_search?scroll=1m', { sort: [{ d: { order: 'asc', format: 'yyyy' } }] }))
      .json
    for (const id of ['abc==', own._scroll_id]) {
      for (const [path, body] of [['', { scroll_id: id }] as const, [`/${id}`, undefined] as const]) {
        await send('POST', `/_search/scroll${path}`, body)
        assert.deepEqual(fake.requests.at(-1), {
          method: 'DELETE',
          uri: '/_search/scroll',
          body: { scroll_id: ['abc=='] },
        })
        await send('POST', `/_search/scroll${path}?scroll=1m`, body)
        assert.equal(fake.requests.at(-1)!.method, 'POST')
      }
    }
  } finally {
    await stop()
  }
})

test('a page of a scroll that lost a shard is an error, however long its id is', async () => {
  const lost = { ...pageOf([]), _shards: { total: 3, successful: 2, skipped: 0, failed: 1 } }
  const { send, stop } = await behindGateway(NANOS, () => ({ _scroll_id: 'a'.repeat(20_000), ...lost }))
  try {
    const { status, json } = await send('POST', '/_search/scroll', { scroll: '1m', scroll_id: 'abc==' })
    assert.deepEqual([status, json.error.type], [503, 'no_shard_available_action_exception'])
  } finally {
    await stop()
  }
})

test('a scroll that some nodes have no room for is closed and refused', async () => {
  const type = 'open_search_exception'
  const reason = 'Trying to create too many scroll contexts. Must be less than or equal to: [500].'
  const _shards = { ...SHARDS, total: 3, failed: 2, failures: [{ shard: 0, index: 'birds', reason: { type, reason } }] }
  const { send, fake, stop } = await behindGateway(NANOS, () => ({ _scroll_id: 'abc==', ...pageOf([]), _shards }))
  try {
    const { status, json } = await send('POST', '/birds/_search?scroll=1m')
    const cause = { type: 'too_many_scroll_contexts_exception', reason }
    assert.deepEqual([status, json.error.root_cause], [429, [cause]])
    assert.deepEqual(fake.requests.at(-1)!.body, { scroll_id: ['abc=='] })
    assert.equal((await send('POST', '/birds/_search')).status, 200)
  } finally {
    await stop()
  }
})

test('what the cluster does not have is refused with its name', async () => {
  const unknown = (reason: string) => ({ error: { type: 'parsing_exception', reason, root_cause: [] }, status: 400 })
  const answer = ({ uri, body }: FakeRequest) => {
    if (uri.includes('_async_search'))
      return { error: `no handler found for uri [${uri}] and method [POST]`, status: 400 }
    if (body.aggs !== undefined) return unknown('Unknown aggregation type [top_metrics] did you mean [top_hits]?')
    return unknown(
      body.knn === undefined ? 'unknown query [combined_fields]' : 'Unknown key for a START_OBJECT in [knn].',
    )
  }
  const properties = { t: { type: 'text' }, n: { type: 'long' } }
  const { send, stop } = await behindGateway({ name: 'birds', shards: 1, properties, version: 1 }, answer)
  try {
    const refused = async (what: string, path: string, body: object) => {
      const { status, json } = await send('POST', path, body)
      const { type, reason } = json.error
      assert.deepEqual([status, type], [400, 'unsupported_operation_exception'])
      assert.match(reason, new RegExp(`^\\[${what}\\] is not supported by the cluster behind the gateway`))
    }
    await refused('POST /{index}/_async_search', '/birds/_async_search', {})
    await refused('combined_fields', '/birds/_search', { query: { combined_fields: { query: 'a', fields: ['t'] } } })
    const metrics = { top_metrics: { metrics: { field: 'n' }, sort: { n: 'asc' } } }
    await refused('top_metrics', '/birds/_search', { aggs: { a: metrics } })
    await refused('knn', '/birds/_search', { knn: { field: 'v', query_vector: [1], k: 1, num_candidates: 1 } })
  } finally {
    await stop()
  }
})

test('counts and changes by query reach the documents that a search with the same query finds', async () => {
  const properties = { d: { type: 'date', format: 'epoch_second' } }
  const index: FakeIndex = { name: 'birds', shards: 1, properties, version: 1 }
  const { fake, send, stop } = await behindGateway(index, () => ({ count: 0, _shards: SHARDS }))
  try {
    const query = { term: { d: 5 } }
    const sent = { range: { d: { gte: 5, lte: 5, format: 'epoch_millis' } } }
    for (const path of ['_count', '_explain/1', '_delete_by_query', '_update_by_query?conflicts=proceed']) {
      const { status } = await send('POST', `/birds/${path}`, { query })
      assert.equal(status, 200, path)
      assert.deepEqual(fake.requests.at(-1), { method: 'POST', uri: `/birds/${path}`, body: { query: sent } })
    }
    const dest = { index: 'owls' }
    await send('POST', '/_reindex', { source: { index: ['birds'], query }, dest })
    assert.deepEqual(fake.requests.at(-1)!.body, { source: { index: ['birds'], query: sent }, dest })
    await send('POST', '/birds/_count', { query: { term: { d: '5' } } })
    assert.deepEqual(fake.requests.at(-1)!.body, { query: { term: { d: '5' } } })
  } finally {
    await stop()
  }
})

test('queries on runtime fields of the mapping reach the documents that a search finds, and explanations of them are refused', async () => {
  const properties = { n: { type: 'long' } }
  const runtime = { x: { type: 'long', script: { source: 'emit(1)' } } }
  const index: FakeIndex = { name: 'birds', shards: 1, properties, mapping: withKept({}, { runtime }), version: 1 }
  const { fake, send, stop } = await behindGateway(index, () => ({ ...pageOf([]), count: 0 }))
  try {
    const query = { term: { x: 5 } }
    const inner = 'sandpiper_runtime_78'
    const sent = {
      query: { constant_score: { filter: { term: { [inner]: 5 } } } },
      derived: { [inner]: { type: 'long', script: { source: 'emit(1)', lang: 'painless' } } },
    }
    const counted = await send('POST', '/birds/_count?min_score=2&routing=a', { query })
    assert.deepEqual(counted, { status: 200, json: { count: 0, _shards: SHARDS } })
    const uri = '/birds/_search?routing=a&size=0&track_total_hits=true'
    assert.deepEqual(fake.requests.at(-1), { method: 'POST', uri, body: { ...sent, min_score: 2 } })
    await send('POST', '/birds/_delete_by_query', { query, max_docs: 3 })
    assert.deepEqual(fake.requests.at(-1)!.body, { ...sent, max_docs: 3 })
    await send('POST', '/_reindex', { source: { index: 'birds', query }, dest: { index: 'owls' } })
    assert.deepEqual(fake.requests.at(-1)!.body, { source: { ...sent, index: 'birds' }, dest: { index: 'owls' } })
    assert.equal((await send('POST', '/birds/_explain/1', { query })).status, 400)
  } finally {
    await stop()
  }
})
