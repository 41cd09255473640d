/** Random requests about a world, as data that can be shrunk. */
import type { Random } from '../fuzz/random.ts'
import type { Json, JsonObject } from './json.ts'
import { hasPath, randomQuery } from './queries.ts'
import { randomScored } from './scores.ts'
import { randomSort } from './sorts.ts'
import { fieldNames, randomWrites, runtimeScript, type World, type Write } from './world.ts'

/** What changes documents, or how they are stored. */
export type Act =
  /** A request that changes how the documents are stored and nothing that can be seen. */
  | { readonly kind: 'do'; readonly path: string }
  | { readonly kind: 'write'; readonly index: number; readonly writes: readonly Write[] }
  | {
      readonly kind: 'by-query'
      readonly op: 'update' | 'delete'
      readonly parameters: string
      readonly body: JsonObject
    }

export type Check = { readonly isAlias?: boolean } & (
  | Act
  /** One search, sent twice, because the second may be answered from a cache. */
  | { readonly kind: 'search'; readonly body: JsonObject }
  /** The pages of a search in one of the ways to read them; together they are its complete result. */
  | {
      readonly kind: 'pages'
      readonly way: 'from' | 'search_after' | 'pit' | 'scroll'
      readonly size: number
      readonly body: JsonObject
      /** What is done after each page, where pages are of one moment. */
      readonly between?: readonly Act[]
    }
  /** The slices of a search, which share its result out. */
  | {
      readonly kind: 'slices'
      readonly way: 'pit' | 'scroll'
      readonly max: number
      readonly size: number
      readonly field?: string
      readonly body: JsonObject
      readonly between?: readonly Act[]
    }
  /** The pages of the composite aggregation `c`, which together are its result on one page. */
  | { readonly kind: 'composite'; readonly size: number; readonly body: JsonObject }
  /** A query made of others, and the scores of its parts. */
  | { readonly kind: 'scores'; readonly body: JsonObject }
  | { readonly kind: 'routing'; readonly routing: string; readonly body: JsonObject }
)

const WAYS = ['from', 'search_after', 'pit', 'scroll'] as const
const METRICS = ['min', 'max', 'sum', 'avg', 'stats', 'value_count', 'cardinality'] as const
const NUMERIC = new Set(['int', 'long', 'float', 'double'])

/** Runtime fields of each type: the fields they may be made of, and what their script emits. */
const RUNTIME: readonly (readonly [type: string, from: RegExp, emits: readonly string[]])[] = [
  ['keyword', /^(f_keyword|al|ob\.k|one_keyword)$/, ['v', "v + '!'"]],
  ['long', /^(f_(byte|short|integer)|ob\.n|uid)$/, ['v', 'v * 2 + 1']],
  ['double', /^(f_(byte|short|integer|double)|uid)$/, ['v', 'v / 2.0']],
  ['boolean', /^f_boolean$/, ['v', '!v']],
  ['date', /^f_date$/, ['v.toInstant().toEpochMilli() + 1']],
]

export function randomCheck(random: Random, mapped: World): Check {
  const [type, from, emits] = random.pick(RUNTIME)
  const usable = fieldNames(mapped).filter(({ name }) => from.test(name))
  if (usable.length === 0 || random.chance(0.75)) return randomCheckOf(random, mapped)
  const [{ name }, emitted] = [random.pick(usable), random.pick(emits)]
  const definition = { type, from: name, emits: emitted }
  const indices = mapped.indices.map((index) => ({ ...index, properties: { ...index.properties, r: definition } }))
  const check = randomCheckOf(random, { indices })
  if (check.kind === 'do' || check.kind === 'write' || check.kind === 'by-query' || check.kind === 'scores')
    return check
  const runtime = { r: { type, script: runtimeScript(name, emitted) } }
  return { ...check, body: { ...check.body, runtime_mappings: runtime } }
}

function randomCheckOf(random: Random, world: World): Check {
  const query = random.chance(0.75) ? { query: randomQuery(random, world) } : {}
  const kind = random.pick([
    'search',
    'search',
    'pages',
    'pages',
    'slices',
    'composite',
    'composite',
    'aggs',
    'aggs',
    'act',
    'collapse',
    'scores',
    'routing',
  ])
  const alias = random.chance(0.15) ? { isAlias: true } : {}
  switch (kind) {
    case 'collapse': {
      const field = random.pick(['one_keyword', 'one_long', 'uid'])
      const body = { ...query, collapse: { field }, sort: randomSort(random, world, true) }
      const isEverywhere = world.indices.every(({ properties }) => properties[field] !== undefined)
      if (isEverywhere) return { kind: 'pages', way: 'from', size: 1 + random.below(20), body }
      return { kind: 'search', body: { ...query, size: 100 } }
    }
    case 'search': {
      const sort = random.chance(0.8) ? { sort: randomSort(random, world, random.chance(0.3)) } : {}
      const filter = random.chance(0.1) ? { post_filter: randomQuery(random, world, 0) } : {}
      return {
        kind,
        body: {
          ...query,
          ...sort,
          ...filter,
          ...(random.chance(0.3) ? { docvalue_fields: randomNames(random, world) } : {}),
          size: random.pick([0, 1, 3, 10, 100]),
          ...(random.chance(0.2) ? { from: random.below(8) } : {}),
        },
      }
    }
    case 'pages': {
      const way = random.pick(WAYS)
      const sort = randomSort(random, world, way === 'search_after' || random.chance(0.4))
      const between =
        way === 'pit' || way === 'scroll' ? { between: random.list(2, () => randomAct(random, world)) } : {}
      const size = 1 + random.below(12)
      if (way !== 'pit' || random.chance(0.5))
        return { kind, way, size, body: { ...query, sort }, ...between, ...alias }
      const last = { _shard_doc: random.pick(['asc', 'desc']) }
      return { kind, way, size, body: { ...query, sort: [...sort, last] }, ...between, ...alias }
    }
    case 'slices': {
      const sort = random.chance(0.6) ? { sort: randomSort(random, world, random.chance(0.5)) } : {}
      const way = random.pick(['pit', 'scroll'] as const)
      return {
        kind,
        way,
        max: 2 + random.below(6),
        size: sort.sort === undefined ? 1000 : random.pick([3, 100]),
        body: { ...query, ...sort },
        ...(random.chance(0.3) ? { field: 'uid' } : {}),
        ...(way === 'pit' ? { between: random.list(2, () => randomAct(random, world)) } : {}),
        ...alias,
      }
    }
    case 'composite':
      return {
        kind,
        size: 1 + random.below(9),
        body: { ...query, size: 0, aggs: { c: randomComposite(random, world) } },
        ...alias,
      }
    case 'aggs':
      return { kind: 'search', body: { ...query, size: 0, aggs: randomAggregations(random, world, 2, '') }, ...alias }
    case 'scores':
      return { kind, body: { query: randomScored(random, world, 2) }, ...alias }
    case 'routing':
      return { kind, routing: random.pick(['r0', 'r1', 'r2,r3']), body: query }
    default:
      return randomAct(random, world)
  }
}

/** Requests that take some documents away, but rarely all. */
function randomAct(random: Random, world: World): Act {
  const kind = random.pick(['do', 'do', 'write', 'write', 'by-query'] as const)
  if (kind === 'do')
    return { kind, path: random.pick(['_forcemerge?max_num_segments=1', '_refresh', '_flush', '_cache/clear']) }
  if (kind === 'write') {
    const at = random.below(world.indices.length)
    const ids = Array.from({ length: 70 }, (_, i) => `${at}-${i}`)
    const uid = () => 10_000 + random.below(2 ** 30)
    return { kind, index: at, writes: randomWrites(random, world.indices[at]!.properties, ids, 12, uid) }
  }
  const op = random.pick(['update', 'update', 'delete'] as const)
  const parameters = random.pick([
    '',
    '&slices=2',
    '&slices=3',
    '&slices=auto',
    '&scroll_size=3',
    '&scroll_size=2&slices=2',
  ])
  const ids = { ids: { values: random.list(6, () => `0-${random.below(60)}`) } }
  return { kind, op, parameters, body: { query: op === 'delete' ? ids : randomQuery(random, world) } }
}

function fieldIn(random: Random, world: World, nested: string, families: ReadonlySet<string>): string | undefined {
  const usable = fieldNames(world).filter(({ field }) => field.nested === nested && families.has(field.type.family))
  return usable.length === 0 ? undefined : random.pick(usable).name
}

const TERMS = new Set(['int', 'long', 'unsigned', 'float', 'double', 'date', 'nanos', 'boolean', 'term'])

function randomSource(random: Random, world: World, nested: string): JsonObject {
  const options = {
    ...(random.chance(0.5) ? { order: random.pick(['asc', 'desc']) } : {}),
    ...(random.chance(0.5)
      ? {
          missing_bucket: true,
          ...(random.chance(0.5) ? { missing_order: random.pick(['first', 'last', 'default']) } : {}),
        }
      : {}),
  }
  const kind = random.pick(['terms', 'terms', 'terms', 'histogram', 'date_histogram', 'geotile_grid'])
  const dates = fieldIn(random, world, nested, new Set(['date', 'nanos']))
  const numbers = fieldIn(random, world, nested, new Set(['int', 'float', 'double']))
  const points = fieldNames(world).find(({ field }) => field.typeName === 'geo_point' && field.nested === nested)
  if (kind === 'histogram' && numbers !== undefined)
    return { histogram: { field: numbers, interval: random.pick([1, 2.5, 10]), ...options } }
  if (kind === 'date_histogram' && dates !== undefined) {
    const interval = randomInterval(random)
    // Keys that the format does not show whole are refused.
    const format = interval.fixed_interval !== '12h' && random.chance(0.2) ? { format: 'yyyy-MM-dd' } : {}
    return { date_histogram: { field: dates, ...interval, ...format, ...options } }
  }
  if (kind === 'geotile_grid' && points !== undefined)
    return { geotile_grid: { field: points.name, precision: random.below(6), ...options } }
  return { terms: { field: fieldIn(random, world, nested, TERMS) ?? 'uid', ...options } }
}

function randomNames(random: Random, world: World): Json[] {
  const names = fieldNames(world).filter(({ field }) => field.nested === '' && TERMS.has(field.type.family))
  return [...new Set([random.pick(names).name, random.pick(names).name])]
}

function randomInterval(random: Random): JsonObject {
  return random.chance(0.5)
    ? { calendar_interval: random.pick(['day', 'week', 'month', 'quarter', 'year']) }
    : { fixed_interval: random.pick(['1d', '12h', '30d']) }
}

function randomComposite(random: Random, world: World, nested = ''): JsonObject {
  const sources = Array.from({ length: 1 + random.below(3) }, (_, i) => ({
    [`s${i}`]: randomSource(random, world, nested),
  }))
  const below = random.chance(0.3) ? { aggs: randomAggregations(random, world, 0, nested) } : {}
  return { composite: { size: 1000, sources }, ...below }
}

function randomAggregations(random: Random, world: World, depth: number, nested: string): JsonObject {
  return Object.fromEntries(
    [0, ...random.list(1, () => 1)].map((_, i) => [
      `${'ab'[i]}${depth}`,
      randomAggregation(random, world, depth, nested),
    ]),
  )
}

function randomAggregation(random: Random, world: World, depth: number, nested: string): JsonObject {
  if (depth === 0 || random.chance(0.25)) return randomMetric(random, world, nested)
  const [kind, body, scope] = randomBuckets(random, world, nested)
  if (depth === 2 && kind === 'nested' && random.chance(0.3))
    return { nested: body, aggs: { c: randomComposite(random, world, scope) } }
  // A composite may be inside these only.
  if (depth === 2 && kind === 'filter' && random.chance(0.2))
    return { filter: body, aggs: { c: randomComposite(random, world, nested) } }
  return { [kind]: body, ...(random.chance(0.7) ? { aggs: randomAggregations(random, world, depth - 1, scope) } : {}) }
}

/** The kind and body of a bucket aggregation, and the nested path its sub-aggregations are in. */
function randomBuckets(random: Random, world: World, nested: string): [string, JsonObject, string] {
  const kind = random.pick([
    'terms',
    'terms',
    'histogram',
    'date_histogram',
    'range',
    'filter',
    'filters',
    'missing',
    'nested',
    'reverse_nested',
  ])
  const query = () => randomQuery(random, world, 1, nested)
  const number = fieldIn(random, world, nested, new Set(['int', 'float', 'double'])) ?? 'uid'
  switch (kind) {
    case 'histogram':
      return [kind, { field: number, interval: random.pick([1, 2.5, 10]), min_doc_count: 1 }, nested]
    case 'date_histogram': {
      const field = fieldIn(random, world, nested, new Set(['date', 'nanos']))
      if (field !== undefined)
        return [kind, { field, ...randomInterval(random), min_doc_count: random.below(2) }, nested]
      break
    }
    case 'range': {
      const [a, b] = [random.below(5) - 3, random.below(20)] as const
      return [kind, { field: number, ranges: [{ to: a }, { from: a, to: b }, { from: b }] }, nested]
    }
    case 'filter':
      return [kind, query(), nested]
    case 'filters':
      return [kind, { filters: { x: query(), y: query() } }, nested]
    case 'missing':
      return [kind, { field: fieldIn(random, world, nested, TERMS) ?? 'uid' }, nested]
    case 'nested': {
      const inner = nested === '' ? 'o' : 'o.p'
      if (nested !== 'o.p' && hasPath(world, inner)) return [kind, { path: inner }, inner]
      break
    }
    case 'reverse_nested':
      if (nested === 'o.p' && random.chance(0.4)) return [kind, { path: 'o' }, 'o']
      if (nested !== '') return [kind, {}, '']
      break
    default:
  }
  const order: { readonly [name: string]: Json } = random.chance(0.4)
    ? { order: { [random.pick(['_key', '_count'])]: random.pick(['asc', 'desc']) } }
    : {}
  const size = random.chance(0.3) ? { size: random.pick([3, 50]) } : {}
  return ['terms', { field: fieldIn(random, world, nested, TERMS) ?? 'uid', ...order, ...size }, nested]
}

function randomMetric(random: Random, world: World, nested: string): JsonObject {
  const metric = random.pick(METRICS)
  const families =
    metric === 'value_count' || metric === 'cardinality'
      ? TERMS
      : metric === 'min' || metric === 'max'
        ? new Set([...NUMERIC, 'date', 'boolean'])
        : NUMERIC
  const field = fieldIn(random, world, nested, families)
  return field === undefined ? { value_count: { field: 'uid' } } : { [metric]: { field } }
}
