/** Random aggregations about a world. */
import type { Random } from '../fuzz/random.ts'
import { isObject, type Json, type JsonObject } from './json.ts'
import { hasPath, randomQuery } from './queries.ts'
import { randomSort } from './sorts.ts'
import { fieldNames, type World } from './world.ts'

const METRICS = ['min', 'max', 'sum', 'avg', 'stats', 'value_count', 'cardinality'] as const
const NUMERIC = new Set(['int', 'long', 'float', 'double'])

function fieldIn(random: Random, world: World, nested: string, families: ReadonlySet<string>): string | undefined {
  const usable = fieldNames(world).filter(({ field }) => field.nested === nested && families.has(field.type.family))
  return usable.length === 0 ? undefined : random.pick(usable).name
}

export const TERMS = new Set(['int', 'long', 'unsigned', 'float', 'double', 'date', 'nanos', 'boolean', 'term'])

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

function randomInterval(random: Random): JsonObject {
  return random.chance(0.5)
    ? { calendar_interval: random.pick(['day', 'week', 'month', 'quarter', 'year']) }
    : { fixed_interval: random.pick(['1d', '12h', '30d']) }
}

export function randomComposite(random: Random, world: World, nested = ''): JsonObject {
  const sources = Array.from({ length: 1 + random.below(3) }, (_, i) => ({
    [`s${i}`]: randomSource(random, world, nested),
  }))
  const below = random.chance(0.3) ? { aggs: randomAggregations(random, world, 0, nested) } : {}
  return { composite: { size: 1000, sources }, ...below }
}

export function randomAggregations(random: Random, world: World, depth: number, nested: string): JsonObject {
  const aggs = Object.fromEntries(
    [0, ...random.list(1, () => 1)].map((_, i) => [
      `${'ab'[i]}${depth}`,
      randomAggregation(random, world, depth, nested),
    ]),
  )
  // Keys that are doubles have a text of their own.
  const isSibling = ({ terms, date_histogram }: JsonObject) =>
    date_histogram !== undefined || (isObject(terms) && !/float|double|mix|^r$/.test(String(terms.field)))
  const sibling = Object.entries(aggs).find(([, agg]) => isSibling(agg))
  if (sibling === undefined || !random.chance(0.5)) return aggs
  const kind = random.pick(['max_bucket', 'min_bucket', 'sum_bucket', 'avg_bucket', 'stats_bucket'])
  return { ...aggs, s: { [kind]: { buckets_path: `${sibling[0]}>_count` } } }
}

function randomAggregation(random: Random, world: World, depth: number, nested: string): JsonObject {
  if (depth === 0 || random.chance(0.25)) return randomMetric(random, world, nested)
  const [kind, body, scope] = randomBuckets(random, world, nested)
  if (depth === 2 && kind === 'nested' && random.chance(0.3))
    return { nested: body, aggs: { c: randomComposite(random, world, scope) } }
  // A composite may be inside these only.
  if (depth === 2 && kind === 'filter' && random.chance(0.2))
    return { filter: body, aggs: { c: randomComposite(random, world, nested) } }
  const below = random.chance(0.7) ? randomAggregations(random, world, depth - 1, scope) : {}
  const aggs = { ...below, ...randomPipeline(random, kind, body) }
  return { [kind]: body, ...(Object.keys(aggs).length > 0 ? { aggs } : {}) }
}

/** A pipeline inside of an aggregation that has ordered buckets. */
function randomPipeline(random: Random, kind: string, body: JsonObject): JsonObject {
  if (!random.chance(0.4)) return {}
  if (kind === 'terms') {
    const size = random.chance(0.5) ? { size: 1 + random.below(4) } : {}
    const sort = { sort: [{ _count: { order: random.pick(['asc', 'desc']) } }] }
    return { p: { bucket_sort: { ...sort, ...size, ...(random.chance(0.3) ? { from: 1 } : {}) } } }
  }
  // Gaps would be counted, or not, by a policy.
  if (!/histogram$/.test(kind) || body.min_doc_count !== 0) return {}
  const path = { buckets_path: '_count' }
  return random.pick<JsonObject>([
    { p: { cumulative_sum: path } },
    { p: { derivative: path } },
    { p: { serial_diff: { ...path, lag: 1 + random.below(2) } } },
  ])
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
    'rare_terms',
    'adjacency_matrix',
    'date_range',
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
    case 'filters': {
      const other = random.chance(0.4) ? { other_bucket_key: 'z' } : {}
      return [kind, { filters: random.chance(0.3) ? [query(), query()] : { x: query(), y: query() }, ...other }, nested]
    }
    case 'adjacency_matrix':
      return [kind, { filters: { x: query(), y: query(), z: query() } }, nested]
    case 'rare_terms': {
      const field = fieldIn(random, world, nested, new Set(['int', 'long', 'term', 'date']))
      if (field !== undefined) return [kind, { field, max_doc_count: 1 + random.below(5) }, nested]
      break
    }
    case 'date_range': {
      const field = fieldIn(random, world, nested, new Set(['date', 'nanos']))
      const [a, b] = [random.pick([0, 1703980800000]), random.pick([1704067200000, 1704240000000])] as const
      if (field !== undefined) return [kind, { field, ranges: [{ to: b }, { from: a, to: b }, { from: a }] }, nested]
      break
    }
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
  const field = fieldIn(random, world, nested, TERMS) ?? 'uid'
  return ['terms', { field, ...order, ...size, ...randomTermsOptions(random, world, field) }, nested]
}

/** Which terms count, and which stands for none. */
function randomTermsOptions(random: Random, world: World, name: string): JsonObject {
  const { field } = fieldNames(world).find((other) => other.name === name) ?? {}
  if (field === undefined || name === 'mix' || !random.chance(0.3)) return {}
  const value = () => field.type.random(random)
  if (field.typeName === 'keyword' || field.typeName === 'byte') {
    const list = [value(), value(), value()]
    return random.pick<JsonObject>([{ include: list }, { exclude: list }, { missing: value() }])
  }
  return {}
}

function randomMetric(random: Random, world: World, nested: string): JsonObject {
  if (nested === '' && random.chance(0.12))
    return { top_hits: { sort: randomSort(random, world, true), size: random.pick([1, 3, 20]) } }
  const weighted = fieldIn(random, world, nested, new Set(['int', 'float', 'double']))
  if (nested === '' && weighted !== undefined && random.chance(0.08))
    return { weighted_avg: { value: { field: weighted }, weight: { field: 'uid' } } }
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
