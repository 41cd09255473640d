import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startSearch, type TestSearch } from '../../../testing/index.ts'

// Goal: a lazy rollover happens with the next write, once, and what the stream prints agrees. Method: requests to a node in memory.
let search: TestSearch
before(async () => {
  search = await startSearch({ listen: false })
  const template = { settings: { 'index.lifecycle.name': 'first' } }
  await ask('PUT', '/_index_template/t', {
    index_patterns: ['ds*'],
    data_stream: {},
    template: { ...template, data_stream_options: { failure_store: { enabled: true } } },
  })
  for (const name of ['ds', 'ds-failing', 'ds-settings', 'ds-empty']) await ask('PUT', `/_data_stream/${name}`)
})
after(() => search.stop())

// biome-ignore lint/suspicious/noExplicitAny: members of answers are read by their names
type Body = any
const ask = async (method: string, path: string, body?: unknown): Promise<{ status: number; body: Body }> =>
  await search.request(method as 'GET', path, body as never)
const stream = async (name: string) => (await ask('GET', `/_data_stream/${name}`)).body.data_streams[0]
const document = { '@timestamp': '2026-01-01T00:00:00Z' }

test('a lazy rollover marks the stream, and the next write rolls it over once', async () => {
  const { body } = await ask('POST', '/ds/_rollover?lazy=true')
  assert.deepEqual(
    [body.acknowledged, body.rolled_over, body.lazy, body.old_index, body.new_index],
    [true, false, true, null, null],
  )
  assert.deepEqual([(await stream('ds')).rollover_on_write, (await stream('ds')).indices.length], [true, 1])
  const writes = Array.from({ length: 4 }, () => ask('POST', '/ds/_bulk', [{ create: {} }, document]))
  for (const { body } of await Promise.all(writes)) assert.match(body.items[0].create._index, /-000002$/)
  assert.deepEqual([(await stream('ds')).rollover_on_write, (await stream('ds')).indices.length], [false, 2])
})

test('a rollover by request takes the mark away, and a dry run sets none', async () => {
  const dry = await ask('POST', '/ds/_rollover?lazy=true&dry_run=true')
  assert.deepEqual([dry.body.dry_run, dry.body.lazy], [true, true])
  assert.equal((await stream('ds')).rollover_on_write, false)
  await ask('POST', '/ds/_rollover?lazy=true')
  await ask('POST', '/ds/_rollover')
  assert.deepEqual([(await stream('ds')).rollover_on_write, (await stream('ds')).generation], [false, 3])
})

test('the failure store rolls over lazily with its next failure', async () => {
  const failing = { ...document, '@timestamp': 'no date' }
  const fail = () => ask('POST', '/ds-failing/_bulk', [{ create: {} }, failing])
  const first = (await fail()).body.items[0].create._index
  await ask('POST', '/ds-failing::failures/_rollover?lazy=true')
  assert.equal((await stream('ds-failing')).failure_store.rollover_on_write, true)
  assert.notEqual((await fail()).body.items[0].create._index, first)
  const { failure_store, indices } = await stream('ds-failing')
  assert.deepEqual([failure_store.rollover_on_write, failure_store.indices.length, indices.length], [false, 2, 1])
})

test('conditions, aliases and empty failure stores are refused as in Elasticsearch', async () => {
  const conditions = { conditions: { max_docs: 1 } }
  await ask('PUT', '/plain-000001', { aliases: { plain: {} } })
  const refused: [path: string, body: unknown, reason: RegExp][] = [
    ['/plain/_rollover?lazy=true', undefined, /^Lazy rollover can be applied only on a data stream\. Please remove/],
    [
      '/plain/_rollover?lazy=true',
      conditions,
      /^Lazy rollover can be applied only on a data stream with no conditions\./,
    ],
    ['/ds/_rollover?lazy=true', conditions, /^Lazy rollover can be used only without any conditions\. Please remove/],
    ['/ds-empty::failures/_rollover', conditions, /empty failure store is only supported without conditions\.$/],
  ]
  for (const [path, body, reason] of refused) {
    const { status, body: answer } = await ask('POST', path, body)
    assert.equal(status, 400)
    assert.match(answer.error.reason, reason)
  }
})

test('a setting of a stream that is set to null is that of the template again, in existing indices too', async () => {
  const policyOf = async () => {
    const settings: Body[] = Object.values((await ask('GET', '/ds-settings/_settings')).body)
    return settings[0].settings.index.lifecycle?.name
  }
  await ask('PUT', '/_data_stream/ds-settings/_settings', { index: { lifecycle: { name: 'second' } } })
  assert.equal(await policyOf(), 'second')
  assert.deepEqual((await stream('ds-settings')).settings, { index: { lifecycle: { name: 'second' } } })
  await ask('PUT', '/_data_stream/ds-settings/_settings', { index: { lifecycle: { name: null } } })
  assert.equal(await policyOf(), 'first')
  assert.deepEqual((await stream('ds-settings')).settings, {})
})

test('verbose=true shows the newest timestamp of each stream', async () => {
  await ask('POST', '/ds/_refresh')
  const { data_streams: streams } = (await ask('GET', '/_data_stream/ds,ds-empty?verbose=true')).body
  const shown = Object.fromEntries(streams.map((one: Body) => [one.name, one.maximum_timestamp]))
  assert.deepEqual(shown, { ds: Date.parse(document['@timestamp']), 'ds-empty': 0 })
})

test('a rollover says whether the new index has the copies that it should wait for', async () => {
  await ask('PUT', '/copies-1', { aliases: { copies: {} } })
  const acknowledged = async (target: string, wanted: string) =>
    (await ask('POST', `/${target}/_rollover?wait_for_active_shards=${wanted}`)).body.shards_acknowledged
  for (const target of ['copies', 'ds-empty']) {
    const given = [await acknowledged(target, '1'), await acknowledged(target, '2'), await acknowledged(target, 'all')]
    assert.deepEqual(given, [true, false, false], target)
  }
  assert.equal((await ask('POST', '/copies/_rollover?wait_for_active_shards=many')).status, 400)
})
