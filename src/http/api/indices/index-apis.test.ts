import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startSearch, type TestSearch } from '../../../testing/index.ts'

// Goal: the index endpoints as a client sees them, on an in-memory node.
let search: TestSearch
before(async () => {
  search = await startSearch({ listen: false })
})
after(() => search.stop())

/** Status and body in one line, so that a case reads as request and response. */
async function ask(method: string, path: string, body?: unknown): Promise<string> {
  const answer = await search.request(method, path, body)
  return answer.body === undefined ? String(answer.status) : `${answer.status} ${JSON.stringify(answer.body)}`
}

test('an index is created, shown, closed, opened and deleted', async () => {
  const definition = { settings: { number_of_replicas: 0 }, mappings: { properties: { k: { type: 'keyword' } } } }
  assert.equal(
    await ask('PUT', '/life', definition),
    '200 {"acknowledged":true,"shards_acknowledged":true,"index":"life"}',
  )
  assert.match(await ask('PUT', '/life'), /^400 .*resource_already_exists_exception/)
  assert.equal(await ask('HEAD', '/life'), '200')
  assert.equal(await ask('GET', '/life/_mapping'), '200 {"life":{"mappings":{"properties":{"k":{"type":"keyword"}}}}}')
  assert.equal(
    await ask('POST', '/life/_close'),
    '200 {"acknowledged":true,"shards_acknowledged":true,"indices":{"life":{"closed":true}}}',
  )
  assert.match(await ask('GET', '/life/_search'), /^400 .*index_closed_exception/)
  assert.equal(await ask('POST', '/life/_open'), '200 {"acknowledged":true,"shards_acknowledged":true}')
  assert.equal(await ask('POST', '/life/_refresh'), '200 {"_shards":{"total":1,"successful":1,"failed":0}}')
  assert.equal(await ask('DELETE', '/life'), '200 {"acknowledged":true}')
  assert.equal(await ask('HEAD', '/life'), '404')
})

test('an invalid request changes nothing', async () => {
  assert.match(
    await ask('PUT', '/mistake?tiemout=1s'),
    /unrecognized parameter: \[tiemout\] -> did you mean \[timeout\]\?/,
  )
  assert.match(
    await ask('PUT', '/mistake', { settings: { number_of_shard: 1 } }),
    /did you mean \[index\.number_of_shards\]/,
  )
  assert.match(
    await ask('PUT', '/mistake', { aliases: { a: { filter: { nope: {} } } } }),
    /failed to parse filter for alias/,
  )
  const mappings = { properties: { at: { type: 'date' } } }
  const filter = { bool: { must: [{ term: { at: 'never' } }] } }
  assert.match(
    await ask('PUT', '/mistake', { mappings, aliases: { a: { filter } } }),
    /^400 .*failed to parse filter for alias \[a\].*failed to parse date field \[never\]/,
  )
  assert.match(
    await ask('PUT', '/mistake', { settings: { 'analysis.analyzer.mine': null } }),
    /setting \[index\.analysis\.analyzer\.mine\] because of a missing '\.'/,
  )
  assert.equal(await ask('HEAD', '/mistake'), '404')
})

test('a filter with a value that its field cannot have is refused for an alias of an index', async () => {
  await ask('PUT', '/dated', { mappings: { properties: { at: { type: 'date' }, n: { type: 'long' } } } })
  const add = (filter: unknown) => ask('PUT', '/dated/_alias/some', { filter })
  assert.match(await add({ range: { at: { gte: 'x' } } }), /^400 .*failed to parse filter for alias \[some\]/)
  assert.match(await add({ term: { n: 'x' } }), /^400 .*failed to parse filter for alias \[some\]/)
  assert.match(await add({ range: { at: { gte: 'now-1d' } } }), /^200/)
  await ask('DELETE', '/dated')
})

test('a join field checks its meta and does not keep it', async () => {
  const join = (meta: unknown) => ({
    mappings: { properties: { j: { type: 'join', relations: { a: 'b' }, meta } } },
  })
  assert.match(await ask('PUT', '/family', join({ unit: 1 })), /\[meta\] values can only be strings/)
  await ask('PUT', '/family', join({ unit: 'ms' }))
  const shown = '{"type":"join","eager_global_ordinals":true,"relations":{"a":"b"}}'
  assert.equal(await ask('GET', '/family/_mapping'), `200 {"family":{"mappings":{"properties":{"j":${shown}}}}}`)
  await ask('DELETE', '/family')
})

test('an alias with a filter restricts a search', async () => {
  await search.request('PUT', '/pets/_doc/1?refresh=true', { kind: 'cat' })
  await search.request('PUT', '/pets/_doc/2?refresh=true', { kind: 'dog' })
  const filter = { term: { 'kind.keyword': 'cat' } }
  assert.equal(await ask('PUT', '/pets/_alias/cats', { filter }), '200 {"acknowledged":true,"errors":false}')
  assert.match(await ask('GET', '/cats/_count'), /^200 {"count":1,/)
  assert.match(await ask('GET', '/pets,cats/_count'), /^200 {"count":2,/)
  assert.equal(await ask('GET', '/_alias/cows'), '404 {"error":"alias [cows] missing","status":404}')
})

test('a data stream is created by its first document', async () => {
  await search.request('PUT', '/_index_template/metrics', { index_patterns: ['metrics-*'], data_stream: {} })
  const written = await search.request('POST', '/metrics-cpu/_doc', { '@timestamp': '2024-01-01T00:00:00Z', load: 1 })
  assert.match(written.body._index, /^\.ds-metrics-cpu-\d{4}\.\d{2}\.\d{2}-000001$/)
  assert.match(
    await ask('POST', '/metrics-cpu/_doc', { load: 1 }),
    /data stream timestamp field \[@timestamp\] is missing/,
  )
  assert.match(await ask('PUT', '/metrics-cpu/_doc/1', { '@timestamp': 0 }), /only write ops with an op_type of create/)
  assert.match(await ask('POST', '/metrics-cpu/_rollover'), /"rolled_over":true/)
  assert.match(await ask('POST', '/metrics-cpu/_refresh'), /"successful":2/)
  assert.match(await ask('GET', '/metrics-*/_count'), /^200 {"count":1,/)
  assert.match(await ask('DELETE', '/metrics-cpu'), /^404 /)
  assert.equal(await ask('DELETE', '/_data_stream/metrics-cpu'), '200 {"acknowledged":true}')
})

test('index statistics count operations', async () => {
  await search.request('PUT', '/counted/_doc/1?refresh=true', { a: 1 })
  await search.request('POST', '/counted/_search', { stats: ['reports'] })
  const { body } = await search.request('GET', '/counted/_stats/docs,indexing,search?groups=rep*')
  assert.deepEqual(Object.keys(body._all.total), ['docs', 'indexing', 'search'])
  assert.equal(body._all.total.docs.count, 1)
  assert.equal(body._all.total.indexing.index_total, 1)
  assert.equal(body._all.total.search.groups.reports.query_total, 1)
  assert.match(await ask('GET', '/_stats/docss'), /contains unrecognized metric: \[docss\] -> did you mean \[docs\]\?/)
})

test('a force merge with wait_for_completion false runs as a task', async () => {
  await search.request('PUT', '/merged/_doc/1?refresh=true', { a: 1 })
  const { body } = await search.request('POST', '/merged/_forcemerge?max_num_segments=1&wait_for_completion=false')
  const task = await search.request('GET', `/_tasks/${body.task}?wait_for_completion=true`)
  assert.equal(task.body.completed, true)
  assert.deepEqual(task.body.response, { _shards: { total: 2, successful: 1, failed: 0 } })
  assert.match(await ask('POST', '/merged/_forcemerge'), /^200 /)
})

test("_analyze with a field uses the field's analyzer", async () => {
  await search.request('PUT', '/texts', { mappings: { properties: { t: { type: 'text', analyzer: 'simple' } } } })
  const { body } = await search.request('POST', '/texts/_analyze', { field: 't', text: 'Two2 words' })
  assert.deepEqual(
    body.tokens.map(({ token }: { token: string }) => token),
    ['two', 'words'],
  )
  assert.match(await ask('POST', '/_analyze', { text: [] }), /text is missing/)
})

test('position gaps between texts are those of the field, by default those of its analyzer', async () => {
  const analysis = { analyzer: { near: { tokenizer: 'standard', position_increment_gap: 3 } } }
  const properties = {
    plain: { type: 'text' },
    near: { type: 'text', analyzer: 'near' },
    own: { type: 'text', analyzer: 'near', position_increment_gap: 9 },
  }
  await search.request('PUT', '/gaps', { settings: { analysis }, mappings: { properties } })
  const positions = async (field: string) => {
    const { body } = await search.request('POST', '/gaps/_analyze', { field, text: ['a b', 'c'] })
    return body.tokens.map(({ position }: { position: number }) => position)
  }
  assert.deepEqual(await positions('plain'), [0, 1, 102])
  assert.deepEqual(await positions('near'), [0, 1, 5])
  assert.deepEqual(await positions('own'), [0, 1, 11])
})

test('a null setting of a new index removes the value of its template, is shown, and disappears with an update', async () => {
  await ask('PUT', '/_component_template/nulls', {
    template: { settings: { refresh_interval: '7s', max_result_window: 50 } },
  })
  await ask('PUT', '/_index_template/nulls', {
    index_patterns: ['nulls*'],
    composed_of: ['nulls'],
    template: { settings: { refresh_interval: null } },
  })
  await ask('PUT', '/nulls1', { settings: { max_result_window: null } })
  const only = 'filter_path=*.*.index.refresh_interval,*.*.index.max_result_window'
  const settings = `/nulls1/_settings?include_defaults=true&${only}`
  assert.equal(
    await ask('GET', settings),
    '200 {"nulls1":{"settings":{"index":{"max_result_window":null,"refresh_interval":null}}}}',
  )
  await ask('PUT', '/nulls1/_settings?preserve_existing=true', { refresh_interval: '3s' })
  assert.match(await ask('GET', settings), /"refresh_interval":null/)
  await ask('PUT', '/nulls1/_settings', { refresh_interval: '3s', max_result_window: null })
  assert.equal(
    await ask('GET', settings),
    '200 {"nulls1":{"settings":{"index":{"refresh_interval":"3s"}},"defaults":{"index":{"max_result_window":"10000"}}}}',
  )
})

test('an index without a number of shards or copies, or with a private or unknown null setting, is rejected', async () => {
  const reason = async (name: string) =>
    ((await search.request('PUT', '/none', { settings: { [name]: null } })).body as { error: { reason: string } }).error
      .reason
  assert.equal(
    await reason('number_of_shards'),
    'you must set the number of shards before setting/reading primary terms',
  )
  assert.match(await reason('number_of_replicas'), /^Cannot invoke "java.lang.Integer.intValue\(\)"/)
  assert.match(await reason('version.created'), /private index setting/)
  assert.match(await reason('nonsense'), /^unknown setting \[index.nonsense\]/)
})

test('removing aliases fails with 404 if none of the actions finds one', async () => {
  await ask('PUT', '/aliased', { aliases: { present: {} } })
  const remove = (alias: string) => ({ remove: { index: 'aliased', alias, must_exist: false } })
  const body = (...actions: object[]) => ask('POST', '/_aliases', { actions })
  assert.match(await body(remove('none'), remove('nope')), /^404 .*aliases \[nope, none\] missing/)
  assert.match(await body(remove('none'), remove('present')), /^200 .*"errors":true/)
})

test('a rollover condition on documents drops the fraction of its number', async () => {
  await ask('PUT', '/rolled-000001', { aliases: { rolled: { is_write_index: true } } })
  assert.match(
    await ask('POST', '/rolled/_rollover?dry_run=true', { conditions: { max_docs: 1.5 } }),
    /^200 .*"\[max_docs: 1\]":false/,
  )
})

test('an index may be removed twice in a list of alias actions', async () => {
  await ask('PUT', '/twice')
  const removal = { remove_index: { index: 'twice' } }
  assert.match(await ask('POST', '/_aliases', { actions: [removal, removal] }), /^200 /)
})

test('an index that a list of alias actions removes can neither get nor lose an alias in it', async () => {
  await ask('PUT', '/going-1', { aliases: { gone: {} } })
  await ask('PUT', '/going-2')
  const removal = { remove_index: { index: 'going-1' } }
  for (const action of [{ add: { index: 'going-*', alias: 'new' } }, { remove: { index: 'going-*', alias: 'gone' } }]) {
    assert.match(await ask('POST', '/_aliases', { actions: [action, removal] }), /^404 .*no such index \[going-1\]/)
  }
  assert.match(await ask('GET', '/_alias/gone'), /^200 .*going-1/)
})

test('a list as the default pipeline of an index stands for its text, which names no pipeline', async () => {
  await ask('PUT', '/listed', { settings: { default_pipeline: ['a', 'b'] } })
  assert.match(await ask('PUT', '/listed/_doc/1', {}), /^400 .*pipeline with id \[\[a, b\]\] does not exist/)
})

test('the routing of an alias may be any value in the body of its own request', async () => {
  await ask('PUT', '/routed')
  await ask('PUT', '/routed/_alias/by-flag', { routing: true })
  assert.match(await ask('GET', '/routed/_alias/by-flag'), /"index_routing":"true","search_routing":"true"/)
})

test('the sizes of an index sort are checked before the mapping', async () => {
  const properties = { f: { type: 'nonsense' } }
  const answer = await ask('PUT', '/unsorted', { settings: { 'sort.order': 'desc' }, mappings: { properties } })
  assert.match(answer, /^400 .*index.sort.field:\[\] index.sort.order:\[desc\], size mismatch/)
})

test('templates with the same priority conflict before their settings are checked, and are listed in hash order', async () => {
  await ask('PUT', '/_index_template/rival-b', { index_patterns: ['rival*'] })
  const second = { index_patterns: ['rival-x'], template: { settings: { nonsense: 1 } } }
  assert.match(await ask('PUT', '/_index_template/rival-c', second), /that have the same priority \[0\]/)
  await ask('PUT', '/_index_template/rival-a', { index_patterns: ['rival*'], priority: 2 })
  const names = await ask('GET', '/_index_template/rival-*?filter_path=index_templates.name')
  assert.equal(names, '200 {"index_templates":[{"name":"rival-b"},{"name":"rival-a"}]}')
})

test('an existing index is reported before a store type that does not exist', async () => {
  await search.request('PUT', '/twice')
  const { body } = await search.request('PUT', '/twice', { settings: { 'store.type': 'nope' } })
  assert.equal(body.error.type, 'resource_already_exists_exception')
})

test('_field_caps checks runtime fields before filters, and both after the names of fields', async () => {
  await search.request('PUT', '/caps')
  const reason = async (query: string) =>
    (await search.request('POST', `/caps/_field_caps?${query}`, { runtime_mappings: { e: -1 } })).body.error.reason
  assert.match(await reason('fields=*&filters=x'), /^Expected map for runtime field \[e\]/)
  assert.match(await reason('filters=x'), /no fields specified/)
})

test('active_only shows no recovery, because each is done, and other copies never come for wait_for_active_shards', async () => {
  await ask('PUT', '/waiting', { settings: { number_of_replicas: 0 } })
  assert.equal(await ask('GET', '/waiting/_recovery?active_only=true'), '200 {}')
  assert.match(await ask('GET', '/waiting/_recovery?active_only=false'), /^200 {"waiting":{"shards":\[/)
  assert.equal((await search.request('GET', '/_cat/recovery/waiting?active_only=true')).text, '')
  assert.equal((await search.request('GET', '/_cat/recovery/waiting?h=index,stage')).text, 'waiting done\n')
  const wrong = 'cannot parse ActiveShardCount[x]'
  assert.ok((await ask('POST', '/waiting/_open?wait_for_active_shards=x')).startsWith('400 '))
  assert.ok((await ask('POST', '/waiting/_open?wait_for_active_shards=x')).includes(wrong))
  assert.equal(
    await ask('POST', '/waiting/_close?wait_for_active_shards=2'),
    '200 {"acknowledged":true,"shards_acknowledged":false,"indices":{"waiting":{"closed":true}}}',
  )
  const open = (count: string) => ask('POST', `/waiting/_open?wait_for_active_shards=${count}`)
  assert.equal(await open('2'), '200 {"acknowledged":true,"shards_acknowledged":false}')
  assert.equal(await open('all'), '200 {"acknowledged":true,"shards_acknowledged":true}')
})

test('the tasks of _cat have descriptions if detailed, and none has a parent', async () => {
  const header = async (query: string) => (await search.request('GET', `/_cat/tasks?v=true${query}`)).text
  assert.match(await header('&detailed=true'), / node +description\n/)
  assert.doesNotMatch(await header(''), /description/)
  assert.equal((await header('&parent_task_id=abc:1')).trim().split('\n').length, 1)
  assert.equal((await search.request('GET', '/_cat/tasks?parent_task_id=abc')).status, 400)
})
