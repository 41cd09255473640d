/**
 * Goal: callers cannot see, count or infer from errors what they are not authorized for.
 * Method: users restricted to a pattern, an alias or a data stream send requests with every kind of name. They must get the
 * responses of a node that has nothing else.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { SecuredNode } from './secured-node.ts'

/** Names and values that are hidden from the restricted users. No response may contain them. */
const SECRET = /secret|hidden-alias|b-stream|zzz/

let node: SecuredNode

const READ = ['read', 'view_index_metadata', 'monitor']

before(async () => {
  node = await SecuredNode.open()
  const { admin } = node
  const put = (path: string, body: unknown) => admin.call(node, 'PUT', path, body)
  await put('/_index_template/streams', { index_patterns: ['*-stream'], data_stream: {} })
  for (const name of ['a1', 'a2', 'secret1', 'secret2', 'zzz']) {
    for (const id of ['1', '2'])
      await put(`/${name}/_doc/${id}?refresh=true`, { from: name, n: Number(id), word: `of-${name}` })
  }
  for (const name of ['a-stream', 'b-stream']) {
    await node.admin('POST', `/${name}/_doc?refresh=true`, { '@timestamp': '2026-01-01', from: name })
  }
  await node.admin('POST', '/_aliases', {
    actions: [
      { add: { index: 'secret1', alias: 'window', filter: { term: { n: 1 } } } },
      { add: { index: 'a1', alias: 'hidden-alias' } },
      { add: { index: 'a1', alias: 'a-alias' } },
      { add: { index: 'secret2', alias: 'hidden-alias' } },
    ],
  })
  await node.userWith('pattern', { cluster: ['monitor'], indices: [{ names: ['a*'], privileges: READ }] })
  await node.userWith('window', { indices: [{ names: ['window'], privileges: READ }] })
  await node.userWith('stream', { indices: [{ names: ['a-stream'], privileges: READ }] })
  await node.userWith('writer', { indices: [{ names: ['a*'], privileges: ['write', 'create_index'] }] })
})

after(() => node.close())

const as = (user: string, method: string, uri: string, body?: unknown) => node.send(node.login(user), method, uri, body)

interface Hit {
  readonly _index: string
  readonly _id: string
}
const indicesOf = (hits: readonly Hit[]) => [...new Set(hits.map(({ _index }) => _index))].sort()

/** Requests about all indices, in every notation. */
const WIDE = [
  ...[
    'GET /_search',
    'GET /*/_search',
    'GET /_all/_search',
    'GET /*,-zz/_search',
    'GET //_search',
    'GET /_search?index=*',
  ],
  ...['GET /a*,secret*/_search', 'GET /a-stream,*/_search', 'GET /%2A/_search', 'GET /*/_search?expand_wildcards=all'],
  ...['GET /_count', 'GET /*/_count', 'GET /_field_caps?fields=*', 'GET /*/_field_caps?fields=*&include_unmapped'],
  ...[
    'GET /_mapping',
    'GET /*/_mapping',
    'GET /_mapping/field/*',
    'GET /_settings',
    'GET /*/_settings',
    'GET /*',
    'GET /_all',
  ],
  ...[
    'GET /_alias',
    'GET /_alias/*',
    'GET /*/_alias',
    'GET /*/_alias/*',
    'GET /_aliases',
    'GET /_stats',
    'GET /*/_stats/docs',
  ],
  ...[
    'GET /_resolve/index/*',
    'GET /_data_stream',
    'GET /_data_stream/*',
    'GET /_segments',
    'GET /_recovery',
    'GET /_shard_stores',
  ],
  ...['GET /_search_shards', 'GET /*/_search_shards', 'GET /_validate/query', 'GET /_data_stream/_stats'],
  ...['GET /_cat/aliases', 'GET /_cat/aliases/*', 'GET /_cat/count', 'GET /_cat/recovery'],
]

for (const user of ['pattern', 'stream']) {
  for (const request of WIDE) {
    test(`${user} learns of no other name by ${request}`, async () => {
      const [method, uri] = request.split(' ') as [string, string]
      const { status, text } = await as(user, method, uri)
      assert.ok(status === 200 || status === 404, `${status} ${text}`)
      assert.doesNotMatch(text, SECRET)
    })
  }
}

/** Requests that name something: the answer for what is there is the answer for what is not. */
const NAMED = [
  ...[
    'GET /NAME/_search',
    'GET /NAME',
    'HEAD /NAME',
    'GET /NAME/_doc/1',
    'HEAD /NAME/_doc/1',
    'GET /NAME/_mapping',
    'GET /NAME/_count',
  ],
  ...[
    'GET /NAME/_alias',
    'GET /_alias/NAME',
    'HEAD /_alias/NAME',
    'GET /_resolve/index/NAME',
    'GET /_data_stream/NAME',
    'DELETE /NAME',
  ],
  ...[
    'PUT /NAME',
    'POST /NAME/_open',
    'POST /NAME/_close',
    'POST /NAME/_refresh',
    'GET /NAME/_stats',
    'GET /NAME/_field_caps?fields=*',
  ],
  ...[
    'GET /a1,NAME/_search',
    'GET /NAME,a*/_search',
    'GET /_analyze?index=NAME&text=x',
    'GET /_search?index=NAME',
    'GET /NAME/_explain/1',
  ],
  ...[
    'POST /NAME/_pit?keep_alive=1m',
    'GET /NAME/_termvectors/1',
    'POST /NAME/_rollover',
    'PUT /NAME/_doc/1',
    'DELETE /NAME/_doc/1',
  ],
  ...[
    'POST /NAME/_update_by_query',
    'POST /NAME/_delete_by_query',
    'PUT /a1/_alias/NAME',
    'PUT /NAME/_alias/a9',
    'DELETE /NAME/_alias/x',
  ],
  ...[
    'GET /_cat/indices/NAME',
    'GET /_cat/count/NAME',
    'GET /_cat/shards/NAME',
    'GET /_cat/aliases/NAME',
    'GET /_cat/segments/NAME',
  ],
  ...['GET /NAME/_validate/query', 'GET /<NAME>/_search', 'PUT /_data_stream/NAME', 'PUT /NAME/_block/write'],
]

for (const request of NAMED) {
  test(`${request} has the same response for an unauthorized name and a missing one`, async () => {
    const [method, pattern] = request.split(' ') as [string, string]
    const answers = []
    for (const name of ['secret1', 'b-stream', 'hidden-alias', 'nowhere']) {
      const { status, text } = await as('pattern', method, pattern.replace('NAME', name))
      answers.push(`${status} ${text.replaceAll(name, 'NAME')}`)
    }
    assert.equal(new Set(answers).size, 1, answers.join('\n'))
    assert.match(answers[0]!, /^403/)
  })
}

test('search, count and aggregations cover the indices, aliases and data streams that match the pattern of the role', async () => {
  const { body } = await as('pattern', 'POST', '/_search', {
    size: 100,
    aggs: { by: { terms: { field: '_index', size: 100 } } },
  })
  const own = ['.ds-a-stream-', 'a1', 'a2']
  assert.deepEqual(
    indicesOf(body.hits.hits).map((name) => name.replace(/\d{4}\.\d\d\.\d\d-\d+$/, '')),
    own,
  )
  assert.equal(body.hits.total.value, 5)
  assert.equal(body.aggregations.by.buckets.length, 3)
  assert.equal((await as('pattern', 'GET', '/_count')).body.count, 5)
})

test('a user of a filtered alias sees the filtered documents and cannot access the index itself', async () => {
  const found = await as('window', 'GET', '/window/_search')
  assert.deepEqual(
    found.body.hits.hits.map(({ _id }: Hit) => _id),
    ['1'],
  )
  assert.equal((await as('window', 'GET', '/_search')).body.hits.total.value, 1)
  assert.equal((await as('window', 'GET', '/secret1/_search')).status, 403)
  assert.equal((await as('window', 'GET', '/secret1/_doc/2')).status, 403)
})

test('privileges on a data stream include its backing indices, and privileges on a backing index do not include the data stream', async () => {
  const { body } = await node.admin('GET', '/_data_stream/a-stream')
  const backing = body.data_streams[0].indices[0].index_name
  assert.equal((await as('stream', 'GET', `/${backing}/_search`)).body.hits.total.value, 1)
  await node.userWith('backing', { indices: [{ names: [backing], privileges: READ }] })
  assert.equal((await as('backing', 'GET', `/${backing}/_count`)).body.count, 1)
  assert.equal((await as('backing', 'GET', '/a-stream/_search')).status, 403)
})

test('each search of a multi-search is authorized separately', async () => {
  const lines = [
    '{"index":"secret1"}',
    '{}',
    '{"index":"*"}',
    '{"size":100}',
    '{"index":["a1","nowhere"]}',
    '{}',
    '{}',
    '{"size":0}',
    '{"index":"a9"}',
    '{}',
  ]
  const { status, body, text } = await as('pattern', 'POST', '/_msearch', `${lines.join('\n')}\n`)
  assert.equal(status, 200)
  assert.deepEqual(
    body.responses.map((response: { status: number }) => response.status),
    [403, 200, 403, 200, 404],
  )
  assert.equal(body.responses[1].hits.total.value, 5)
  assert.equal(body.responses[3].hits.total.value, 5)
  assert.doesNotMatch(text.replaceAll('on indices [secret1]', ''), SECRET)
})

test('each document of a multi-get is authorized separately', async () => {
  const { body } = await as('pattern', 'POST', '/_mget', {
    docs: [
      { _index: 'a1', _id: '1' },
      { _index: 'secret1', _id: '1' },
      { _index: 'nowhere', _id: '1' },
      { _index: 'a9', _id: '1' },
    ],
  })
  const [own, others, nowhere, missing] = body.docs
  assert.equal(own.found, true)
  assert.match(others.error.reason, /^action \[indices:data\/read\/mget\[shard\]\] is unauthorized/)
  assert.equal(others.error.reason.replace('secret1', ''), nowhere.error.reason.replace('nowhere', ''))
  assert.equal(missing.error.type, 'index_not_found_exception')
})

test('each bulk item is authorized separately, and authorized items are executed', async () => {
  const lines = [
    '{"index":{"_index":"a1","_id":"9"}}\n{"x":1}',
    '{"index":{"_index":"secret1","_id":"9"}}\n{"x":1}',
    '{"delete":{"_index":"nowhere","_id":"9"}}',
    '{"create":{"_index":"a-new","_id":"9"}}\n{"x":1}',
    '{"update":{"_index":"hidden-alias","_id":"9"}}\n{"doc":{"x":1}}',
  ]
  const { body } = await as('writer', 'POST', '/_bulk', `${lines.join('\n')}\n`)
  const statuses = body.items.map((item: Record<string, { status: number }>) => Object.values(item)[0]!.status)
  assert.deepEqual(statuses, [201, 403, 403, 201, 403])
  assert.equal((await node.send(node.elastic, 'GET', '/secret1/_doc/9')).status, 404)
  for (const path of ['/a1/_doc/9', '/a-new']) await node.admin('DELETE', path)
})

test('create_doc allows neither overwriting nor deleting nor updating documents', async () => {
  const { authorization } = await node.keyWith('creator', { indices: [{ names: ['a*'], privileges: ['create_doc'] }] })
  const send = (method: string, uri: string, body?: unknown) => node.send(authorization, method, uri, body)
  assert.equal((await send('POST', '/a1/_doc', { x: 1 })).status, 201)
  assert.equal((await send('PUT', '/a1/_create/77', { x: 1 })).status, 201)
  assert.equal((await send('PUT', '/a1/_doc/77', { x: 2 })).status, 403)
  assert.equal((await send('PUT', '/a1/_doc/78?op_type=create', { x: 2 })).status, 201)
  assert.equal((await send('DELETE', '/a1/_doc/77')).status, 403)
  assert.equal((await send('POST', '/a1/_update/77', { doc: {} })).status, 403)
  const { body } = await send(
    'POST',
    '/a1/_bulk',
    '{"index":{"_id":"77"}}\n{"x":3}\n{"create":{"_id":"79"}}\n{"x":3}\n',
  )
  assert.deepEqual(
    body.items.map((item: Record<string, { status: number }>) => Object.values(item)[0]!.status),
    [403, 201],
  )
})

test('a scroll is missing for all users except the one who opened it', async () => {
  const opened = await as('pattern', 'POST', '/a*/_search?scroll=1m', { size: 1 })
  const id = opened.body._scroll_id
  for (const other of [node.elastic, node.login('stream')]) {
    const { status, body } = await node.send(other, 'POST', '/_search/scroll', { scroll_id: id })
    assert.equal(status, 404)
    assert.equal(body.error.root_cause[0].type, 'search_context_missing_exception')
    assert.equal((await node.send(other, 'DELETE', '/_search/scroll', { scroll_id: [id] })).body.num_freed, 0)
  }
  const next = await as('pattern', 'POST', '/_search/scroll', { scroll_id: id, scroll: '1m' })
  assert.equal(next.status, 200)
  assert.equal(
    (await as('pattern', 'DELETE', '/_search/scroll', { scroll_id: next.body._scroll_id })).body.num_freed > 0,
    true,
  )
})

test('a search in a point in time requires read on every index in it', async () => {
  const { body } = await node.admin('POST', '/secret1,a1/_pit?keep_alive=1m')
  const refused = await as('pattern', 'POST', '/_search', { pit: { id: body.id } })
  assert.equal(refused.status, 403)
  const escaped = await as('pattern', 'POST', '/_search', `{"\\u0070it":{"id":"${body.id}"}}`)
  assert.equal(escaped.status, 403)
  const own = await as('pattern', 'POST', '/a1/_pit?keep_alive=1m')
  assert.equal((await as('pattern', 'POST', '/_search', { pit: { id: own.body.id } })).body.hits.total.value > 0, true)
  const window = await as('window', 'POST', '/window/_pit?keep_alive=1m')
  assert.equal((await as('window', 'POST', '/_search', { pit: { id: window.body.id } })).body.hits.total.value, 1)
})

test('queries cannot refer to documents of unauthorized indices', async () => {
  const lookups: unknown[] = [
    { terms: { n: { index: 'secret1', id: '1', path: 'n' } } },
    { more_like_this: { like: [{ _index: 'secret1', _id: '1' }], fields: ['word'] } },
    { bool: { filter: [{ terms: { n: { index: 'secret1', id: '1', path: 'n' } } }] } },
  ]
  for (const query of lookups) {
    for (const [method, uri] of [
      ['POST', '/a1/_search'],
      ['POST', '/a1/_count'],
      ['POST', '/a1/_validate/query'],
      ['POST', '/a1/_explain/1'],
    ] as const) {
      const { status } = await as('pattern', method, uri, { query })
      assert.equal(status, 403, `${uri} ${JSON.stringify(query)}`)
    }
    const nowhere = JSON.parse(JSON.stringify(query).replaceAll('secret1', 'nowhere'))
    assert.equal((await as('pattern', 'POST', '/a1/_search', { query: nowhere })).status, 403)
  }
  const template = {
    source: '{"query":{"terms":{"n":{"index":"{{i}}","id":"1","path":"n"}}}}',
    params: { i: 'secret1' },
  }
  assert.equal((await as('pattern', 'POST', '/a1/_search/template', template)).status, 403)
  const lines = `{"index":"a1"}\n${JSON.stringify(template)}\n`
  assert.equal((await as('pattern', 'POST', '/_msearch/template', lines)).body.responses[0].status, 403)
})

test('reindex, update by query and delete by query run with the privileges of the caller', async () => {
  const both = { indices: [{ names: ['a*'], privileges: ['read', 'write', 'create_index'] }] }
  const { authorization } = await node.keyWith('copies', both)
  const reindex = (body: unknown) => node.send(authorization, 'POST', '/_reindex?refresh=false', body)
  assert.equal((await reindex({ source: { index: 'secret1' }, dest: { index: 'a-copy' } })).status, 403)
  assert.equal((await reindex({ source: { index: 'a1' }, dest: { index: 'secret1' } })).status, 403)
  const script = { source: "ctx._index = 'secret1'" }
  const moved = await reindex({ source: { index: 'a2' }, dest: { index: 'a-copy' }, script })
  assert.equal(moved.body.failures.length > 0, true, moved.text)
  const wide = await reindex({ source: { index: '*' }, dest: { index: 'a-copy' }, max_docs: 100 })
  assert.doesNotMatch(wide.text, SECRET)
  await node.admin('POST', '/a-copy/_refresh')
  const copied = await node.admin('GET', '/a-copy/_search?size=100')
  assert.doesNotMatch(copied.text, SECRET)
  assert.equal((await node.admin('GET', '/secret1/_count')).body.count, 2)
  await node.admin('DELETE', '/a-copy')
})

test('an alias does not give its creator more privileges than its indices', async () => {
  const { authorization } = await node.keyWith('aliases', {
    indices: [
      { names: ['a*'], privileges: ['manage'] },
      { names: ['all-*'], privileges: ['all'] },
    ],
  })
  const send = (body: unknown) => node.send(authorization, 'POST', '/_aliases', body)
  assert.equal((await send({ actions: [{ add: { index: 'secret1', alias: 'a-door' } }] })).status, 403)
  assert.equal((await send({ actions: [{ add: { index: 'a1', alias: 'b-door' } }] })).status, 403)
  const wider = await send({ actions: [{ add: { index: 'a1', alias: 'all-doors' } }] })
  assert.equal(
    wider.body.error.reason,
    'Adding an alias is not allowed when the alias has more permissions than any of the indices',
  )
  assert.equal((await node.send(authorization, 'PUT', '/a-fresh', { aliases: { 'b-door': {} } })).status, 403)
  assert.equal((await node.send(authorization, 'PUT', '/a1/_alias/a-door', { index: 'secret1' })).status, 403)
  assert.equal((await send({ actions: [{ remove: { index: '*', alias: '*' } }] })).status === 500, false)
  assert.equal((await node.send(node.elastic, 'HEAD', '/secret2/_alias/hidden-alias')).status, 200)
})

test('a document that a pipeline redirects to another index needs write privileges there', async () => {
  await node.admin('PUT', '/_ingest/pipeline/elsewhere', {
    processors: [{ set: { field: '_index', value: 'secret1' } }],
  })
  const written = await as('writer', 'PUT', '/a1/_doc/88?pipeline=elsewhere', { x: 1 })
  assert.equal(written.status, 403)
  const { body } = await as(
    'writer',
    'POST',
    '/_bulk?pipeline=elsewhere',
    '{"index":{"_index":"a1","_id":"88"}}\n{"x":1}\n',
  )
  assert.equal(body.items[0].index.status, 403)
  assert.equal((await node.send(node.elastic, 'GET', '/secret1/_doc/88')).status, 404)
})

test('open contexts are listed to the users who opened them, and all contexts to users with monitor', async () => {
  const opened = async (user: string) => (await as(user, 'POST', '/a1/_pit?keep_alive=1m')).body.id as string
  await node.userWith('other', { indices: [{ names: ['a*'], privileges: READ }] })
  await node.userWith('reader', { indices: [{ names: ['a*'], privileges: READ }] })
  const [own, foreign] = [await opened('reader'), await opened('other')]
  const listed = async (user: string) =>
    (await as(user, 'GET', '/_sandpiper/contexts')).body.contexts.map(({ id }: { id: string }) => id)
  assert.deepEqual(await listed('reader'), [own])
  assert.deepEqual(await listed('other'), [foreign])
  assert.ok((await listed('pattern')).includes(foreign))
  for (const id of [own, foreign]) await node.admin('DELETE', '/_pit', { id })
})

test('the error for too many scrolls lists the scrolls of the caller only', async () => {
  await node.userWith('scroller', { indices: [{ names: ['a*'], privileges: READ }] })
  await node.userWith('neighbour', { indices: [{ names: ['a*'], privileges: READ }] })
  const scroll = (user: string) => as(user, 'POST', '/a1/_search?scroll=1m', {})
  const first = await scroll('scroller')
  const second = await scroll('neighbour')
  await node.admin('PUT', '/_cluster/settings', { persistent: { 'search.max_open_scroll_context': 2 } })
  const { status, text } = await scroll('scroller')
  await node.admin('PUT', '/_cluster/settings', { persistent: { 'search.max_open_scroll_context': null } })
  assert.equal(status, 429)
  assert.ok(text.includes(first.body._scroll_id), text)
  assert.ok(!text.includes(second.body._scroll_id), text)
})

test('the failure store of a data stream needs a privilege of its own', async () => {
  await node.admin('PUT', '/_data_stream/a-stream/_options', { failure_store: { enabled: true } })
  await node.admin('POST', '/a-stream/_doc?refresh=true', { '@timestamp': 'x' })
  const [index] = (await node.admin('GET', '/_data_stream/a-stream')).body.data_streams[0].failure_store.indices
  await node.userWith('failures', { indices: [{ names: ['a-stream'], privileges: ['read_failure_store'] }] })
  await node.userWith('everything', { indices: [{ names: ['*'], privileges: ['read'] }] })
  await node.userWith('all', { indices: [{ names: ['*'], privileges: ['all'] }] })
  const seen = async (user: string, uri: string) => {
    const { status, body } = await as(user, 'GET', uri)
    return status === 200 ? body.hits.total.value : status
  }
  for (const [user, failures, data] of [
    ['failures', 1, 403],
    ['stream', 403, 1],
    ['everything', 403, 1],
    ['all', 1, 1],
  ] as const) {
    assert.equal(await seen(user, '/a-stream::failures/_search'), failures, user)
    assert.equal(await seen(user, `/${index.index_name}/_search`), failures, user)
    assert.equal(await seen(user, '/a-stream/_search'), data, user)
    const wide = failures === 1 ? 1 : 0
    assert.equal(await seen(user, '/a*::failures/_search'), wide, user)
    assert.equal(await seen(user, '/.fs-*/_search'), wide, user)
  }
  const { body } = await as('everything', 'GET', '/*/_search?expand_wildcards=all&size=100')
  assert.ok(body.hits.hits.every(({ _index }: Hit) => !_index.startsWith('.fs-')))
  assert.equal((await as('failures', 'POST', '/a-stream::failures/_rollover')).status, 403)
})
