#!/usr/bin/env node
/**
 * Compares random searches with runtime fields with an Elasticsearch that has Painless.
 *
 *   node test/oracle/runtime-searches.mjs --url http://127.0.0.1:9200 --reference http://127.0.0.1:9230 [--count 1000] [--seed 1]
 *
 * Creates the index `runtime-random` on both, fills it with random documents, sends the same searches to both, and
 * prints every response that differs. Ends with `N equal, N different`. The exit code is 0 if at least 99.5 % are
 * equal.
 */
import { parseArgs } from 'node:util'

const { values: options } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:9200' },
    reference: { type: 'string', default: 'http://127.0.0.1:9230' },
    count: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    keep: { type: 'boolean', default: false },
  },
})
const INDEX = 'runtime-random'
const DOCS = 120

/** A seeded random number generator (mulberry32). */
let state = Number(options.seed) >>> 0
function random() {
  state = (state + 0x6d2b79f5) >>> 0
  let t = state
  t = Math.imul(t ^ (t >>> 15), t | 1)
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296
}
const below = (n) => Math.floor(random() * n)
const pick = (list) => list[below(list.length)]
const chance = (p) => random() < p

async function ask(base, method, path, body) {
  const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
  const type = typeof body === 'string' ? 'application/x-ndjson' : 'application/json'
  const answer = await fetch(base + path, {
    method,
    body: text,
    headers: text === undefined ? {} : { 'content-type': type },
  })
  return { status: answer.status, body: await answer.json() }
}

const MAPPING = {
  settings: { number_of_shards: 1, number_of_replicas: 0 },
  mappings: {
    dynamic: false,
    properties: {
      k: { type: 'keyword' },
      n: { type: 'integer' },
      l: { type: 'long' },
      g: { type: 'double' },
      d: { type: 'date' },
      b: { type: 'boolean' },
      ip: { type: 'ip' },
    },
  },
}

const WORDS = ['ash', 'birch', 'cedar', 'elm', 'fir', 'oak', 'pine', 'yew']

function randomDocument(i) {
  const doc = { i }
  const several = (make) => (chance(0.15) ? Array.from({ length: 1 + below(3) }, make) : make())
  if (chance(0.9)) doc.k = several(() => pick(WORDS))
  if (chance(0.9)) doc.n = several(() => below(40) - 10)
  if (chance(0.8)) doc.l = below(1_000_000_000)
  if (chance(0.8)) doc.g = Math.round(random() * 10000) / 64
  if (chance(0.9)) doc.d = new Date(Date.UTC(2024, below(12), 1 + below(28), below(24), below(60))).toISOString()
  if (chance(0.7)) doc.b = chance(0.5)
  if (chance(0.7)) doc.ip = `10.0.${below(3)}.${below(40)}`
  doc.raw = { word: several(() => pick(WORDS)), size: chance(0.8) ? several(() => below(100)) : String(below(100)) }
  return doc
}

/** Runtime fields by type. Each has values of its type for most documents. */
const FIELDS = {
  keyword: [
    { type: 'keyword', script: "if (doc['k'].size() > 0) emit(doc['k'].value + '-' + doc['k'].size())" },
    { type: 'keyword', script: "for (x in doc['k']) { emit(x.substring(0, 1).toUpperCase()) }" },
    { type: 'keyword', script: "if (doc['d'].size() != 0) emit(doc['d'].value.dayOfWeekEnum.toString())" },
    { type: 'keyword', script: 'if (params._source.raw.word instanceof String) emit(params._source.raw.word)' },
    { type: 'keyword', script: "emit(doc['n'].size() == 0 ? 'none' : doc['n'].value < 0 ? 'low' : 'high')" },
    {
      type: 'keyword',
      script: {
        source: "emit(params.p + (doc['b'].size() == 0 ? 'x' : doc['b'].value.toString()))",
        params: { p: 'b:' },
      },
    },
  ],
  long: [
    { type: 'long', script: "if (doc['n'].size() > 0) emit(doc['n'].value * 3 - 7)" },
    { type: 'long', script: "for (x in doc['n']) emit(x * x)" },
    { type: 'long', script: "if (doc['l'].size() > 0) emit(doc['l'].value % 1000 / 7)" },
    { type: 'long', script: "emit(doc['k'].size())" },
    { type: 'long', script: "if (doc['d'].size() > 0) emit(doc['d'].value.getDayOfMonth())" },
  ],
  double: [
    { type: 'double', script: "if (doc['g'].size() > 0) emit(doc['g'].value * 1.25)" },
    { type: 'double', script: "if (doc['n'].size() > 0) emit(Math.sqrt(Math.abs(doc['n'].value)))" },
    {
      type: 'double',
      script: "if (doc['g'].size() > 0 && doc['n'].size() > 0) emit(doc['g'].value / (Math.abs(doc['n'].value) + 1))",
    },
    { type: 'double', script: { source: "emit(doc['n'].size() * params.f)", params: { f: 0.5 } } },
  ],
  date: [
    { type: 'date', script: "if (doc['d'].size() > 0) emit(doc['d'].value.plusDays(40).toInstant().toEpochMilli())" },
    {
      type: 'date',
      format: 'yyyy-MM-dd',
      script: "if (doc['d'].size() > 0) emit(doc['d'].value.truncatedTo(ChronoUnit.DAYS).toInstant().toEpochMilli())",
    },
    { type: 'date', script: "if (doc['n'].size() > 0) emit(1700000000000L + doc['n'].value * 86400000L)" },
  ],
  boolean: [
    { type: 'boolean', script: "emit(doc['n'].size() > 0 && doc['n'].value > 5)" },
    { type: 'boolean', script: "if (doc['b'].size() > 0) emit(!doc['b'].value)" },
  ],
  ip: [{ type: 'ip', script: "if (doc['ip'].size() > 0) emit('192.168.' + doc['ip'].value.substring(5))" }],
}
const SOURCE_FIELDS = { keyword: 'raw.word', long: 'raw.size', double: 'raw.size' }

function randomField(types = Object.keys(FIELDS)) {
  const type = pick(types)
  if (SOURCE_FIELDS[type] !== undefined && chance(0.2)) return { name: SOURCE_FIELDS[type], definition: { type } }
  // A runtime field with the name of a mapped field hides it, except in its own script.
  return { name: pick(['r', 'r1', 'q.r']), definition: pick(FIELDS[type]) }
}

const valueFor = (type) =>
  ({
    keyword: () =>
      pick([
        pick(WORDS),
        `${pick(WORDS)}-${1 + below(2)}`,
        pick(WORDS)[0].toUpperCase(),
        'MONDAY',
        'low',
        'high',
        'b:true',
      ]),
    long: () => below(120) - 30,
    double: () => Math.round(random() * 1000) / 8,
    date: () => new Date(Date.UTC(2024, below(14), 1 + below(28))).toISOString().slice(0, 10),
    boolean: () => chance(0.5),
    ip: () => `192.168.${below(3)}.${below(40)}`,
  })[type]()

function randomQuery({ name, definition: { type } }) {
  const leaf = () => {
    const kinds = ['term', 'terms', 'exists', 'match', 'range', 'mapped']
    if (type === 'keyword') kinds.push('prefix', 'wildcard', 'regexp', 'fuzzy')
    const value = () => valueFor(type)
    switch (pick(kinds)) {
      case 'term':
        return { term: { [name]: { value: value() } } }
      case 'terms':
        return { terms: { [name]: [value(), value(), value()] } }
      case 'exists':
        return { exists: { field: name } }
      case 'match':
        return { match: { [name]: value() } }
      case 'range': {
        if (type === 'boolean') return { term: { [name]: value() } }
        const range = { [pick(['gt', 'gte'])]: value() }
        if (chance(0.6)) range[pick(['lt', 'lte'])] = value()
        return { range: { [name]: range } }
      }
      case 'prefix':
        return { prefix: { [name]: String(value()).slice(0, 1 + below(3)) } }
      case 'wildcard':
        return { wildcard: { [name]: `*${String(value()).slice(1, 3)}*` } }
      case 'regexp':
        return { regexp: { [name]: `${String(value())[0]}.*` } }
      case 'fuzzy':
        return { fuzzy: { [name]: { value: String(value()), fuzziness: 1 } } }
      default:
        return pick([
          { range: { n: { gte: below(20) - 10 } } },
          { term: { k: pick(WORDS) } },
          { exists: { field: 'g' } },
        ])
    }
  }
  if (chance(0.25)) return undefined
  if (chance(0.6)) return leaf()
  const bool = {}
  for (const part of ['must', 'should', 'filter', 'must_not']) if (chance(0.4)) bool[part] = [leaf()]
  return Object.keys(bool).length === 0 ? leaf() : { bool }
}

function randomAggregation({ name, definition: { type } }, depth = 0) {
  const field = name
  const isNumber = type === 'long' || type === 'double'
  const kinds = ['terms', 'missing', 'value_count', 'cardinality', 'composite']
  if (isNumber) kinds.push('histogram', 'range', 'stats', 'avg', 'sum', 'min', 'max', 'percentiles', 'extended_stats')
  if (type === 'date') kinds.push('date_histogram', 'date_range', 'min', 'max')
  const bucket = (aggregation) =>
    depth < 1 && chance(0.3) ? { ...aggregation, aggs: { s: { sum: { field: 'n' } } } } : aggregation
  switch (pick(kinds)) {
    case 'terms':
      return bucket({ terms: { field, size: 1 + below(12), order: pick([{ _key: 'asc' }, { _key: 'desc' }]) } })
    case 'missing':
      return bucket({ missing: { field } })
    case 'value_count':
      return type === 'keyword' ? { missing: { field } } : { value_count: { field } }
    case 'cardinality':
      return { cardinality: { field } }
    case 'composite': {
      const source = { terms: { field, order: pick(['asc', 'desc']), missing_bucket: chance(0.5) } }
      if (type === 'keyword') return { missing: { field } }
      return {
        composite: {
          size: 1 + below(10),
          sources: [{ a: source }, ...(chance(0.4) ? [{ k: { terms: { field: 'k' } } }] : [])],
        },
      }
    }
    case 'histogram':
      return bucket({ histogram: { field, interval: 1 + below(50), min_doc_count: below(2) } })
    case 'range':
      return bucket({ range: { field, ranges: [{ to: below(50) }, { from: below(50) }] } })
    case 'date_histogram':
      return bucket({ date_histogram: { field, calendar_interval: pick(['month', 'week', 'quarter']) } })
    case 'date_range':
      return bucket({ date_range: { field, ranges: [{ to: '2024-06-01' }, { from: '2024-06-01' }] } })
    case 'percentiles':
      return { percentiles: { field, percents: [25, 50, 75] } }
    default: {
      const metric = pick(type === 'date' ? ['min', 'max'] : ['stats', 'avg', 'sum', 'min', 'max', 'extended_stats'])
      return { [metric]: { field } }
    }
  }
}

function randomSearch() {
  const field = randomField()
  const body = { runtime_mappings: { [field.name]: field.definition } }
  const query = randomQuery(field)
  if (query !== undefined) body.query = query
  if (chance(0.5)) {
    body.sort = [
      { [field.name]: chance(0.5) ? 'asc' : 'desc' },
      { 'i.tie': { order: 'asc', unmapped_type: 'long' } },
      '_doc',
    ]
    if (chance(0.3))
      body.sort[0] = { [field.name]: { order: pick(['asc', 'desc']), missing: pick(['_first', '_last']) } }
  }
  if (chance(0.5)) {
    body.size = 0
    delete body.sort
    body.aggs = { x: randomAggregation(field) }
    if (chance(0.3)) body.aggs.y = randomAggregation(field)
  } else {
    body.size = below(15)
    body._source = false
    if (chance(0.7)) body.fields = [field.name]
    if (chance(0.2)) body.docvalue_fields = [field.name]
  }
  return body
}

const LEFT_OUT = new Set(['took', '_shards', 'node', 'index_uuid', 'script_stack'])

/** The response without members that differ between nodes, with members in order. */
function comparable(value) {
  if (Array.isArray(value)) return value.map(comparable)
  if (typeof value === 'number' && !Number.isInteger(value)) return Number(value.toPrecision(12))
  if (typeof value !== 'object' || value === null) return value
  const names = Object.keys(value).filter((name) => !LEFT_OUT.has(name))
  return Object.fromEntries(names.sort().map((name) => [name, comparable(value[name])]))
}

async function main() {
  const documents = Array.from({ length: DOCS }, (_, i) => randomDocument(i))
  const lines = documents.map((doc, i) => `${JSON.stringify({ index: { _id: String(i) } })}\n${JSON.stringify(doc)}\n`)
  for (const base of [options.url, options.reference]) {
    await ask(base, 'DELETE', `/${INDEX}`)
    const created = await ask(base, 'PUT', `/${INDEX}`, MAPPING)
    if (created.status !== 200) throw new Error(`${base}: ${JSON.stringify(created.body)}`)
    await ask(base, 'POST', `/${INDEX}/_bulk?refresh=true`, lines.join(''))
  }
  let equal = 0
  let different = 0
  for (let i = 0; i < Number(options.count); i++) {
    const body = randomSearch()
    const [ours, theirs] = await Promise.all(
      [options.url, options.reference].map((base) => ask(base, 'POST', `/${INDEX}/_search`, body)),
    )
    const [a, b] = [comparable(ours), comparable(theirs)].map((answer) => JSON.stringify(answer))
    if (a === b) {
      equal++
      continue
    }
    different++
    console.log(`--- ${JSON.stringify(body)}\n  reference ${b.slice(0, 1500)}\n  ours      ${a.slice(0, 1500)}`)
  }
  if (!options.keep) for (const base of [options.url, options.reference]) await ask(base, 'DELETE', `/${INDEX}`)
  console.log(`${equal} equal, ${different} different`)
  process.exitCode = equal / (equal + different) >= 0.995 ? 0 : 1
}

await main()
