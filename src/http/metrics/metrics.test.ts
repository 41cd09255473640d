import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { startSearch, type TestSearch } from '../../testing/index.ts'
import { Exposition } from './exposition.ts'
import { DURATION_BOUNDS, RequestMetrics, RouteCounts } from './request-metrics.ts'

let search: TestSearch
before(async () => {
  search = await startSearch({ listen: false })
})
after(() => search.stop())

/** Samples by `name{labels}`. */
async function scrape(path = '/_sandpiper/metrics'): Promise<Map<string, number>> {
  const { status, text, headers } = await search.request('GET', path)
  assert.equal(status, 200)
  assert.equal(headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8')
  const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    samples.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  )
}

test('a scrape counts requests by route pattern, method and status', async () => {
  await search.request('PUT', '/books/_doc/1?refresh=true', { title: 'a' })
  await search.request('GET', '/books/_doc/2')
  await search.request('GET', '/books/_search')
  const samples = await scrape()
  const count = (labels: string) => samples.get(`sandpiper_http_requests_total{${labels}}`)
  assert.equal(count('method="PUT",route="/{index}/_doc/{id}",status="201"'), 1)
  assert.equal(count('method="GET",route="/{index}/_doc/{id}",status="404"'), 1)
  assert.equal(count('method="GET",route="/{index}/_search",status="200"'), 1)
  assert.equal(samples.get('sandpiper_documents'), 1)
  assert.equal(samples.get('sandpiper_indexing_documents_total'), 1)
})

test('the buckets of a duration histogram are cumulative and end with the count', async () => {
  const samples = await scrape()
  const labels = 'method="GET",route="/{index}/_search"'
  const name = 'sandpiper_http_request_duration_seconds'
  const buckets = [...DURATION_BOUNDS.map(String), '+Inf'].map(
    (le) => samples.get(`${name}_bucket{${labels},le="${le}"}`)!,
  )
  assert.deepEqual(
    buckets,
    [...buckets].sort((a, b) => a - b),
  )
  assert.equal(buckets.at(-1), samples.get(`${name}_count{${labels}}`))
})

test('requests without a route share one label, whatever their method and path', () => {
  const metrics = new RequestMetrics()
  metrics.countsOf('BREW', undefined).record(405, 1)
  metrics.countsOf('GET', undefined).record(400, 1)
  assert.deepEqual(
    [...metrics.all].map(({ method, route, count }) => [method, route, count]),
    [['unknown', 'unknown', 2]],
  )
})

test('the counts of a route keep their shape when a duration with a fraction is recorded', () => {
  setFlagsFromString('--allow-natives-syntax')
  const haveSameShape = new Function('a', 'b', 'return %HaveSameMap(a, b)') as (a: object, b: object) => boolean
  const recorded = new RouteCounts('GET', '/a')
  const fresh = new RouteCounts('GET', '/b')
  recorded.record(200, 0.7)
  assert.equal(recorded.seconds, 0.0007)
  assert.ok(haveSameShape(recorded, fresh))
})

test('GET /metrics is a scrape unless an index has that name', async () => {
  assert.ok((await scrape('/metrics')).size > 0)
  await search.request('PUT', '/metrics')
  const { body } = await search.request('GET', '/metrics')
  assert.ok(body.metrics.mappings)
  await search.request('DELETE', '/metrics')
})

test('labels with quotes, backslashes and newlines are escaped', () => {
  const text = new Exposition().metric('a', 'gauge', 'b').sample('a', { x: 'q"\\\n' }, 1).toString()
  assert.equal(text, '# HELP a b\n# TYPE a gauge\na{x="q\\"\\\\\\n"} 1\n')
})

test('liveness and readiness answer GET and HEAD', async () => {
  for (const path of ['/_sandpiper/live', '/_sandpiper/ready'])
    for (const method of ['GET', 'HEAD']) assert.equal((await search.request(method, path)).status, 200)
})
