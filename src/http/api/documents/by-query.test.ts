import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { startSearch } from '../../../testing/index.ts'
import type { RequestDispatcher } from '../../dispatcher.ts'
import { LocalApi } from '../../local-api.ts'

const search = await startSearch({ listen: false, refresh: 'immediate' })
after(() => search.stop())

beforeEach(async () => {
  await search.reset()
  const lines = Array.from({ length: 25 }, (_, i) => [
    { index: { _id: String(i) } },
    { n: i, k: i % 2 === 0 ? 'even' : 'odd' },
  ])
  await search.request('POST', '/src/_bulk', lines.flat())
})

const count = async (index: string) => (await search.request('GET', `/${index}/_count`)).body.count

test('reindex copies matching documents in batches and reports the counts', async () => {
  const { status, body } = await search.request('POST', '/_reindex', {
    source: { index: 'src', size: 5, query: { term: { 'k.keyword': 'even' } } },
    dest: { index: 'copy' },
  })
  assert.equal(status, 200)
  assert.deepEqual([body.total, body.created, body.updated, body.batches, body.failures], [13, 13, 0, 3, []])
  assert.equal(await count('copy'), 13)
})

test('a by-query request over a shard that cannot be searched fails and writes nothing', async () => {
  await search.request('PUT', '/other', { mappings: { properties: { n: { type: 'date' } } } })
  const query = { distance_feature: { field: 'n', origin: '2024-01-05', pivot: '7d' } }
  const sent: [path: string, body: unknown][] = [
    ['/src,other/_delete_by_query', { query }],
    ['/src,other/_update_by_query', { query }],
    ['/_reindex', { source: { index: ['src', 'other'], query }, dest: { index: 'copy' } }],
  ]
  for (const [path, request] of sent) {
    const { status, body } = await search.request('POST', path, request)
    assert.equal(status, 400)
    assert.equal(body.error.reason, 'Partial shards failure')
  }
  assert.equal(await count('src'), 25)
})

test('reindex keeps numbers, escapes and line ends of sources unchanged', async () => {
  const source = '{"n":9007199254740993,"x":1.0,\n"t":"a\\u0041\\n\\"\\\\"}'
  await search.request('PUT', '/src/_doc/odd', source)
  await search.request('POST', '/_reindex', {
    source: { index: 'src', query: { ids: { values: ['odd'] } } },
    dest: { index: 'copy' },
  })
  const { text } = await search.request('GET', '/copy/_source/odd')
  assert.equal(text, source.replace('\n', ' '))
})

test('sliced reindex copies every document once', async () => {
  const { body } = await search.request('POST', '/_reindex?slices=3', {
    source: { index: 'src', size: 2 },
    dest: { index: 'copy' },
  })
  assert.equal(body.created, 25)
  assert.equal(body.slices.length, 3)
  assert.equal(
    body.slices.reduce((sum: number, slice: { created: number }) => sum + slice.created, 0),
    25,
  )
  assert.equal(await count('copy'), 25)
})

test('reindex with op_type create stops at conflicts and lists them, or continues with conflicts proceed', async () => {
  await search.request('PUT', '/copy/_doc/3', { n: -1 })
  const body = { source: { index: 'src' }, dest: { index: 'copy', op_type: 'create' } }
  const stopped = await search.request('POST', '/_reindex', body)
  assert.equal(stopped.status, 409)
  assert.deepEqual([stopped.body.created, stopped.body.version_conflicts, stopped.body.failures.length], [24, 1, 1])
  const went = await search.request('POST', '/_reindex', { ...body, conflicts: 'proceed' })
  assert.equal(went.status, 200)
  assert.deepEqual([went.body.version_conflicts, went.body.failures.length], [25, 0])
})

test('delete_by_query deletes only matching documents', async () => {
  const { body } = await search.request('POST', '/src/_delete_by_query?scroll_size=4', {
    query: { range: { n: { lt: 10 } } },
  })
  assert.deepEqual([body.total, body.deleted, body.batches], [10, 10, 3])
  assert.equal(await count('src'), 15)
})

test('delete_by_query does not delete a document that changed since the last refresh', async () => {
  await search.request('POST', '/src/_refresh')
  const manual = await startSearch({ listen: false, refresh: 'manual' })
  try {
    await manual.request('PUT', '/a/_doc/1?refresh=true', { n: 1 })
    await manual.request('PUT', '/a/_doc/1', { n: 2 })
    const { status, body } = await manual.request('POST', '/a/_delete_by_query', { query: { match_all: {} } })
    assert.equal(status, 409)
    assert.deepEqual([body.deleted, body.version_conflicts], [0, 1])
    assert.equal((await manual.request('GET', '/a/_doc/1')).body._source.n, 2)
  } finally {
    await manual.stop()
  }
})

test('update_by_query increments the version of every matching document, up to max_docs', async () => {
  const { body } = await search.request('POST', '/src/_update_by_query?max_docs=7', {})
  assert.deepEqual([body.total, body.updated], [7, 7])
  const { body: found } = await search.request('GET', '/src/_search?version=true&size=100')
  assert.equal(found.hits.hits.filter(({ _version }: { _version: number }) => _version === 2).length, 7)
})

test('an operation with wait_for_completion false is a task with a stored result', async () => {
  const { body } = await search.request('POST', '/_reindex?wait_for_completion=false', {
    source: { index: 'src' },
    dest: { index: 'copy' },
  })
  const { body: task } = await search.request('GET', `/_tasks/${body.task}?wait_for_completion=true`)
  assert.equal(task.completed, true)
  assert.equal(task.task.description, 'reindex from [src] to [copy]')
  assert.equal(task.response.created, 25)
})

test('the stored result of a sliced operation has all counts for each slice', async () => {
  const { body } = await search.request('POST', '/src/_update_by_query?wait_for_completion=false&slices=2', {})
  const { body: task } = await search.request('GET', `/_tasks/${body.task}?wait_for_completion=true`)
  assert.equal(task.response.slices.length, 2)
  for (const part of [task.response, ...task.response.slices]) {
    assert.deepEqual([part.created, part.throttled, part.throttled_until], [0, '0s', '0s'])
  }
})

test('a throttled operation is listed, can be rethrottled, and can be cancelled', async () => {
  const start = () =>
    search.request('POST', '/src/_update_by_query?wait_for_completion=false&requests_per_second=1&scroll_size=1', {})
  const { body: first } = await start()
  const { body: listed } = await search.request('GET', '/_tasks?actions=*byquery&detailed')
  assert.equal(Object.keys((Object.values(listed.nodes)[0] as { tasks: object }).tasks)[0], first.task)
  await search.request('POST', `/_update_by_query/${first.task}/_rethrottle?requests_per_second=-1`)
  const { body: done } = await search.request('GET', `/_tasks/${first.task}?wait_for_completion=true`)
  assert.equal(done.response.updated, 25)

  const { body: second } = await start()
  await search.request('POST', `/_tasks/${second.task}/_cancel`)
  const { body: cancelled } = await search.request('GET', `/_tasks/${second.task}?wait_for_completion=true`)
  assert.equal(cancelled.response.canceled, 'by user request')
  assert.equal(cancelled.task.cancelled, false)
  assert.ok(cancelled.response.updated < 25)
})

test('reindex reads from a whitelisted remote server and from no other', async () => {
  const remote = await startSearch()
  try {
    await remote.request('PUT', '/far/_doc/1?refresh=true', { n: 1 })
    const body = { source: { remote: { host: remote.url }, index: 'far' }, dest: { index: 'near' } }
    const refused = await search.request('POST', '/_reindex', body)
    assert.equal(refused.status, 400)
    assert.match(refused.body.error.reason, /^\[127\.0\.0\.1:\d+\] not whitelisted in reindex\.remote\.whitelist$/)
    const allowed = await startSearch({ listen: false, reindexRemoteWhitelist: ['127.0.0.1:*'] })
    try {
      assert.equal((await allowed.request('POST', '/_reindex?refresh=true', body)).body.created, 1)
      assert.equal((await allowed.request('GET', '/near/_count')).body.count, 1)
    } finally {
      await allowed.stop()
    }
  } finally {
    await remote.stop()
  }
})

test('update_by_query with a script changes, skips and deletes documents', async () => {
  const source =
    "if (ctx._source.n < 5) { ctx.op = 'delete' } else if (ctx._source.n < 10) { ctx.op = 'noop' } else { ctx._source.n *= params.by }"
  const { body } = await search.request('POST', '/src/_update_by_query', { script: { source, params: { by: 10 } } })
  assert.deepEqual([body.total, body.deleted, body.noops, body.updated], [25, 5, 5, 15])
  assert.equal((await search.request('GET', '/src/_source/12')).body.n, 120)
})

test('a script that fails for one document of a page of update_by_query changes no document of that page', async () => {
  const script = { source: 'ctx._source.n = 100 / (ctx._source.n - 7)' }
  const { status, body } = await search.request('POST', '/src/_update_by_query', { script })
  assert.equal(status, 400)
  assert.equal(body.error.type, 'script_exception')
  assert.equal(body.error.caused_by.type, 'arithmetic_exception')
  const { body: all } = await search.request('GET', '/src/_search?size=25&version=true')
  assert.ok(all.hits.hits.every(({ _version }: { _version: number }) => _version === 1))
})

test('a script of update_by_query sees what it added to a list of its parameters in all pages', async () => {
  const script = { source: 'params.seen.add(1); ctx._source.n = params.seen.size()', params: { seen: [] } }
  const { body } = await search.request('POST', '/src/_update_by_query?scroll_size=10', { script })
  assert.deepEqual([body.updated, body.batches], [25, 3])
  const { body: last } = await search.request('GET', '/src/_search?size=1&sort=n:desc')
  assert.equal(last.hits.hits[0]._source.n, 25)
})

test('a script of update_by_query runs before the pipeline, and what it deletes or skips does not reach the pipeline', async () => {
  await search.request('PUT', '/_ingest/pipeline/mark', { processors: [{ set: { field: 'after', value: '{{n}}' } }] })
  const source =
    "if (ctx._source.n == 1) ctx.op = 'noop'; else if (ctx._source.n == 2) ctx.op = 'delete'; else ctx._source.n++"
  const { body } = await search.request('POST', '/src/_update_by_query?pipeline=mark', { script: { source } })
  assert.deepEqual([body.updated, body.noops, body.deleted], [23, 1, 1])
  assert.equal((await search.request('GET', '/src/_source/3')).body.after, '4')
  assert.equal((await search.request('GET', '/src/_source/1')).body.after, undefined)
})

test('reindex with a script can change the id and the index of a document', async () => {
  const source = "ctx._id = 'x-' + ctx._id; ctx._index = ctx._source.k"
  await search.request('POST', '/_reindex', { source: { index: 'src' }, dest: { index: 'copy' }, script: { source } })
  assert.equal(await count('even'), 13)
  assert.equal((await search.request('GET', '/odd/_doc/x-3')).body._source.n, 3)
})

test('a script that requests an unknown operation is rejected and changes nothing', async () => {
  const { status } = await search.request('POST', '/src/_update_by_query', { script: "ctx.op = 'junk'" })
  assert.equal(status, 400)
  assert.equal((await search.request('GET', '/src/_doc/1')).body._version, 1)
})

test('the local API marks bulk requests that may not create indices', async () => {
  const api = new LocalApi()
  const seen: [string, boolean | undefined][] = []
  const dispatch = async ({ uri, bulk }: { uri: string; bulk?: { existingOnly?: boolean | undefined } }) => {
    seen.push([uri, bulk?.existingOnly])
    return { status: 200, body: Buffer.from('{}') }
  }
  api.connect({ dispatch } as unknown as RequestDispatcher)
  const request = { access: undefined, headers: {} }
  await api.for(request, { existingOnly: true }).send('POST', '/_bulk')
  await api.for(request).send('POST', '/_bulk')
  assert.deepEqual(seen, [
    ['/_bulk', true],
    ['/_bulk', false],
  ])
})

test('the sort of the address decides which documents come before max_docs', async () => {
  for (let n = 1; n <= 5; n++) await search.request('PUT', `/sorted/_doc/${n}?refresh=true`, { n })
  const path = '/sorted/_update_by_query?refresh=true&max_docs=2&sort=n:desc'
  await search.request('POST', path, { script: "ctx._source.k = 'm'" })
  const { body } = await search.request('POST', '/sorted/_search?q=k:m', { sort: ['n'] })
  assert.deepEqual(
    body.hits.hits.map(({ _id }: { _id: string }) => _id),
    ['4', '5'],
  )
})

test('max_docs of 0 is rejected, by the validation of the request if the number of slices is chosen for it', async () => {
  const reason = async (parameters: string) =>
    (await search.request('POST', `/src/_update_by_query?${parameters}`)).body.error.reason
  assert.match(await reason('slices=auto&max_docs=0'), /^Validation Failed: 1: maxDocs should be greater than 0/)
  assert.equal(await reason('slices=2&max_docs=0'), '[max_docs] should be >= [slices]')
  assert.equal(await reason('size=1&scroll_size=x'), 'invalid parameter [size], use [max_docs] instead')
})

test('max_docs counts changed documents: conflicts and noops make place for later hits of the same page', async () => {
  const given = [{ index: { _id: '1' } }, { n: 1 }, { index: { _id: '3' } }, { n: 3 }]
  for (const size of [1000, 4, 3, 1]) {
    await search.request('DELETE', '/copy?ignore_unavailable=true')
    await search.request('POST', '/copy/_bulk', given)
    const source = { index: 'src', sort: 'n', size, query: { range: { n: { lte: 4 } } } }
    const dest = { index: 'copy', op_type: 'create' }
    const { body } = await search.request('POST', '/_reindex', { max_docs: 4, conflicts: 'proceed', source, dest })
    assert.deepEqual([body.total, body.created, body.version_conflicts], [4, 3, 2], `pages of ${size}`)
    if (size === 1000) assert.equal(body.batches, 2)
    assert.equal(await count('copy'), 5)
  }
  const script = { source: "if (ctx._source.n % 2 == 0) ctx.op = 'noop'; else ctx._source.seen = true" }
  const updated = await search.request('POST', '/src/_update_by_query?max_docs=3', { script })
  assert.deepEqual([updated.body.updated, updated.body.noops], [3, 3])
})

test('a cancellation that waits is answered when the work has ended, and so is a list that waits', async () => {
  const slow = '/src/_update_by_query?wait_for_completion=false&requests_per_second=20&scroll_size=1'
  const running = async () => (await search.request('POST', slow, {})).body.task as string
  const isCompleted = async (task: string) => (await search.request('GET', `/_tasks/${task}`)).body.completed
  const one = await running()
  await search.request('POST', `/_tasks/${one}/_cancel?wait_for_completion=true`)
  assert.equal(await isCompleted(one), true)
  const all = await running()
  await search.request('POST', '/_tasks/_cancel?actions=*byquery&wait_for_completion=true')
  assert.equal(await isCompleted(all), true)
  const left = await running()
  const waited = await search.request('GET', '/_tasks?actions=*byquery&wait_for_completion=true&timeout=1ms')
  assert.equal(Object.keys(Object.values(waited.body.nodes as Record<string, { tasks: object }>)[0]!.tasks).length, 1)
  assert.equal(await isCompleted(left), false)
  await search.request('POST', `/_update_by_query/${left}/_rethrottle?requests_per_second=-1`)
  await search.request('GET', '/_tasks?actions=*byquery&wait_for_completion=true')
  assert.equal(await isCompleted(left), true)
})
