/**
 * Goal: field-level and document-level security hold at every endpoint that reads documents.
 * Method: a limited user sends each request to an index with hidden documents and fields. The response must equal the
 * superuser's response from a mirror index, which has the same mapping and only what the user may see. Scores are not
 * compared: as in Elasticsearch, term statistics include hidden documents.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { REQUESTS } from './limit-requests.ts'
import { type Reply, SecuredNode } from './secured-node.ts'

let node: SecuredNode

/** Part of every hidden value and field name. */
const HIDDEN = /hidden/
/** Members that repeat the request, or the definition of a visible field. */
const ECHOED = /"(?:query|explanation|reason|description|source|path)":"[^"]*"/g

const MAPPING = {
  runtime: {
    shown_rt: { type: 'keyword', script: "for (v in doc['hidden_word']) { emit(v) }" },
    shown_source_rt: {
      type: 'keyword',
      script: "def v = params._source['hidden_word']; if (v != null) { emit(v.toString()) }",
    },
  },
  properties: {
    title: { type: 'text', term_vector: 'yes', fields: { raw: { type: 'keyword' } } },
    team: { type: 'keyword' },
    n: { type: 'integer' },
    at: { type: 'date' },
    place: { type: 'geo_point' },
    kept: { type: 'keyword', store: true },
    suggest: { type: 'completion' },
    hidden_word: { type: 'keyword', store: true },
    hidden_text: { type: 'text', term_vector: 'yes' },
    hidden_number: { type: 'integer' },
    hidden_date: { type: 'date' },
    hidden_place: { type: 'geo_point' },
    hidden_bare: { type: 'keyword', doc_values: false },
    hidden_suggest: { type: 'completion' },
    object: { properties: { shown: { type: 'keyword' }, hidden: { type: 'keyword' } } },
    comments: { type: 'nested', properties: { author: { type: 'keyword' }, hidden: { type: 'keyword' } } },
  },
}

/** Fields that exist in the limited index only: their values are in the mapping, or they lead to hidden values. */
const HIDDEN_DEFINITIONS = {
  hidden_constant: { type: 'constant_keyword', value: 'hidden-constant' },
  shown_alias: { type: 'alias', path: 'hidden_word' },
  hidden_flat: { type: 'flattened' },
}

const GRANTED = [
  'title',
  'title.*',
  'team',
  'n',
  'at',
  'place',
  'place.*',
  'kept',
  'suggest',
  'object.shown',
  'comments.author',
  'shown_*',
]

const visibleFields = (i: number, team: string) => ({
  title: `common title ${i}`,
  team,
  n: i,
  at: `2026-01-0${i}T00:00:00Z`,
  place: { lat: i, lon: i },
  kept: `kept ${i}`,
  suggest: `suggested ${i}`,
  object: { shown: `shown ${i}` },
  comments: [{ author: `author ${i}` }, { author: 'everybody' }],
})

const hiddenFields = (i: number) => ({
  hidden_word: `hidden-word-${i}`,
  hidden_text: `hidden text ${i}`,
  hidden_number: i,
  hidden_date: `2026-02-0${i}`,
  hidden_place: { lat: -i, lon: -i },
  hidden_bare: `hidden-bare-${i}`,
  hidden_suggest: `hidden suggestion ${i}`,
  hidden_flat: { key: `hidden-key-${i}` },
  hidden_constant: 'hidden-constant',
})

const withHidden = (i: number, team: string) => {
  const shown = visibleFields(i, team)
  return {
    ...shown,
    ...hiddenFields(i),
    object: { ...shown.object, hidden: `hidden-object-${i}` },
    comments: shown.comments.map((comment) => ({ ...comment, hidden: `hidden-comment-${i}` })),
  }
}

/** A document that only document-level security hides: its values are in fields that all may read. */
const hiddenDocument = (i: number) => ({
  ...visibleFields(i, 'hidden-team'),
  title: `common hidden title ${i}`,
  kept: `hidden-kept-${i}`,
  object: { shown: `hidden-shown-${i}` },
  comments: [{ author: `hidden-author-${i}` }],
})

async function fill(index: string, documents: Record<string, object>): Promise<void> {
  const lines = Object.entries(documents).flatMap(([id, document]) => [
    JSON.stringify({ index: { _id: id } }),
    JSON.stringify(document),
  ])
  const { body } = await node.admin('POST', `/${index}/_bulk?refresh=true`, `${lines.join('\n')}\n`)
  assert.equal(body.errors, false, JSON.stringify(body))
}

const SETTINGS = { number_of_shards: 2 }

before(async () => {
  node = await SecuredNode.open()
  const limited = {
    ...MAPPING,
    runtime: { ...MAPPING.runtime, hidden_rt: { type: 'keyword', script: "emit('hidden-runtime')" } },
    properties: { ...MAPPING.properties, ...HIDDEN_DEFINITIONS },
  }
  await node.admin('PUT', '/by-field', { settings: SETTINGS, mappings: limited })
  for (const name of ['by-field-mirror', 'by-document', 'by-document-mirror']) {
    await node.admin('PUT', `/${name}`, { settings: SETTINGS, mappings: MAPPING })
  }
  const team = (i: number) => (i % 2 === 0 ? 'red' : 'blue')
  const each = <T>(make: (i: number) => T) => Object.fromEntries([1, 2, 3, 4, 5].map((i) => [String(i), make(i)]))
  await fill(
    'by-field',
    each((i) => withHidden(i, team(i))),
  )
  await fill(
    'by-field-mirror',
    each((i) => visibleFields(i, team(i))),
  )
  const shown = each((i) => visibleFields(i, team(i)))
  await fill('by-document', shown)
  await fill('by-document', { 'other-6': hiddenDocument(6), 'other-7': hiddenDocument(7) })
  await fill('by-document-mirror', shown)
  const privileges = ['read', 'view_index_metadata', 'monitor', 'write']
  await node.userWith('by-field', {
    cluster: ['monitor'],
    indices: [{ names: ['by-field'], privileges, field_security: { grant: GRANTED } }],
  })
  const query = { terms: { team: ['red', 'blue'] } }
  await node.userWith('by-document', { indices: [{ names: ['by-document'], privileges, query }] })
})

after(() => node.close())

/** Members that differ between equal searches of two indices. */
const UNSTABLE = new Set(['took', '_score', 'max_score', 'score', '_seq_no', '_version', '_primary_term', 'bg_count'])

function comparable(value: unknown, index: string): unknown {
  if (Array.isArray(value)) return value.map((item) => comparable(item, index))
  if (typeof value === 'string') return value.replaceAll(`${index}-mirror`, index)
  if (value === null || typeof value !== 'object') return value
  const shown = Object.entries(value).filter(([key]) => !UNSTABLE.has(key))
  return Object.fromEntries(
    shown.map(([key, member]) => [key.replaceAll(`${index}-mirror`, index), comparable(member, index)]),
  )
}

for (const user of ['by-field', 'by-document']) {
  for (const { name, method, uri, body, only, differs } of REQUESTS) {
    if (only !== undefined && only !== user) continue
    test(`${name} shows a user limited ${user === 'by-field' ? 'to fields' : 'to documents'} what the mirror index has`, async () => {
      const ask = (authorization: string, index: string): Promise<Reply> => {
        const text = body === undefined ? undefined : body.replaceAll('INDEX', index)
        return node.send(authorization, method, uri.replaceAll('INDEX', index), text)
      }
      const limited = await ask(node.login(user), user)
      assert.doesNotMatch(limited.text.replace(ECHOED, ''), HIDDEN)
      if (differs === true) {
        assert.equal(limited.status, 200, limited.text)
        return
      }
      const mirror = await ask(node.elastic, `${user}-mirror`)
      assert.equal(limited.status, mirror.status, limited.text)
      assert.deepEqual(comparable(limited.body, user), comparable(mirror.body, user))
    })
  }
}

const as = (user: string, method: string, uri: string, body?: unknown) => node.send(node.login(user), method, uri, body)
const ids = ({ body }: Reply): string[] => body.hits.hits.map(({ _id }: { _id: string }) => _id).sort()

test('a scroll keeps the limits of the search that opened it on all its pages', async () => {
  const first = await as('by-document', 'POST', '/by-document/_search?scroll=1m', { size: 3 })
  const second = await as('by-document', 'POST', '/_search/scroll', { scroll_id: first.body._scroll_id, scroll: '1m' })
  assert.deepEqual([...ids(first), ...ids(second)].sort(), ['1', '2', '3', '4', '5'])
  await as('by-document', 'DELETE', '/_search/scroll', { scroll_id: [first.body._scroll_id] })
})

test('a point in time that the superuser opened shows a limited user only what it may see', async () => {
  const { body } = await node.admin('POST', '/by-document/_pit?keep_alive=1m')
  const search = { pit: { id: body.id }, sort: ['n'], size: 10 }
  assert.equal((await node.admin('POST', '/_search', search)).body.hits.hits.length, 7)
  assert.deepEqual(ids(await as('by-document', 'POST', '/_search', search)), ['1', '2', '3', '4', '5'])
  const slices = await Promise.all(
    [0, 1].map((id) => as('by-document', 'POST', '/_search', { ...search, slice: { id, max: 2 } })),
  )
  assert.deepEqual(slices.flatMap(ids).sort(), ['1', '2', '3', '4', '5'])
  await node.admin('DELETE', '/_pit', { id: body.id })
})

test('the request cache gives each user its own response to the same request', async () => {
  const search = { size: 0, aggs: { teams: { terms: { field: 'team' } } } }
  const uri = '/by-document/_search?request_cache=true'
  const teams = ({ body }: Reply) => body.aggregations.teams.buckets.length
  for (let round = 0; round < 3; round++) {
    assert.equal(teams(await node.admin('POST', uri, search)), 3)
    assert.equal(teams(await as('by-document', 'POST', uri, search)), 2)
  }
})

test('a realtime get of a limited user sees a document that was just written', async () => {
  await node.admin('PUT', '/by-document/_doc/new', { team: 'red', n: 100 })
  await node.admin('PUT', '/by-document/_doc/new-hidden', { team: 'hidden-team', n: 100 })
  assert.equal((await as('by-document', 'GET', '/by-document/_doc/new')).status, 200)
  assert.equal((await as('by-document', 'GET', '/by-document/_doc/new-hidden')).status, 404)
  for (const id of ['new', 'new-hidden']) await node.admin('DELETE', `/by-document/_doc/${id}?refresh=true`)
})

test('requests that cannot be limited are refused with the texts of Elasticsearch', async () => {
  const refused = async (user: string, method: string, uri: string, body: unknown, reason: string) => {
    const { status, body: answer } = await as(user, method, uri, body)
    assert.deepEqual([status, answer.error?.type, answer.error?.reason], [400, 'security_exception', reason], uri)
  }
  const suggest = { s: { text: 'x', term: { field: 'title' } } }
  await refused(
    'by-document',
    'POST',
    '/by-document/_search',
    { suggest },
    "Suggest isn't supported if document level security is enabled",
  )
  await refused(
    'by-document',
    'POST',
    '/by-document/_search',
    { profile: true },
    'A search request cannot be profiled if document level security is enabled',
  )
  await refused(
    'by-document',
    'POST',
    '/by-document/_validate/query?rewrite=true',
    { query: { match_all: {} } },
    "Validate with rewrite isn't supported if document level security is enabled",
  )
  for (const user of ['by-document', 'by-field']) {
    const update = "Can't execute an update request if field or document level security is enabled"
    await refused(user, 'POST', `/${user}/_update/1`, { doc: { n: 1 } }, update)
    await refused(user, 'POST', `/${user}/_update_by_query`, undefined, update)
    const lines = `{"update":{"_id":"1"}}\n{"doc":{"n":1}}\n`
    const { body } = await as(user, 'POST', `/${user}/_bulk`, lines)
    assert.equal(
      body.items[0].update.error.reason,
      "Can't execute a bulk item request with update requests embedded if field or document level security is enabled",
    )
  }
})

test('queries of roles that refer to other documents are refused', async () => {
  const put = (query: unknown) =>
    node.send(node.elastic, 'PUT', '/_security/role/refused', {
      indices: [{ names: ['x'], privileges: ['read'], query }],
    })
  const cause = async (query: unknown) => {
    const { status, body } = await put(query)
    assert.equal(status, 400)
    assert.match(body.error.reason, /^failed to parse field 'query' for indices \[x\] at index privilege \[0\]/)
    return body.error.caused_by.reason
  }
  assert.equal(
    await cause({ terms: { a: { index: 'i', id: '1', path: 'p' } } }),
    "terms query with terms lookup isn't supported as part of a role query",
  )
  assert.equal(
    await cause({ bool: { filter: [{ has_child: { type: 'c', query: { match_all: {} } } }] } }),
    "has_child query isn't supported as part of a role query",
  )
  assert.match(await cause({ nonsense: {} }), /unknown query \[nonsense\]/)
})

test('the template of a role query is rendered for each user', async () => {
  const source = '{"term":{"team":"{{_user.metadata.team}}"}}'
  const role = { indices: [{ names: ['by-document'], privileges: ['read'], query: { template: { source } } }] }
  await node.role('templated', role)
  for (const team of ['red', 'blue']) {
    const user = { password: 'a-password', roles: ['templated'], metadata: { team } }
    await node.admin('PUT', `/_security/user/of-${team}`, user)
  }
  assert.deepEqual(ids(await as('of-red', 'GET', '/by-document/_search')), ['2', '4'])
  assert.deepEqual(ids(await as('of-blue', 'GET', '/by-document/_search')), ['1', '3', '5'])
})

test('several entries for an index are alternatives, and an entry without limits opens everything', async () => {
  const entry = (more: object) => ({ names: ['by-document'], privileges: ['read'], ...more })
  const red = entry({ query: { term: { team: 'red' } }, field_security: { grant: ['team'] } })
  const blue = entry({ query: { term: { team: 'blue' } }, field_security: { grant: ['n'] } })
  await node.userWith('two', { indices: [red, blue] })
  await node.userWith('open', { indices: [red, entry({})] })
  const two = await as('two', 'GET', '/by-document/_search')
  assert.deepEqual(ids(two), ['1', '2', '3', '4', '5'])
  assert.deepEqual(Object.keys(two.body.hits.hits[0]._source).sort(), ['n', 'team'])
  assert.equal((await as('open', 'GET', '/by-document/_search')).body.hits.total.value, 7)
})

test('an API key is limited by its own roles and by those of its owner', async () => {
  const owner = { names: ['by-document'], privileges: ['read'], query: { range: { n: { gte: 2 } } } }
  await node.userWith('owner', { cluster: ['manage_own_api_key'], indices: [owner] })
  const own = { names: ['by-document'], privileges: ['read'], query: { range: { n: { lte: 3 } } } }
  const key = { name: 'limited', role_descriptors: { own: { indices: [own] } } }
  const { body } = await as('owner', 'POST', '/_security/api_key', key)
  const found = await node.send(`ApiKey ${body.encoded}`, 'GET', '/by-document/_search')
  assert.deepEqual(ids(found), ['2', '3'])
})

test('an alias without limits shows everything, and the index behind it stays limited', async () => {
  await node.admin('POST', '/_aliases', { actions: [{ add: { index: 'by-document', alias: 'window' } }] })
  const limited = { names: ['by-document'], privileges: ['read'], query: { term: { team: 'red' } } }
  await node.userWith('aliased', { indices: [limited, { names: ['window'], privileges: ['read'] }] })
  assert.equal((await as('aliased', 'GET', '/window/_count')).body.count, 7)
  assert.equal((await as('aliased', 'GET', '/by-document/_count')).body.count, 2)
  const lines = '{"index":"window"}\n{"size":0}\n{"index":"by-document"}\n{"size":0}\n'
  const { body } = await as('aliased', 'POST', '/_msearch', lines)
  assert.deepEqual(
    body.responses.map((one: { hits: { total: { value: number } } }) => one.hits.total.value),
    [7, 2],
  )
})

test('the changes of an index are refused to a user from whom parts of it are hidden', async () => {
  for (const user of ['by-field', 'by-document']) {
    const { status, text } = await as(user, 'GET', `/${user}/_sandpiper/changes?from=0`)
    assert.equal(status, 403, text)
    assert.match(text, /are not available with field or document level security/)
    assert.doesNotMatch(text, HIDDEN)
  }
})
