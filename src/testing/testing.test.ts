import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type StartSearchOptions, startSearch, type TestSearch } from './index.ts'

// Goal: a test can run its own service, with or without a socket, several at a time.
test('an in-memory service answers with and without a socket', async () => {
  const [one, other] = await Promise.all([startSearch(), startSearch({ listen: false })])
  try {
    assert.match(one.url, /^http:\/\/127\.0\.0\.1:\d+$/)
    const banner = (await (await fetch(one.url)).json()) as { tagline: string; cluster_uuid: string }
    assert.equal(banner.tagline, 'You Know, for Search')
    const own = await other.request('GET', '/')
    assert.equal(own.status, 200)
    assert.notEqual(own.body.cluster_uuid, banner.cluster_uuid)
    assert.equal(other.url, '')
  } finally {
    await Promise.all([one.stop(), other.stop()])
  }
})

test('a faulty request returns an error response instead of throwing', async () => {
  const search = await startSearch({ listen: false })
  const answer = await search.request('POST', '/_cluster/health')
  assert.equal(answer.status, 405)
  assert.equal(answer.headers['allow'], 'GET')
  await search.stop()
})

test('a port in use is an error that says what to do', async () => {
  const search = await startSearch()
  const port = Number(new URL(search.url).port)
  await assert.rejects(
    startSearch({ port }),
    /^Error: port \d+ on 127\.0\.0\.1 is in use; without `port` a free one is taken$/,
  )
  await search.stop()
})

/** Runs `run` with an in-memory service without a socket. */
async function withSearch(options: StartSearchOptions, run: (search: TestSearch) => Promise<void>): Promise<void> {
  const search = await startSearch({ listen: false, ...options })
  try {
    await run(search)
  } finally {
    await search.stop()
  }
}

async function countOf(search: TestSearch, index: string): Promise<number> {
  return (await search.request('GET', `/${index}/_count`)).body.count
}

test('reset removes indices, templates and recorded requests while the socket stays open', async () => {
  const search = await startSearch({ record: true })
  try {
    for (let round = 0; round < 3; round++) {
      await search.request('PUT', '/books/_doc/1?refresh=true', { title: 'a' })
      await search.request('PUT', '/_index_template/t', { index_patterns: ['x*'] })
      assert.equal(await countOf(search, 'books'), 1)
      await search.reset()
      assert.equal(search.requests.length, 0)
      assert.equal((await search.request('GET', '/books')).status, 404)
      assert.equal((await search.request('GET', '/_index_template/t')).status, 404)
      assert.equal((await fetch(`${search.url}/_cat/indices?format=json`)).status, 200)
    }
  } finally {
    await search.stop()
  }
})

test('a snapshot restores documents, mappings and aliases any number of times', async () => {
  await withSearch({}, async (search) => {
    await search.request('PUT', '/books', {
      mappings: { properties: { tag: { type: 'keyword' } } },
      aliases: { all: {} },
    })
    const lines = Array.from({ length: 500 }, (_, i) => [
      { index: { _id: String(i) } },
      { tag: `t${i % 7}`, n: i },
    ]).flat()
    await search.request('POST', '/books/_bulk', lines)
    const snapshot = await search.snapshot()
    for (let round = 0; round < 2; round++) {
      await search.request('POST', '/books/_doc?refresh=true', { tag: 'later' })
      await search.request('DELETE', '/books/_doc/3?refresh=true')
      await search.request('PUT', '/other')
      await search.restore(snapshot)
      assert.equal(await countOf(search, 'all'), 500)
      assert.equal((await search.request('GET', '/books/_doc/3')).body._source.n, 3)
      assert.equal((await search.request('GET', '/other')).status, 404)
      const { body } = await search.request('POST', '/books/_search', {
        size: 0,
        aggs: { t: { terms: { field: 'tag' } } },
      })
      assert.equal(body.aggregations.t.buckets.length, 7)
    }
  })
})

test('two snapshots restored in turn, at once and after a pause, each give their own documents', async () => {
  await withSearch({ refresh: 'immediate' }, async (search) => {
    await search.request('PUT', '/books/_doc/1', { n: 1 })
    const one = await search.snapshot()
    await search.request('PUT', '/books/_doc/2', { n: 2 })
    const two = await search.snapshot()
    for (const pauseMs of [0, 0, 30, 30, 0, 30]) {
      for (const [snapshot, count] of [
        [one, 1],
        [one, 1],
        [two, 2],
      ] as const) {
        await search.request('PUT', '/books/_doc/3', { n: 3 })
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
        await search.restore(snapshot)
        assert.equal(await countOf(search, 'books'), count)
      }
    }
  })
})

test('a restored snapshot is unchanged by lifecycles that ran while the clock was ahead', async () => {
  await withSearch({}, async (search) => {
    const phases = { hot: { actions: { rollover: { max_age: '7d' } } } }
    await search.request('PUT', '/_ilm/policy/weekly', { policy: { phases } })
    await search.request('PUT', '/logs-000001', {
      aliases: { logs: { is_write_index: true } },
      settings: { 'index.lifecycle.name': 'weekly', 'index.lifecycle.rollover_alias': 'logs' },
    })
    await search.request('POST', '/logs/_doc?refresh=true', { n: 1 })
    const start = search.clock.now()
    const snapshot = await search.snapshot()
    await new Promise((resolve) => setTimeout(resolve, 30))
    search.clock.advance('8d')
    await new Promise((resolve) => setTimeout(resolve, 1200))
    assert.equal((await search.request('GET', '/logs-000002')).status, 200)
    await search.restore(snapshot)
    search.clock.set(start)
    assert.equal((await search.request('GET', '/logs-000002')).status, 404)
  })
})

test('with immediate refresh every search sees the writes acknowledged before it', async () => {
  await withSearch({ refresh: 'immediate' }, async (search) => {
    for (let i = 1; i <= 3; i++) {
      await search.request('POST', '/books/_doc', { n: i })
      assert.equal(await countOf(search, 'books'), i)
    }
  })
})

test('with manual refresh documents are searchable only after a refresh', async () => {
  await withSearch({ refresh: 'manual' }, async (search) => {
    await search.request('PUT', '/books')
    await search.request('POST', '/books/_doc', { n: 1 })
    await new Promise((resolve) => setTimeout(resolve, 1200))
    assert.equal(await countOf(search, 'books'), 0)
    await search.request('POST', '/books/_refresh')
    assert.equal(await countOf(search, 'books'), 1)
  })
})

test('moving the clock expires contexts, triggers rollover by age and changes now', async () => {
  await withSearch({}, async (search) => {
    search.clock.set('2030-01-01T00:00:00Z')
    await search.request('PUT', '/logs-000001', { aliases: { logs: { is_write_index: true } } })
    await search.request('PUT', '/logs/_doc/1?refresh=true', { at: '2030-01-08T00:00:00Z' })
    const { body: pit } = await search.request('POST', '/logs/_pit?keep_alive=1m')
    const rollover = { conditions: { max_age: '7d' } }
    assert.equal((await search.request('POST', '/logs/_rollover', rollover)).body.rolled_over, false)
    search.clock.advance('8d')
    assert.equal((await search.request('POST', '/_search', { pit: { id: pit.id } })).status, 404)
    assert.equal((await search.request('POST', '/logs/_rollover', rollover)).body.rolled_over, true)
    const recent = { query: { range: { at: { gte: 'now-2d' } } } }
    assert.equal((await search.request('POST', '/logs-000001/_search', recent)).body.hits.total.value, 1)
  })
})

test('documents are seeded from the lines of an export or of a bulk request', async () => {
  await withSearch({}, async (search) => {
    const exported =
      '{"_index":"books","_id":"1","_source":{"n":9007199254740993}}\n{"_index":"books","_id":"2","_source":{}}\n'
    assert.equal(await search.seed(exported), 2)
    assert.match((await search.request('GET', '/books/_doc/1')).text, /"n":9007199254740993/)
    assert.equal(await search.seed('{"index":{"_index":"books","_id":"3"}}\n{"n":1}\n'), 1)
    assert.equal(await countOf(search, 'books'), 3)
    await assert.rejects(search.seed('{"index":{"_index":"books","_id":"4"}}\n{"n":"text"}\n'), /document 4 of books/)
  })
})

test('an exported index, template and data stream are created before their documents are seeded', async () => {
  await withSearch({}, async (search) => {
    const lines = [
      { _definition: 'index_template', name: 'logs', body: { index_patterns: ['logs-*'], data_stream: {} } },
      {
        _definition: 'index',
        name: 'books',
        mappings: { properties: { n: { type: 'keyword' } } },
        aliases: { all: {} },
      },
      { _definition: 'data_stream', name: 'logs-a' },
      { _index: 'books', _id: '1', _source: { n: '1' } },
      { _index: 'logs-a', _id: '2', _source: { '@timestamp': '2026-01-01T00:00:00Z' } },
    ]
    assert.equal(await search.seed(lines.map((line) => JSON.stringify(line)).join('\n')), 2)
    assert.equal(await countOf(search, 'all'), 1)
    assert.equal(await countOf(search, 'logs-a'), 1)
    const { body } = await search.request('GET', '/books/_mapping')
    assert.equal(body.books.mappings.properties.n.type, 'keyword')
    await assert.rejects(search.seed(JSON.stringify(lines[1])), /books cannot be created.*already exists/)
  })
})

test('unknown options, a stopped service and lines that are not JSON are refused with a message', async () => {
  const start = (options: object) => startSearch({ listen: false, ...options })
  await assert.rejects(start({ refrsh: 'immediate' }), /no option refrsh \(did you mean refresh\?\)/)
  await assert.rejects(start({ refresh: 'imediate' }), /not imediate \(did you mean immediate\?\)/)
  const search = await start({})
  await assert.rejects(search.seed('{"index":{"_index":"a"}}\nhello\n'), /line 2 of the seed is not JSON/)
  await search.stop()
  await assert.rejects(search.request('GET', '/'), /was stopped/)
  await assert.rejects(search.reset(), /was stopped/)
})

test('recorded requests have their method, path, body and status', async () => {
  await withSearch({ record: true }, async (search) => {
    await search.request('PUT', '/books/_doc/1?refresh=true', { n: 1 })
    await search.request('GET', '/missing')
    assert.deepEqual(search.requests, [
      { method: 'PUT', path: '/books/_doc/1?refresh=true', body: '{"n":1}', status: 201 },
      { method: 'GET', path: '/missing', body: '', status: 404 },
    ])
  })
})
