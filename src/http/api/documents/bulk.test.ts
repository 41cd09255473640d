import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startSearch, type TestSearch } from '../../../testing/index.ts'

let search: TestSearch
before(async () => {
  search = await startSearch({ listen: false })
})
after(() => search.stop())

test('the pipeline of a bulk request runs for the upsert of an update, and that of the index for doc_as_upsert', async () => {
  const set = (field: string) => ({ processors: [{ set: { field, value: 1 } }] })
  await search.request('PUT', '/_ingest/pipeline/asked', set('asked'))
  await search.request('PUT', '/_ingest/pipeline/own', set('own'))
  await search.request('PUT', '/docs', { settings: { default_pipeline: 'own' } })
  const lines = [
    { update: { _id: '1', pipeline: 'asked' } },
    { doc: { a: 1 }, doc_as_upsert: true },
    { update: { _id: '2', pipeline: 'asked' } },
    { doc: { a: 1 }, upsert: { b: 1 } },
    { update: { _id: '3', pipeline: 'missing' } },
    { doc: { a: 1 }, doc_as_upsert: true },
  ]
  await search.request('POST', '/docs/_bulk', `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`)
  const source = async (id: string) => (await search.request('GET', `/docs/_source/${id}`)).body
  assert.deepEqual(await source('1'), { a: 1, own: 1 })
  assert.deepEqual(await source('2'), { b: 1, asked: 1 })
  assert.deepEqual(await source('3'), { a: 1, own: 1 })
})

test('a retry_on_conflict beyond 32 bits is rejected', async () => {
  const answer = await search.request('POST', '/docs/_bulk', '{"delete":{"_id":"3","retry_on_conflict":3000000000}}\n')
  assert.equal(answer.status, 400)
  assert.match(
    (answer.body as { error: { reason: string } }).error.reason,
    /^\[1:\d+\] Numeric value \(3000000000\) out of range of int/,
  )
})

test('of several wrong parameters of a write, the one that Elasticsearch reads first is reported', async () => {
  const reason = async (method: string, path: string, body?: string) => {
    const answer = await search.request(method, path, body)
    return (answer.body as { error: { reason: string } }).error.reason
  }
  const put = (parameters: string) => reason('PUT', `/docs/_doc/1?${parameters}`, '{}')
  assert.match(await put('op_type=x&if_seq_no=-1'), /^sequence numbers must be non negative/)
  assert.match(await put('op_type=x&wait_for_active_shards=x'), /^cannot parse ActiveShardCount/)
  assert.match(await put('refresh=x&timeout=x'), /^failed to parse setting \[timeout\]/)
  assert.match(await put('op_type=x&nonsense=1'), /^opType must be/)
  assert.match(await reason('DELETE', '/docs/_doc/1?refresh=x&timeout=x'), /^failed to parse setting \[timeout\]/)
  const update = '/docs/_update/1?wait_for_active_shards=x&refresh=x'
  assert.match(await reason('POST', update, '{"doc":{}}'), /^Unknown value for refresh/)
  const bulk = '/docs/_bulk?timeout=x&require_alias=maybe&refresh=x'
  assert.match(await reason('POST', bulk, '{"index":{}}\n{}\n'), /^Failed to parse value \[maybe\]/)
})

test('errors show no piece of the document if the request asks for that', async () => {
  const secret = '{"pin": 4711, }'
  const hidden = { include_source_on_error: 'false' }
  for (const [parameters, isShown] of [[{}, true] as const, [hidden, false] as const]) {
    const query = `?${new URLSearchParams(parameters)}`
    const answers = [
      await search.request('PUT', `/docs/_doc/1${query}`, secret),
      await search.request('PUT', `/docs/_create/77${query}`, secret),
      await search.request('POST', `/docs/_bulk${query}`, `{"index":{}}\n${secret}\n`),
    ]
    for (const { text } of answers)
      assert.deepEqual([text.includes('4711'), text.includes('REDACTED')], [isShown, !isShown], text)
  }
})
