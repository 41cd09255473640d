import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ApiError } from '../../base/api-error.ts'
import type { IndexMetadata } from '../metadata/metadata.ts'
import { MetadataStore } from '../metadata/metadata-store.ts'
import { ClusterSettingsService } from './cluster-settings-service.ts'
import { flattenSettings, nestSettings, withIndexPrefix } from './flat-settings.ts'
import { applyUpdate, checkNewIndexSettings, checkUpdate, indexSettings, staticNames } from './update-settings.ts'

const complaint = (work: () => unknown): string => {
  try {
    work()
    return ''
  } catch (error) {
    assert(error instanceof ApiError)
    return error.message
  }
}

const flat = (value: unknown) => withIndexPrefix(flattenSettings(value))

test('nested, dotted and mixed settings are equivalent', () => {
  const expected = {
    'index.number_of_shards': '2',
    'index.analysis.filter.s.stopwords': ['a', 'b'],
    'index.hidden': 'true',
  }
  assert.deepEqual(
    flat({ index: { number_of_shards: 2, 'analysis.filter': { s: { stopwords: ['a', 'b'] } } }, hidden: true }),
    expected,
  )
  assert.deepEqual(
    flat({ 'index.number_of_shards': '2', analysis: { filter: { 's.stopwords': ['a', 'b'] } }, 'index.hidden': true }),
    expected,
  )
})

// Goal: a client reads back what it wrote, in either form.
test('nesting and flattening settings are inverse', () => {
  const key = fc.stringMatching(/^[a-d]{1,2}$/)
  const tree = fc.letrec((tie) => ({
    node: fc.dictionary(key, fc.oneof({ maxDepth: 3 }, fc.string(), tie('node')), { minKeys: 1, maxKeys: 3 }),
  })).node
  fc.assert(
    fc.property(tree, (value) => {
      const once = flattenSettings(value)
      assert.deepEqual(flattenSettings(nestSettings(once as Record<string, string>)), once)
    }),
  )
})

test('settings of a new index are validated one by one', () => {
  const cases: [Record<string, string>, string][] = [
    [{ 'index.number_of_shards': '0' }, 'Failed to parse value [0] for setting [index.number_of_shards] must be >= 1'],
    [
      { 'index.number_of_shards': '1025' },
      'Failed to parse value [1025] for setting [index.number_of_shards] must be <= 1024',
    ],
    [{ 'index.number_of_shards': 'x' }, 'Failed to parse value [x] for setting [index.number_of_shards]'],
    [
      { 'index.number_of_shard': '1' },
      'unknown setting [index.number_of_shard] did you mean [index.number_of_shards]?',
    ],
    [
      { 'index.refresh_interval': 'abc' },
      'failed to parse setting [index.refresh_interval] with value [abc] as a time value: unit is missing or unrecognized',
    ],
    [{ 'index.hidden': 'yes' }, 'Failed to parse value [yes] as only [true] or [false] are allowed.'],
    [
      { 'index.translog.sync_interval': '1ms' },
      'failed to parse value [1ms] for setting [index.translog.sync_interval], must be >= [100ms]',
    ],
    [
      { 'index.version.created': '1' },
      'Validation Failed: 1: private index setting [index.version.created] can not be set explicitly;',
    ],
    [{ 'index.store.type': 'nope' }, 'Unknown store type [nope]'],
    [
      { 'index.store.type': 'nope', 'index.refresh_interval': 'x' },
      'failed to parse setting [index.refresh_interval] with value [x] as a time value: unit is missing or unrecognized',
    ],
    [{ 'index.sort.mode': 'avg' }, 'Illegal index sort mode:[AVG], must be one of [MAX, MIN]'],
    [
      { 'index.merge.scheduler.max_thread_count': '8', 'index.merge.scheduler.max_merge_count': '2' },
      'maxThreadCount (= 8) should be <= maxMergeCount (= 2)',
    ],
    [{ 'index.analysis.analyzer.a.type': 'standard', 'index.routing.allocation.require.box': 'hot' }, ''],
  ]
  for (const [settings, text] of cases)
    assert.equal(
      complaint(() => checkNewIndexSettings(settings)),
      text,
    )
})

test('every default is valid', () => {
  const odd = new Set(['index.time_series.start_time', 'index.time_series.end_time', 'index.routing_path'])
  for (const [name, value] of Object.entries(indexSettings.defaults({}))) {
    if (!odd.has(name)) assert.doesNotThrow(() => indexSettings.find(name)!.check(value, name), name)
  }
})

test("whether an index accepts a setting depends on its state and the setting's scope", () => {
  const index = {
    name: 'i',
    settings: { 'index.max_result_window': '5', 'index.number_of_replicas': '0', 'index.codec': 'default' },
  } as unknown as IndexMetadata
  const change = (update: Record<string, string | null>, preserveExisting = false) =>
    applyUpdate(index, update, { preserveExisting, allowStatic: true })

  assert.equal(change({ 'index.max_result_window': null })['index.max_result_window'], undefined)
  assert.equal(change({ 'index.max_result_window': '7' }, true)['index.max_result_window'], '5')
  assert.equal(change({ 'index.number_of_replicas': null })['index.number_of_replicas'], '1')
  assert.deepEqual(Object.keys(change({ 'index.*': null })), ['index.codec', 'index.number_of_replicas'])
  assert.equal(
    complaint(() => change({ 'index.number_of_shards': '3' })),
    'final i setting [index.number_of_shards], not updateable',
  )
  assert.deepEqual(staticNames({ 'index.codec': 'x', 'index.refresh_interval': '1s' }), ['index.codec'])
  assert.match(
    complaint(() => checkUpdate({ 'index.uuid': 'x' })),
    /^unknown setting \[index\.uuid\]/,
  )
  assert.equal(
    complaint(() => checkUpdate({ 'index.version.created': '1' })),
    'can not update private setting [index.version.created]; this setting is managed by Elasticsearch',
  )
})

test('a transient cluster setting overrides a persistent one, which overrides the default', async () => {
  const settings = new ClusterSettingsService(MetadataStore.open(undefined), {})
  const put = (body: unknown) => settings.put(body, { flatSettings: true })
  assert.equal(settings.value('search.max_buckets'), '65536')
  await put({ persistent: { 'search.max_buckets': 10 }, transient: { search: { max_buckets: 20 } } })
  assert.equal(settings.value('search.max_buckets'), '20')
  await put({ transient: { 'search.*': null } })
  assert.equal(settings.value('search.max_buckets'), '10')
  assert.deepEqual(settings.get({ flatSettings: true, includeDefaults: false }), {
    persistent: { 'search.max_buckets': '10' },
    transient: {},
  })
  await assert.rejects(put({ persistent: { 'foo.bar': 1 } }), {
    message: 'persistent setting [foo.bar], not recognized',
  })
  await assert.rejects(put({ transient: { 'http.port': 1 } }), {
    message: 'transient setting [http.port], not dynamically updateable',
  })
  await assert.rejects(put({}), { message: 'Validation Failed: 1: no settings to update;' })
})
