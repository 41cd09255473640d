// A scenario of the JavaScript clients: documents, searches, every way of paging, aggregations, scripts, by-query, ingest,
// templates, data streams, cat tables, errors and the client's helpers.
//   node javascript.mjs PACKAGE URL [--auth JSON]
// Runs in a folder where PACKAGE is installed. Prints one line of JSON per step: {"step", "ok", "error"?}.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const [, , packageName, url, authFlag, authText] = process.argv
const require = createRequire(join(process.cwd(), 'scenario.cjs'))
const { Client } = require(packageName)
const { version } = JSON.parse(readFileSync(join(process.cwd(), 'node_modules', packageName, 'package.json'), 'utf8'))
const isOpenSearch = packageName.includes('opensearch')
// Clients of major 7 and of OpenSearch take the body in a member and answer with an envelope.
const hasEnvelope = isOpenSearch || version.startsWith('7.')

const client = new Client({ node: url, ...(authFlag === '--auth' ? JSON.parse(authText) : {}) })
const names = { books: 'real-books', copy: 'real-copy', logs: 'real-logs-app', nested: 'real-nested' }

/** Calls `client.search`, `client.indices.create` and so on with the parameters as this major takes them. */
async function call(method, parameters = {}, body = undefined, options = undefined) {
  const path = method.split('.')
  const owner = path.slice(0, -1).reduce((at, name) => at[name], client)
  const given = hasEnvelope
    ? { ...parameters, ...(body === undefined ? {} : { body }) }
    : Array.isArray(body)
      ? { ...parameters, [method === 'bulk' ? 'operations' : 'searches']: body }
      : { ...parameters, ...(body ?? {}) }
  const answer = await owner[path.at(-1)](given, options)
  return hasEnvelope ? answer.body : answer
}

const steps = []
const step = (name, work) => steps.push([name, work])
const documents = Array.from({ length: 250 }, (_, i) => ({
  title: `book ${i}`,
  genre: i % 3 === 0 ? 'poetry' : 'prose',
  pages: 50 + i,
  published: new Date(Date.UTC(2000, i % 12, 1 + (i % 28))).toISOString(),
}))

step('info and ping', async () => {
  assert.ok((await call('info')).version.number)
  const ping = await client.ping()
  assert.equal(hasEnvelope ? ping.body : ping, true)
})
step('create an index with settings, mappings and an alias', async () => {
  await call(
    'indices.create',
    { index: names.books },
    {
      settings: { number_of_shards: 2 },
      mappings: {
        properties: {
          title: { type: 'text', fields: { raw: { type: 'keyword' } } },
          genre: { type: 'keyword' },
          pages: { type: 'integer' },
          published: { type: 'date' },
        },
      },
      aliases: { 'real-all': {} },
    },
  )
  assert.equal(await call('indices.exists', { index: names.books }), true)
  assert.equal(await call('indices.existsAlias', { name: 'real-all' }), true)
})
step('bulk', async () => {
  const lines = documents.flatMap((document, i) => [{ index: { _index: names.books, _id: `${i}` } }, document])
  const { errors, items } = await call('bulk', { refresh: true }, lines)
  assert.equal(errors, false)
  assert.equal(items.length, documents.length)
})
step('index, get, exists, create conflict, delete', async () => {
  await call(
    'index',
    { index: names.books, id: 'one', refresh: 'wait_for' },
    hasEnvelope ? { title: 'one' } : { document: { title: 'one' } },
  )
  assert.equal((await call('get', { index: names.books, id: 'one' }))._source.title, 'one')
  assert.equal(await call('exists', { index: names.books, id: 'one' }), true)
  const create = hasEnvelope ? { title: 'one' } : { document: { title: 'one' } }
  await assert.rejects(call('create', { index: names.books, id: 'one' }, create), (error) => error.statusCode === 409)
  assert.equal((await call('delete', { index: names.books, id: 'one', refresh: true })).result, 'deleted')
})
step('update by document, script and upsert', async () => {
  await call('update', { index: names.books, id: '1' }, { doc: { pages: 99 } })
  const script = { source: 'ctx._source.pages += params.more', params: { more: 1 } }
  await call('update', { index: names.books, id: '1', refresh: true }, { script })
  assert.equal((await call('get', { index: names.books, id: '1' }))._source.pages, 100)
  await call('update', { index: names.books, id: 'new', refresh: true }, { doc: { title: 'new' }, doc_as_upsert: true })
  await call('delete', { index: names.books, id: 'new', refresh: true })
})
step('optimistic concurrency', async () => {
  const { _seq_no, _primary_term } = await call('get', { index: names.books, id: '2' })
  const stale = { index: names.books, id: '2', if_seq_no: _seq_no + 1000, if_primary_term: _primary_term }
  const body = hasEnvelope ? documents[2] : { document: documents[2] }
  await assert.rejects(call('index', stale, body), (error) => error.statusCode === 409)
})
step('mget and source filtering', async () => {
  const { docs } = await call('mget', { index: names.books, _source_includes: 'title' }, { ids: ['3', 'none'] })
  assert.deepEqual(
    docs.map(({ found }) => found),
    [true, false],
  )
  assert.deepEqual(Object.keys(docs[0]._source), ['title'])
})
step('search, highlight, sort, from and size', async () => {
  const { hits } = await call(
    'search',
    { index: 'real-all' },
    {
      query: { bool: { must: [{ match: { title: 'book' } }], filter: [{ term: { genre: 'poetry' } }] } },
      highlight: { fields: { title: {} } },
      sort: [{ pages: 'desc' }],
      from: 5,
      size: 10,
    },
  )
  assert.equal(hits.total.value, 84)
  assert.equal(hits.hits.length, 10)
  assert.match(hits.hits[0].highlight.title[0], /<em>/)
})
step('count, explain, field capabilities, validate', async () => {
  assert.equal((await call('count', { index: names.books }, { query: { term: { genre: 'prose' } } })).count, 166)
  const query = { term: { genre: 'prose' } }
  assert.equal((await call('explain', { index: names.books, id: '1' }, { query })).matched, true)
  const { fields } = await call('fieldCaps', { index: names.books, fields: 'pages' })
  assert.ok(fields.pages.integer.aggregatable)
  assert.equal((await call('indices.validateQuery', { index: names.books }, { query })).valid, true)
})
if (!isOpenSearch) {
  step('point in time and search_after to the end', async () => {
    const { id } = await call('openPointInTime', { index: names.books, keep_alive: '1m' })
    const seen = new Set()
    let after
    for (;;) {
      const page = {
        size: 60,
        pit: { id, keep_alive: '1m' },
        sort: [{ genre: 'asc' }],
        ...(after ? { search_after: after } : {}),
      }
      const { hits } = await call('search', {}, page)
      if (hits.hits.length === 0) break
      for (const { _id } of hits.hits) seen.add(_id)
      after = hits.hits.at(-1).sort
    }
    assert.equal(seen.size, documents.length)
    await call('closePointInTime', {}, { id })
  })
}
step('scroll and clear', async () => {
  const first = await call('search', { index: names.books, scroll: '1m', size: 100 })
  let [id, count] = [first._scroll_id, first.hits.hits.length]
  for (;;) {
    const page = await call('scroll', {}, { scroll_id: id, scroll: '1m' })
    if (page.hits.hits.length === 0) break
    id = page._scroll_id
    count += page.hits.hits.length
  }
  assert.equal(count, documents.length)
  assert.equal((await call('clearScroll', {}, { scroll_id: [id] })).succeeded, true)
})
step('terms, histogram, metric and pipeline aggregations', async () => {
  const { aggregations } = await call(
    'search',
    { index: names.books, size: 0 },
    {
      aggs: {
        genres: { terms: { field: 'genre' }, aggs: { pages: { avg: { field: 'pages' } } } },
        months: {
          date_histogram: { field: 'published', calendar_interval: 'month' },
          aggs: { n: { sum: { field: 'pages' } } },
        },
        best: { max_bucket: { buckets_path: 'months>n' } },
      },
    },
  )
  assert.equal(aggregations.genres.buckets.length, 2)
  assert.equal(aggregations.months.buckets.length, 12)
  assert.ok(aggregations.best.value > 0)
})
step('composite aggregation to the end', async () => {
  let [after, count] = [undefined, 0]
  for (;;) {
    const composite = { size: 40, sources: [{ page: { terms: { field: 'pages' } } }], ...(after ? { after } : {}) }
    const { aggregations } = await call('search', { index: names.books, size: 0 }, { aggs: { all: { composite } } })
    count += aggregations.all.buckets.length
    after = aggregations.all.after_key
    if (after === undefined) break
  }
  assert.ok(count >= 248)
})
step('nested and reverse_nested', async () => {
  await call(
    'indices.create',
    { index: names.nested },
    {
      mappings: {
        properties: { tags: { type: 'nested', properties: { name: { type: 'keyword' } } }, kind: { type: 'keyword' } },
      },
    },
  )
  const document = { kind: 'a', tags: [{ name: 'x' }, { name: 'y' }] }
  await call('index', { index: names.nested, refresh: true }, hasEnvelope ? document : { document })
  const { aggregations } = await call(
    'search',
    { index: names.nested, size: 0 },
    {
      aggs: {
        tags: {
          nested: { path: 'tags' },
          aggs: {
            names: {
              terms: { field: 'tags.name' },
              aggs: { back: { reverse_nested: {}, aggs: { kinds: { terms: { field: 'kind' } } } } },
            },
          },
        },
      },
    },
  )
  assert.equal(aggregations.tags.names.buckets[0].back.kinds.buckets[0].key, 'a')
})
if (!isOpenSearch) {
  step('runtime fields in search and composite', async () => {
    const { aggregations } = await call(
      'search',
      { index: names.books, size: 0 },
      {
        runtime_mappings: {
          size_class: { type: 'keyword', script: "emit(doc['pages'].value > 150 ? 'long' : 'short')" },
        },
        aggs: { classes: { composite: { sources: [{ c: { terms: { field: 'size_class' } } }] } } },
      },
    )
    assert.deepEqual(
      aggregations.classes.buckets.map(({ key }) => key.c),
      ['long', 'short'],
    )
  })
}
step('script_fields, script_score and function_score', async () => {
  const { hits } = await call(
    'search',
    { index: names.books, size: 1 },
    {
      query: { script_score: { query: { match_all: {} }, script: { source: "doc['pages'].value" } } },
      script_fields: { twice: { script: "doc['pages'].value * 2" } },
    },
  ).catch(async (error) => {
    throw error
  })
  assert.equal(hits.hits[0].fields.twice[0], hits.hits[0]._score * 2)
})
step('msearch and search template', async () => {
  const { responses } = await call('msearch', {}, [{ index: names.books }, { size: 1 }, { index: 'none' }, { size: 1 }])
  assert.equal(responses[0].hits.hits.length, 1)
  assert.equal(responses[1].status, 404)
  const template = { source: { query: { term: { genre: '{{g}}' } } }, params: { g: 'poetry' } }
  assert.equal((await call('searchTemplate', { index: names.books }, template)).hits.total.value, 84)
})
step('reindex, update by query, delete by query', async () => {
  const copied = await call(
    'reindex',
    { refresh: true },
    { source: { index: names.books }, dest: { index: names.copy } },
  )
  assert.equal(copied.created, documents.length)
  const script = { source: 'ctx._source.pages = 1' }
  const updated = await call(
    'updateByQuery',
    { index: names.copy, refresh: true },
    { query: { term: { genre: 'poetry' } }, script },
  )
  assert.equal(updated.updated, 84)
  const deleted = await call('deleteByQuery', { index: names.copy, refresh: true }, { query: { term: { pages: 1 } } })
  assert.equal(deleted.deleted, 84)
})
step('a task in the background', async () => {
  const { task } = await call(
    'reindex',
    { wait_for_completion: false },
    { source: { index: names.books }, dest: { index: `${names.copy}-2` } },
  )
  for (let tries = 0; tries < 100; tries++) {
    const { completed } = await call('tasks.get', { task_id: task })
    if (completed) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  assert.fail('the task did not end')
})
step('ingest pipeline: put, simulate, use', async () => {
  const processors = [{ set: { field: 'seen', value: true } }, { uppercase: { field: 'title' } }]
  await call('ingest.putPipeline', { id: 'real-pipeline' }, { processors })
  const { docs } = await call('ingest.simulate', { id: 'real-pipeline' }, { docs: [{ _source: { title: 'a' } }] })
  assert.equal(docs[0].doc._source.title, 'A')
  const body = hasEnvelope ? { title: 'b' } : { document: { title: 'b' } }
  await call('index', { index: names.copy, id: 'p', pipeline: 'real-pipeline', refresh: true }, body)
  assert.equal((await call('get', { index: names.copy, id: 'p' }))._source.title, 'B')
  await call('ingest.deletePipeline', { id: 'real-pipeline' })
})
step('templates and data streams', async () => {
  await call(
    'indices.putIndexTemplate',
    { name: 'real-logs' },
    { index_patterns: ['real-logs-*'], data_stream: {}, priority: 500 },
  )
  await call('indices.createDataStream', { name: names.logs })
  const document = { '@timestamp': '2026-01-01T00:00:00Z', message: 'x' }
  await call('bulk', { refresh: true }, [{ create: { _index: names.logs } }, document])
  assert.equal((await call('count', { index: names.logs })).count, 1)
  await call('indices.rollover', { alias: names.logs })
  await call('indices.deleteDataStream', { name: names.logs })
  await call('indices.deleteIndexTemplate', { name: 'real-logs' })
})
step('aliases, settings, mapping updates, analyze', async () => {
  const actions = [{ add: { index: names.books, alias: 'real-poetry', filter: { term: { genre: 'poetry' } } } }]
  await call('indices.updateAliases', {}, { actions })
  assert.equal((await call('count', { index: 'real-poetry' })).count, 84)
  await call('indices.putMapping', { index: names.books }, { properties: { extra: { type: 'keyword' } } })
  const settings = { index: { refresh_interval: '5s' } }
  await call('indices.putSettings', { index: names.books }, hasEnvelope ? settings : { settings })
  assert.equal((await call('indices.analyze', {}, { analyzer: 'standard', text: 'A b' })).tokens.length, 2)
})
step('cat tables, cluster and node statistics', async () => {
  assert.ok(Array.isArray(await call('cat.indices', { format: 'json' })))
  assert.ok(Array.isArray(await call('cat.nodes', { format: 'json' })))
  assert.ok((await call('cluster.health')).status)
  assert.ok((await call('cluster.stats')).indices)
  assert.ok(Object.values((await call('nodes.stats')).nodes)[0].jvm)
  assert.ok((await call('indices.stats', { index: names.books }))._all)
})
step('errors carry type, reason and status', async () => {
  await assert.rejects(call('search', { index: 'none' }), (error) => {
    const body = hasEnvelope ? error.meta.body : error.body
    return error.statusCode === 404 && body.error.type === 'index_not_found_exception'
  })
  await assert.rejects(
    call('search', { index: names.books }, { query: { nope: {} } }),
    (error) => error.statusCode === 400,
  )
})
step('snapshots of a node without repositories', async () => {
  assert.deepEqual(await call('snapshot.getRepository'), {})
})
step('helpers: bulk', async () => {
  const result = await client.helpers.bulk({
    datasource: documents,
    onDocument: () => ({ index: { _index: 'real-helper' } }),
    refreshOnCompletion: true,
  })
  assert.equal(result.successful, documents.length)
})
step('helpers: scrollSearch, scrollDocuments and search', async () => {
  const request = (size) => (hasEnvelope ? { index: 'real-helper', body: { size } } : { index: 'real-helper', size })
  let count = 0
  for await (const page of client.helpers.scrollSearch(request(70))) count += page.documents.length
  assert.equal(count, documents.length)
  count = 0
  for await (const document of client.helpers.scrollDocuments(request(70))) if (document.title) count++
  assert.equal(count, documents.length)
  assert.equal((await client.helpers.search(request(7))).length, 7)
})
step('helpers: msearch', async () => {
  const searches = client.helpers.msearch({ operations: 2 })
  const [one, two] = await Promise.all([
    searches.search({ index: 'real-helper' }, { size: 1 }),
    searches.search({ index: 'real-helper' }, { size: 2 }),
  ])
  searches.stop()
  assert.deepEqual([one.documents.length, two.documents.length], [1, 2])
})
step('delete indices', async () => {
  for (const index of [names.books, names.copy, `${names.copy}-2`, names.nested, 'real-helper']) {
    await call('indices.delete', { index, ignore_unavailable: true })
  }
})

for (const [name, work] of steps) {
  try {
    await work()
    console.log(JSON.stringify({ step: name, ok: true }))
  } catch (error) {
    const reason = error.meta?.body?.error?.reason ?? error.message
    console.log(JSON.stringify({ step: name, ok: false, error: String(reason).slice(0, 300) }))
  }
}
await client.close?.()
