import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startSearch, type TestSearch } from '../../../testing/index.ts'

// Goal: scripts of searches that need more than their document, as a client sees them, on an in-memory node.
let search: TestSearch
before(async () => {
  search = await startSearch({ listen: false })
  const properties = {
    text: { type: 'text' },
    n: { type: 'integer' },
    many: { type: 'long' },
    at: { type: 'date' },
    place: { type: 'geo_point' },
    tag: { type: 'keyword' },
    parts: { type: 'nested', properties: { size: { type: 'integer' }, color: { type: 'keyword' } } },
  }
  await search.request('PUT', '/docs', { mappings: { properties } })
  const docs = [
    {
      text: 'red red fox',
      n: 1,
      many: [3, 1, 8],
      at: '2024-05-06T07:08:09.010Z',
      place: { lat: 10, lon: 20 },
      tag: 'a',
      parts: [
        { size: 5, color: 'red' },
        { size: 2, color: 'blue' },
      ],
    },
    { text: 'red fox', n: 2, tag: 'b', parts: [{ size: 9, color: 'red' }] },
    { text: 'blue fox', n: 3, tag: 'zz' },
  ]
  for (const [i, doc] of docs.entries()) await search.request('PUT', `/docs/_doc/${i}?refresh=true`, doc)
  await search.request('PUT', '/owners', { mappings: { properties: { tag: { type: 'keyword' } } } })
  await search.request('PUT', '/owners/_doc/x?refresh=true', { tag: 'a', name: 'Ann', age: 30 })
  await search.request('PUT', '/owners/_doc/y?refresh=true', { tag: 'b', name: 'Bob' })
})
after(() => search.stop())

type Body = Record<string, unknown>

async function ask(body: unknown, index = 'docs'): Promise<Body> {
  return (await search.request('POST', `/${index}/_search`, body)).body as Body
}

const hitsOf = async (body: unknown, index?: string) =>
  ((await ask(body, index))['hits'] as { hits: { _id: string; fields?: Body; sort?: unknown[]; _score: number }[] })
    .hits
const expression = (source: string, params = {}) => ({ lang: 'expression', source, params })
const reasons = async (body: unknown, index?: string) => {
  const { error } = (await ask(body, index)) as unknown as {
    error: { root_cause: { reason: string }[]; failed_shards: Body[] }
  }
  const shard = error.failed_shards[0]!['reason'] as { reason: string; caused_by?: { reason: string } }
  return [shard.reason, shard.caused_by?.reason]
}

test('_score in the script of an aggregation is the score of the query', async () => {
  const query = { match: { text: 'red' } }
  const hits = await hitsOf({ query })
  const aggs = {
    best: { max: { script: '_score' } },
    all: { sum: { script: { source: '_score * params.k', params: { k: 2 } } } },
    same: { max: { script: expression('_score') } },
    groups: { terms: { field: 'tag', order: { score: 'desc' } }, aggs: { score: { max: { script: '_score' } } } },
  }
  const { aggregations } = (await ask({ query, aggs, size: 0 })) as unknown as {
    aggregations: Record<string, { value: number; buckets: { key: string }[] }>
  }
  assert.equal(hits.length, 2)
  assert.equal(Math.fround(aggregations['best']!.value), Math.fround(hits[0]!._score))
  assert.equal(aggregations['same']!.value, aggregations['best']!.value)
  const sum = 2 * (hits[0]!._score + hits[1]!._score)
  assert.ok(Math.abs(aggregations['all']!.value - sum) < 1e-6)
  assert.deepEqual(
    aggregations['groups']!.buckets.map(({ key }) => key),
    ['a', 'b'],
  )
})

test('_score in a script sort is the score of the query if the search scores, and 0 otherwise', async () => {
  const query = { match: { text: 'red' } }
  const sort = [
    { _script: { type: 'string', script: "_score > 0 ? 'x' : 'y'" } },
    { _script: { type: 'number', script: '_score' } },
  ]
  const unscored = await hitsOf({ query, sort })
  assert.deepEqual(
    unscored.map((hit) => [hit.sort, hit._score]),
    [
      [['y', 0], null],
      [['y', 0], null],
    ],
  )
  const scored = await hitsOf({ query, sort, track_scores: true })
  assert.ok(
    scored.every((hit) => hit.sort![0] === 'x' && Math.fround(hit.sort![1] as number) === Math.fround(hit._score)),
  )
})

test('_score is 1 below a global aggregation, and that of the root for nested objects', async () => {
  const aggs = {
    all: { global: {}, aggs: { sum: { sum: { script: '_score' } } } },
    parts: { nested: { path: 'parts' }, aggs: { max: { max: { script: '_score' } } } },
  }
  const query = { match: { text: 'red' } }
  const [best] = await hitsOf({ query })
  const { aggregations } = (await ask({ query, aggs, size: 0 })) as unknown as {
    aggregations: { all: { sum: { value: number } }; parts: { max: { value: number } } }
  }
  assert.equal(aggregations.all.sum.value, 3)
  assert.equal(Math.fround(aggregations.parts.max.value), Math.fround(best!._score))
})

test('the results of a script are terms as Java prints them', async () => {
  const key = async (source: string) => {
    const found = await ask({ size: 0, query: { term: { n: 1 } }, aggs: { t: { terms: { script: source } } } })
    const { buckets } = (found['aggregations'] as { t: { buckets: { key: string }[] } }).t
    return buckets.map((bucket) => bucket.key)
  }
  assert.deepEqual(await key("['a': [1, 2.0]]"), ['{a=[1, 2.0]}'])
  assert.deepEqual(await key("[[1, 2.0f], 'a', null]"), ['', '[1, 2.0]', 'a'])
  assert.deepEqual(await key('(char) 65'), ['A'])
  assert.deepEqual(await key("doc['place']"), ['9.999999990686774, 19.99999998137355'])
  const loop = await ask({ aggs: { t: { terms: { script: 'def x = [:]; x.a = x; return x' } } } })
  const { error } = loop as unknown as { error: { root_cause: { reason: string }[] } }
  assert.match(error.root_cause[0]!.reason, /self-referencing itself \(ScriptBytesValues value\)/)
})

test('a composite runtime field needs sub-fields of known types', async () => {
  const reason = async (fields: unknown) =>
    (await reasons({ runtime_mappings: { c: { type: 'composite', script: "emit('a', 1)", fields } } }))[0]
  assert.match((await reason({}))!, /must declare its \[fields\]/)
  assert.match((await reason({ a: { type: 'text' } }))!, /mapper type \[text\] declared on runtime field \[a\]/)
  assert.match((await reason({ a: { type: 'long', script: 'emit(1)' } }))!, /Cannot use \[script\] parameter/)
  assert.match((await reason('x'))!, /\[fields\] must be an object, got String\[x\]/)
})

test('a script sort of nested objects takes the value of the mode, and the largest number for documents without', async () => {
  const sort = (more: object) => ({
    sort: [{ _script: { type: 'number', script: "doc['parts.size'].value * 2", nested: { path: 'parts' }, ...more } }],
  })
  const values = async (more: object) => (await hitsOf(sort(more))).map(({ _id, sort: [value] = [] }) => [_id, value])
  assert.deepEqual(await values({}), [
    ['0', 4],
    ['1', 18],
    ['2', Number.MAX_VALUE],
  ])
  assert.deepEqual(await values({ mode: 'sum' }), [
    ['0', 14],
    ['1', 18],
    ['2', Number.MAX_VALUE],
  ])
  const filter = { term: { 'parts.color': 'red' } }
  assert.deepEqual((await values({ nested: { path: 'parts', filter }, order: 'desc' })).slice(1), [
    ['1', 18],
    ['0', 10],
  ])
  const text = { type: 'string', script: "doc['parts.color'].value", nested: { path: 'parts' }, order: 'desc' }
  const found = await hitsOf({ sort: [{ _script: text }, 'n'] })
  assert.deepEqual(
    found.map((hit) => hit.sort),
    [
      ['red', 1],
      ['red', 2],
      [null, 3],
    ],
  )
})

test('expressions read numbers, dates and points, and missing values are 0', async () => {
  const sources = {
    sum: "doc['many'].sum() + doc['many'].max() - doc['many'].min() + doc['many'].count()",
    middle: "doc['many'].median()",
    none: "doc['many'].empty",
    year: "doc['at'].date.year * 100 + doc['at'].date.getMonthOfYear()",
    month: "doc['at'].getMonth()",
    place: "floor(doc['place'].lat + doc['place'].lon + 0.5)",
    bare: "doc['n']",
  }
  const fields = Object.fromEntries(
    Object.entries(sources).map(([name, source]) => [name, { script: expression(source) }]),
  )
  const [first, , third] = await hitsOf({ sort: ['n'], script_fields: fields })
  assert.deepEqual(first!.fields, {
    sum: [22],
    middle: [3],
    none: [0],
    year: [202405],
    month: [4],
    place: [30],
    bare: [1],
  })
  assert.deepEqual((third!.fields as unknown as Record<string, unknown>)['sum'], [0])
})

test('expressions filter, score, sort and aggregate', async () => {
  const filtered = await hitsOf({ query: { script: { script: expression("doc['n'] > low", { low: 1 }) } } })
  assert.deepEqual(filtered.map(({ _id }) => _id).sort(), ['1', '2'])
  const scored = await hitsOf({
    query: { script_score: { query: { match_all: {} }, script: expression("_score + doc['n']") } },
  })
  assert.deepEqual(
    scored.map(({ _score }) => _score),
    [4, 3, 2],
  )
  const sorted = await hitsOf({
    sort: [{ _script: { type: 'number', order: 'desc', script: expression("doc['n']") } }],
  })
  assert.deepEqual(
    sorted.map(({ sort }) => sort![0]),
    [3, 2, 1],
  )
  const aggs = { total: { sum: { field: 'many', script: expression('_value * 2') } } }
  assert.deepEqual((await ask({ size: 0, aggs }))['aggregations'], { total: { value: 24 } })
})

test('a variable of an expression that is no field and no parameter is a link error', async () => {
  const filter = (source: string, params = {}) => reasons({ query: { script: { script: expression(source, params) } } })
  assert.deepEqual(await filter("doc['none'] > 1"), ['failed to create query: link error', 'link error'])
})

test('a lookup field shows fields of the documents of another index', async () => {
  const owner = {
    type: 'lookup',
    target_index: 'owners',
    input_field: 'tag',
    target_field: 'tag',
    fetch_fields: ['name', 'age'],
  }
  const hits = await hitsOf({ runtime_mappings: { owner }, fields: ['owner'], sort: ['n'], _source: false })
  assert.deepEqual(
    hits.map(({ fields }) => fields),
    [{ owner: [{ name: ['Ann'], age: [30] }] }, { owner: [{ name: ['Bob'] }] }, undefined],
  )
  const [reason] = await reasons({ runtime_mappings: { owner }, query: { term: { owner: 'x' } } })
  assert.match(reason!, /Cannot search on field \[owner\] since it is a lookup field/)
})

test('a query on a runtime field does not fail for nested objects, which lack the fields of their root', async () => {
  const found = await hitsOf({
    runtime_mappings: { twice: { type: 'long', script: "emit(doc['n'].value * 2)" } },
    query: { range: { twice: { gte: 4 } } },
    sort: ['n'],
  })
  assert.deepEqual(
    found.map(({ _id }) => _id),
    ['1', '2'],
  )
})

test('the text of a query shows its script', async () => {
  const texts = async (query: unknown) => {
    const answer = await search.request('POST', '/owners/_validate/query?explain=true', { query })
    return (answer.body as { explanations: { explanation: string }[] }).explanations[0]!.explanation
  }
  const shown = "Script{type=inline, lang='painless', idOrCode='true', options={}, params={}}"
  assert.equal(await texts({ script: { script: 'true' } }), `ScriptQuery(${shown})`)
  const scored = { query: { match_all: {} }, script_score: { script: { source: '_score' } } }
  assert.match(await texts({ function_score: scored }), /functions: \[\{scriptScript\{type=inline/)
})

test('doc values of rare types have the order and the members that Elasticsearch gives them', async () => {
  const properties = {
    bytes: { type: 'binary', doc_values: true },
    half: { type: 'half_float' },
    place: { type: 'geo_point' },
  }
  await search.request('PUT', '/rare', { mappings: { properties } })
  await search.request('PUT', '/rare/_doc/0?refresh=true', {
    bytes: ['aGVsbG8=', 'YQ==', 'YQ=='],
    half: [1, 2],
    place: [
      { lat: 1, lon: 2 },
      { lat: -3, lon: 4 },
    ],
  })
  await search.request('PUT', '/rare/_doc/1?refresh=true', {})
  const sources = {
    values: "doc['bytes'].toString() + doc['bytes'].size()",
    half: "field('half').asDouble(1, -90.0) + field('half').asDouble(7, 3.0)",
    halves: "field('half').asDoubles()",
    box: "doc['place'].getBoundingBox()",
    dimension: "doc['place'].getDimensionalType()",
    label: "doc['place'].getLabelPosition() == null",
    unchanged: "doc['half'].removeAll(['a'])",
  }
  const script_fields = Object.fromEntries(
    Object.entries(sources).map(([name, source]) => [name, { script: { source } }]),
  )
  const [full, empty] = await hitsOf({ script_fields, docvalue_fields: ['bytes'], sort: '_doc' }, 'rare')
  // Recorded from Elasticsearch.
  assert.deepEqual(full!.fields, {
    bytes: ['YQ==', 'aGVsbG8='],
    values: ['[[61], [68 65 6c 6c 6f]]2'],
    half: [5],
    halves: [1, 2],
    box: [
      {
        top_left: { lat: 0.9999999823048711, lon: 1.9999999646097422 },
        bottom_right: { lat: -3.000000030733645, lon: 3.9999999292194843 },
      },
    ],
    dimension: [0],
    label: [false],
    unchanged: [false],
  })
  assert.deepEqual(empty!.fields!['dimension'], [-1])
  assert.deepEqual(empty!.fields!['label'], [true])
  const add = { script_fields: { x: { script: "doc['half'].addAll(0, [1])" } } }
  assert.deepEqual((await reasons(add, 'rare'))[1], 'doc values are unmodifiable')
})

test('fields of a scripted field are in the order of its script, and mappings show the language of scripts', async () => {
  const mappings = {
    runtime: { r: { type: 'long', script: { source: 'emit(1)' } } },
    properties: {
      n: { type: 'long', script: { source: 'emit(3); emit(1); emit(2); emit(1)' } },
      k: { type: 'keyword', script: "emit('c'); emit('a'); emit('a')" },
      f: { type: 'flattened' },
    },
  }
  await search.request('PUT', '/scripted', { settings: { index: { mapping: { ignore_above: 10 } } }, mappings })
  await search.request('PUT', '/scripted/_doc/1?refresh=true', { f: { v: ['the quick brown fox', 'jumps over'] } })
  const [hit] = await hitsOf({ fields: ['n', 'k', 'f'] }, 'scripted')
  assert.deepEqual(hit!.fields, { n: [3, 1, 2, 1], k: ['c', 'a', 'a'], f: [{ v: 'jumps over' }] })
  assert.deepEqual(await hitsOf({ query: { term: { 'f.v': 'the quick brown fox' } } }, 'scripted'), [])
  const { body } = await search.request('GET', '/scripted/_mapping')
  const shown = body as { scripted: { mappings: { runtime: Body } } }
  assert.deepEqual(shown.scripted.mappings.runtime, {
    r: { type: 'long', script: { source: 'emit(1)', lang: 'painless' } },
  })
})

test('index.max_regex_length limits prefixes, and automata have at most 1,000 states', async () => {
  const long = 'a'.repeat(1001)
  const reason = async (query: unknown) => (await reasons({ query }))[0]
  assert.match(
    (await reason({ prefix: { tag: long } })) as string,
    /The length of prefix \[1001\] used in the Prefix Query/,
  )
  assert.match((await reason({ wildcard: { tag: `${long}*` } })) as string, /input automaton is too large: 1001/)
  assert.match((await reason({ prefix: { tag: 'é'.repeat(600) } })) as string, /input automaton is too large: 1001/)
  assert.deepEqual(await hitsOf({ query: { wildcard: { tag: long } } }), [])
})

test('a runtime field inside nested objects is computed for the objects that a nested query looks at', async () => {
  const runtime_mappings = { first: { type: 'keyword', script: "emit(doc['parts.color'].value.substring(0, 1))" } }
  const inParts = { nested: { path: 'parts', query: { term: { first: 'b' } } } }
  const found = await hitsOf({ runtime_mappings, query: inParts })
  assert.deepEqual(
    found.map(({ _id }) => _id),
    ['0'],
  )
  // Whole documents have no such value.
  assert.equal((await reasons({ runtime_mappings, query: { term: { first: 'b' } } }))[0], 'runtime error')
})

test('a pipeline reads the score, the sort value and members of the source of the only hit of top_hits', async () => {
  const numbers = async (path: string, hits: object = {}) => {
    const aggs = {
      best: { top_hits: { size: 1, ...hits } },
      twice: { bucket_script: { buckets_path: { v: path }, script: 'params.v * 2' } },
    }
    const body = await ask({ size: 0, aggs: { tags: { terms: { field: 'tag', order: { _key: 'asc' } }, aggs } } })
    const { tags } = (body['aggregations'] ?? {}) as { tags?: { buckets: { twice?: { value: number } }[] } }
    if (tags === undefined) return (body['error'] as { caused_by: { reason: string } }).caused_by.reason
    return tags.buckets.map(({ twice }) => twice?.value)
  }
  assert.deepEqual(await numbers('best[_source.n]'), [2, 4, 6])
  assert.deepEqual(await numbers('best[_score]'), [2, 2, 2])
  assert.deepEqual(await numbers('best[_sort]', { sort: [{ n: 'desc' }] }), [2, 4, 6])
  assert.match(String(await numbers('best[_source.tag]')), /got: \[String\] at aggregation \[best\]/)
  assert.match(String(await numbers('best[_source.n]', { _source: false })), /path not supported for \[best\]/)
  assert.match(String(await numbers('best[_source.n]', { size: 2 })), /require configuring it with size to 1/)
})
