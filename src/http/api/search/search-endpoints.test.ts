import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startSearch, type TestSearch } from '../../../testing/index.ts'

// Goal: the small endpoints around a search, as a client sees them, on an in-memory node.
let search: TestSearch
before(async () => {
  search = await startSearch({ listen: false })
  const properties = { tag: { type: 'keyword' }, ip: { type: 'ip' }, message: { type: 'text' } }
  await search.request('PUT', '/logs', { settings: { number_of_shards: 2 }, mappings: { properties } })
  const tags = ['food', 'Foot', 'fast', 'élan']
  for (const [i, tag] of tags.entries()) {
    await search.request('PUT', `/logs/_doc/${i}?refresh=true`, { tag, ip: `10.0.0.${i}`, message: `${tag} news` })
  }
  const alias = { index: 'logs', alias: 'few', filter: { term: { tag: 'food' } }, routing: '1' }
  await search.request('POST', '/_aliases', { actions: [{ add: alias }] })
})
after(() => search.stop())

/** The response, or the part of it at a path of dotted names and numbers. */
async function ask(method: string, path: string, body?: unknown, part = ''): Promise<unknown> {
  let value: unknown = (await search.request(method, path, body)).body
  for (const name of part.split('.').filter(Boolean)) value = (value as Record<string, unknown>)[name]
  return value
}

const terms = (body: Record<string, unknown>, index = 'logs') =>
  ask('POST', `/${index}/_terms_enum`, body, 'terms') as Promise<string[]>
const reason = (method: string, path: string, body?: unknown) =>
  ask(method, path, body, 'error.reason') as Promise<string>

test('_terms_enum completes a prefix over all shards', async () => {
  assert.deepEqual(await terms({ field: 'tag' }), ['Foot', 'fast', 'food', 'élan'])
  assert.deepEqual(await terms({ field: 'tag', string: 'fo' }), ['food'])
  assert.deepEqual(await terms({ field: 'tag', string: 'fo', case_insensitive: true }), ['Foot', 'food'])
  assert.deepEqual(await terms({ field: 'tag', search_after: 'fast', size: 1 }), ['food'])
  assert.deepEqual(await terms({ field: 'ip', string: '10.0.0.1' }), ['10.0.0.1'])
  // Terms of text fields and of documents outside an alias filter are not listed.
  assert.deepEqual(await terms({ field: 'message' }), [])
  assert.equal((await terms({ field: 'tag' }, 'few')).length, 4)
})

test('_terms_enum rejects a request without a field', async () => {
  assert.match(await reason('POST', '/logs/_terms_enum', {}), /field cannot be null/)
  assert.match(await reason('POST', '/logs/_terms_enum', { field: 'tag', timeout: '2m' }), /> 1 minute/)
})

test('_search_shards lists the shards a search would use', async () => {
  for (const shard of [0, 1]) {
    const copy = (await ask('GET', '/logs/_search_shards', undefined, `shards.${shard}.0`)) as Record<string, unknown>
    assert.deepEqual([copy['shard'], copy['primary'], copy['state']], [shard, true, 'STARTED'])
  }
  assert.deepEqual(await ask('GET', '/logs/_search_shards', undefined, 'indices'), { logs: {} })
  assert.equal(await ask('GET', '/few/_search_shards', undefined, 'shards.length'), 1)
  assert.deepEqual(await ask('GET', '/few/_search_shards', undefined, 'indices.logs'), {
    aliases: ['few'],
    filter: { term: { tag: 'food' } },
  })
  assert.deepEqual(await ask('GET', '/nothing/_search_shards'), { nodes: {}, indices: {}, shards: [] })
})

test('a stored search template is rendered and searched', async () => {
  const source = { query: { match: { message: '{{word}}' } }, size: '{{size}}{{^size}}5{{/size}}' }
  await ask('PUT', '/_scripts/news', { script: { lang: 'mustache', source } })
  const params = { word: 'food' }
  assert.deepEqual(await ask('POST', '/_render/template/news', { params }, 'template_output'), {
    query: { match: { message: 'food' } },
    size: '5',
  })
  const hits = { id: 'news', params }
  assert.equal(await ask('POST', '/logs/_search/template', hits, 'hits.hits.length'), 1)
  assert.equal(await ask('POST', '/logs/_search/template', hits, 'hits.hits.0._id'), '0')
  assert.deepEqual(await ask('DELETE', '/_scripts/news'), { acknowledged: true })
  assert.match(await reason('POST', '/_search/template', { id: 'news' }), /unable to find script \[news\]/)
})

test('in _msearch/template each template fails on its own', async () => {
  const lines = ['{"index":"logs"}', '{"source":"{\\"size\\":{{n}}}","params":{"n":2}}', '{}', '{"source":"{{#a"}', '']
  const part = (path: string) => ask('POST', '/_msearch/template', lines.join('\n'), path)
  assert.equal(await part('responses.0.hits.hits.length'), 2)
  assert.equal(await part('responses.1.error.type'), 'script_exception')
})

test('a stored script with an unknown or missing language is rejected', async () => {
  const refusal = (script: unknown) => reason('PUT', '/_scripts/s', { script })
  assert.equal(
    await refusal({ lang: 'cobol', source: 'x' }),
    'unable to put stored script with unsupported lang [cobol]',
  )
  assert.equal(await refusal({ source: 'x' }), 'must specify lang for stored script')
  assert.match(await refusal({ lang: 'mustache', source: '{{#a}}' }), /Failed to close 'a' tag/)
})

test('_field_caps omits empty fields, and indices that cannot match', async () => {
  const properties = { tag: { type: 'keyword' }, empty: { type: 'keyword' }, at: { type: 'date' } }
  await search.request('PUT', '/dated', { mappings: { properties } })
  await search.request('PUT', '/dated/_doc/1?refresh=true', { tag: 'x', at: '2024-05-01' })
  const names = async (query: string, body?: unknown) =>
    Object.keys((await ask('POST', `/dated/_field_caps?fields=tag,empty,at${query}`, body, 'fields')) as object).sort()
  assert.deepEqual(await names(''), ['at', 'empty', 'tag'])
  assert.deepEqual(await names('&include_empty_fields=false'), ['at', 'tag'])
  assert.deepEqual(await names('', { index_filter: { range: { at: { gte: '2025-01-01' } } } }), [])
  assert.deepEqual(await names('', { index_filter: { term: { tag: 'another' } } }), ['at', 'empty', 'tag'])
  assert.deepEqual(
    await ask(
      'POST',
      '/dated/_field_caps?fields=r',
      { runtime_mappings: { r: { type: 'long' } } },
      'fields.r.long.type',
    ),
    'long',
  )
})

test('a single key of a flattened field can be sorted, aggregated and tested for existence', async () => {
  await search.request('PUT', '/labelled', { mappings: { properties: { l: { type: 'flattened' } } } })
  await search.request('PUT', '/labelled/_doc/1?refresh=true', { l: { env: 'prod', zone: 'b' } })
  await search.request('PUT', '/labelled/_doc/2?refresh=true', { l: { env: 'dev' } })
  const find = (body: unknown, part: string) => ask('POST', '/labelled/_search', body, part)
  assert.equal(await find({ sort: ['l.env'] }, 'hits.hits.0._id'), '2')
  assert.equal(await find({ query: { exists: { field: 'l.zone' } } }, 'hits.total.value'), 1)
  assert.equal(await find({ query: { exists: { field: 'l.none' } } }, 'hits.total.value'), 0)
  const aggs = { e: { terms: { field: 'l.env', order: { _key: 'asc' } } } }
  assert.equal(await find({ aggs }, 'aggregations.e.buckets.1.key'), 'prod')
})

test('_msearch headers may have null for routing and index options', async () => {
  for (const member of ['routing', 'ignore_unavailable', 'allow_no_indices', 'ignore_throttled', 'expand_wildcards']) {
    const lines = `{"index":"logs","${member}":null}\n{"size":0}\n`
    assert.equal(await ask('POST', '/_msearch', lines, 'responses.0.hits.total.value'), 4, member)
  }
  const lines = '{"index":"logs","routing":[]}\n{"size":0}\n'
  assert.equal(await ask('POST', '/_msearch', lines, 'responses.0._shards.total'), 2)
})

test('typed_keys name the type of rare and significant terms in a bucket without documents', async () => {
  const empty = async (kind: string, field: string) => {
    const aggs = { one: { [kind]: { field } } }
    const histogram = { field: '_seq_no', interval: 1, min_doc_count: 0, extended_bounds: { min: 0, max: 9 } }
    const body = { size: 0, aggs: { all: { histogram, aggs } } }
    const buckets = (await ask(
      'POST',
      '/logs/_search?typed_keys=true',
      body,
      'aggregations.histogram#all.buckets',
    )) as {
      key: number
    }[]
    return buckets.find(({ key }) => key === 9)
  }
  const head = { key: 9, doc_count: 0 }
  assert.deepEqual(await empty('rare_terms', 'tag'), { ...head, 'srareterms#one': { buckets: [] } })
  assert.deepEqual(await empty('rare_terms', '_seq_no'), { ...head, 'lrareterms#one': { buckets: [] } })
  const significant = await empty('significant_terms', 'tag')
  assert.deepEqual(Object.keys(significant ?? {}), ['key', 'doc_count', 'sigsterms#one'])
  assert.deepEqual(Object.keys((significant as never)['sigsterms#one']), ['doc_count', 'bg_count', 'buckets'])
})

test('_update reports a mistake in the body before an unknown parameter', async () => {
  const update = (body: string) => reason('POST', '/logs/_update/1?nonsense=1', body)
  assert.equal(await update('{"docx":{}}'), '[1:2] [UpdateRequest] unknown field [docx] did you mean [doc]?')
  assert.match(await update('{"doc":{}}'), /contains unrecognized parameter: \[nonsense\]/)
})

test('versions of _mget and _termvectors are 64-bit integers', async () => {
  const get = (version: string) => reason('POST', '/logs/_mget', `{"docs":[{"_id":"1","version":${version}}]}`)
  const long = /^\[1:52\] Numeric value \(100000000000000000000\) out of range of long/
  assert.match(await get('100000000000000000000'), long)
  assert.equal(await get('"99999999999999999999"'), 'Value [99999999999999999999] is out of range for a long')
  assert.match(await get('true'), /Current token \(VALUE_TRUE\) not numeric/)
  const found = await ask('POST', '/logs/_mget', '{"docs":[{"_id":"1","version":1.5}]}', 'docs.0.found')
  assert.equal(found, true)
  assert.match(await reason('POST', '/logs/_termvectors/1', '{"version":1e30}'), /\(1e30\) out of range of long/)
  assert.equal(await reason('POST', '/logs/_termvectors/1', '{"version":"x"}'), 'For input string: "x"')
})

test('_source of _mget takes the texts true and false as booleans, and rejects lists that are null', async () => {
  const get = (source: unknown) => ({ docs: [{ _id: '1', routing: '1', _source: source }] })
  const members = async (source: unknown) =>
    Object.keys((await ask('POST', '/few/_mget', get(source), 'docs.0._source')) as object)
  await search.request('PUT', '/few/_doc/1?routing=1&refresh=true', { tag: 'food', true: 1 })
  assert.deepEqual(await members('true'), ['tag', 'true'])
  assert.deepEqual(await members(['true']), ['true'])
  assert.equal(await ask('POST', '/few/_mget', get('false'), 'docs.0._source'), undefined)
  assert.match(await reason('POST', '/few/_mget', get({ excludes: null })), /unexpected token while parsing source/)
  assert.match(await reason('POST', '/few/_mget', get({ excludes: [null] })), /found VALUE_NULL/)
})

test('malformed _msearch lines are rejected', async () => {
  const failure = async (lines: string) => (await ask('POST', '/logs/_msearch', lines, 'error.reason')) as string
  assert.equal(await failure('{}\n\n'), 'Expected [START_OBJECT] but found [null]')
  assert.equal(await failure('[]\n{}\n'), '[1:2] Unexpected token after end of object')
  assert.equal(await failure('{} {}\n{}\n'), '[1:4] Unexpected token after end of object')
  assert.equal(await failure('{"index":null}\n{}\n'), 'Expected a list of strings but got null')
  assert.equal(await failure('{"request_cache":"x"}\n{}\n'), 'Could not convert [request_cache] to boolean')
  assert.equal(await ask('POST', '/_msearch', '{"index":"logs"}\n{"size":0}\n', 'responses.0.hits.total.value'), 4)
})

test('global ordinals over several segments count as fielddata memory, unless execution_hint map avoids them', async () => {
  const bytes = async (hint: string) => {
    const index = `/hint-${hint}`
    for (const k of ['a', 'b']) await search.request('PUT', `${index}/_doc/${k}?refresh=true`, { k })
    const aggs = { k: { terms: { field: 'k.keyword', execution_hint: hint } } }
    await search.request('POST', `${index}/_search`, { aggs })
    return ask('GET', `${index}/_stats/fielddata`, undefined, '_all.total.fielddata.memory_size_in_bytes')
  }
  assert.equal(await bytes('map'), 0)
  assert.ok(Number(await bytes('global_ordinals')) > 0)
})

test('a text field with fielddata is sorted and aggregated by its terms', async () => {
  await search.request('PUT', '/texts', { mappings: { properties: { t: { type: 'text', fielddata: true } } } })
  await search.request('PUT', '/texts/_doc/1?refresh=true', { t: 'quick fox' })
  await search.request('PUT', '/texts/_doc/2?refresh=true', { t: 'lazy dog' })
  const find = (body: unknown, part: string) => ask('POST', '/texts/_search', body, part)
  assert.equal(await find({ sort: ['t'] }, 'hits.hits.0._id'), '2')
  assert.equal(await find({ aggs: { n: { cardinality: { field: 't' } } } }, 'aggregations.n.value'), 4)
  assert.ok(
    Number(await ask('GET', '/texts/_stats/fielddata', undefined, '_all.total.fielddata.memory_size_in_bytes')) > 0,
  )
})

test('_field_caps checks runtime fields last, and rejects the removal of one', async () => {
  const caps = (query: string, body: unknown) => reason('POST', `/logs/_field_caps?${query}`, body)
  const wrong = { runtime_mappings: { a: { typex: 'long' } } }
  assert.match(await caps('fields=*', { fields: ['tag'], ...wrong }), /^can't specify a request body and \[fields\]/)
  assert.equal(await caps('fields=*', wrong), 'No type specified for runtime field [a]')
  assert.equal(
    await caps('fields=*', { runtime_mappings: { a: null } }),
    'Runtime field [a] was set to null but its removal is not supported in this context',
  )
})

test('_field_caps without fields is rejected for the missing fields, whatever its filters', async () => {
  const missing = 'Validation Failed: 1: no fields specified;'
  assert.equal(await reason('POST', '/logs/_field_caps?filters=%2Bx', {}), missing)
})

test('the explanation of exists on a runtime field names the kind of its values', async () => {
  const body = {
    query: { exists: { field: 'r' } },
    runtime_mappings: { r: { type: 'date', script: 'emit(1L)' } },
    explain: true,
  }
  const text = await ask('POST', '/logs/_search', body, 'hits.hits.0._explanation.description')
  assert.equal(text, 'ConstantScore(r:LongScriptFieldExistsQuery)')
})

test('_validate/query prints an error with its first cause that is no exception of Elasticsearch', async () => {
  const rule = { all_of: { intervals: [{ any_of: { intervalsx: [] } }] } }
  const error = await ask(
    'POST',
    '/logs/_validate/query?explain=true',
    { query: { intervals: { message: rule } } },
    'error',
  )
  assert.match(
    String(error),
    /^[\w.]+ParsingException: Failed to parse; [\w.]+: \[1:\d+\] \[all_of\] failed to parse field \[intervals\]$/,
  )
})

test('a search without hits shows that it did not end early, unless it suggests', async () => {
  const early = (body: object) =>
    ask('POST', '/logs/_search', { size: 0, track_total_hits: true, ...body }, 'terminated_early')
  assert.equal(await early({}), false)
  assert.equal(await early({ suggest: { s: { text: 'foks', term: { field: 'message' } } } }), undefined)
})

test('a suggestion by parameters without suggest_mode is rejected', async () => {
  assert.equal(await reason('GET', '/logs/_search?suggest_field=message&suggest_text=x'), 'Input string is null')
})

test('a post filter is evaluated only for documents that the query matches', async () => {
  await search.request('PUT', '/posts', {
    mappings: { properties: { n: { type: 'integer' }, k: { type: 'keyword' } } },
  })
  for (const [i, n] of [-4, 4, 9].entries())
    await search.request('PUT', `/posts/_doc/${i}?refresh=true`, { n, k: `k${i}` })
  // The square root of a negative number is no score.
  const rooted = { function_score: { field_value_factor: { field: 'n', modifier: 'sqrt' }, min_score: 2.5 } }
  const body = { query: { terms: { k: ['k1', 'k2'] } }, post_filter: rooted }
  assert.equal(await ask('POST', '/posts/_search', body, 'hits.total.value'), 1)
})
