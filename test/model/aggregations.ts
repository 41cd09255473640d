/** Aggregations computed by reading every item once per aggregation. */
import { compositeBuckets } from './composite.ts'
import { bucketValues, nextOf, startOf, toMillis } from './intervals.ts'
import { isList, isObject, type Json, type JsonObject, listOf, member } from './json.ts'
import { isPipeline, siblingPipelines, withPipelines } from './pipelines.ts'
import { isNestedIn, matches } from './queries.ts'
import { ranked } from './search.ts'
import { shownDouble, shownWhole, type Value } from './values.ts'
import { type Field, fieldOf, type Item, NotModelled, nestedOf, routingOf, typeIn } from './world.ts'

/** The answer to `aggs` for the items in scope; `all` are all documents of the searched indices. */
export function aggregate(items: readonly Item[], aggs: Json | undefined, all: readonly Item[]): JsonObject {
  const definitions: JsonObject = isObject(aggs) ? aggs : {}
  const results = Object.fromEntries(
    Object.entries(definitions).flatMap(([name, definition]) => {
      const [kind, body] = Object.entries(definition as JsonObject).find(([key]) => key !== 'aggs' && key !== 'meta')!
      if (isPipeline(kind)) return []
      const make = KINDS[kind]
      if (make === undefined) throw new NotModelled(`the aggregation [${kind}]`)
      const below = member(definition, 'aggs')
      const bucket = (inner: readonly Item[]): JsonObject => ({
        doc_count: inner.length,
        ...aggregate(inner, below, all),
      })
      return [[name, withPipelines(make(items, body as JsonObject, { bucket, all }), below)]]
    }),
  )
  return { ...results, ...siblingPipelines(definitions, results) }
}

interface Context {
  /** The count and the sub-aggregations of a bucket. */
  bucket(items: readonly Item[]): JsonObject
  readonly all: readonly Item[]
}

type Kind = (items: readonly Item[], body: JsonObject, context: Context) => Json

const fieldValues = (item: Item, name: Json | undefined): Value[] =>
  bucketValues(item, fieldOf(item.index, String(name)))

/** `count` and the members that show a key as text. */
export function keyOf(field: Field, value: Value): JsonObject {
  const { family } = field.type
  if (family === 'boolean') return { key: value, key_as_string: value === 1 ? 'true' : 'false' }
  if (family === 'date' || family === 'nanos') {
    const ms = Number(value)
    return { key: ms, key_as_string: new Date(ms).toISOString() }
  }
  return { key: field.type.show(value) }
}

function grouped<K>(items: readonly Item[], keysOf: (item: Item) => readonly K[]): Map<K, Item[]> {
  const groups = new Map<K, Item[]>()
  for (const item of items) {
    for (const key of new Set(keysOf(item))) {
      const group = groups.get(key)
      if (group === undefined) groups.set(key, [item])
      else group.push(item)
    }
  }
  return groups
}

/** One number is one term, whether an index has it as an integer or as a long. */
function termsOf(item: Item, field: Field, { field: name, include, exclude, missing }: JsonObject): Value[] {
  const values = fieldValues(item, name)
  const used = values.length === 0 && missing !== undefined ? [field.type.read(missing)!] : values
  const isIn = (list: Json, value: Value) => listOf(list).some((other) => field.type.read(other) === value)
  return used
    .filter(
      (value) => (include === undefined || isIn(include, value)) && (exclude === undefined || !isIn(exclude, value)),
    )
    .map(shownWhole)
}

const numbersOf = (items: readonly Item[], field: Json | undefined): number[] =>
  items.flatMap((item) => fieldValues(item, field).map(Number))

/** The same numbers for sums, of which Elasticsearch and the model keep other digits if they are very large. */
function summable(items: readonly Item[], field: Json | undefined): number[] {
  const numbers = numbersOf(items, field)
  if (numbers.length > 1 && numbers.some((value) => Math.abs(value) > 2 ** 53 && value !== 1e300))
    throw new NotModelled('sums of very large numbers')
  return numbers
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, value) => sum + value, 0)

const KINDS: { readonly [kind: string]: Kind } = {
  terms: (items, body, { bucket }) => {
    const name = String(body.field)
    const field = typeIn(items, name)
    if (field === undefined) return { doc_count_error_upper_bound: 0, sum_other_doc_count: 0, buckets: [] }
    const groups = [...grouped(items, (item) => termsOf(item, field, body))]
    // Shards send this many terms; beyond, the counts are estimates.
    if (groups.length > Number(body.size ?? 10) * 1.5 + 10) throw new NotModelled('terms that shards leave out')
    const byKey = ([a]: [Value, Item[]], [b]: [Value, Item[]]) => field.type.compare(a, b)
    const [order, direction] = Object.entries(isObject(body.order) ? body.order : { _count: 'desc' })[0]!
    const sign = direction === 'desc' ? -1 : 1
    groups.sort((a, b) => (order === '_key' ? sign * byKey(a, b) : sign * (a[1].length - b[1].length) || byKey(a, b)))
    const least = Number(body.min_doc_count ?? 1)
    const kept = groups.filter(([, group]) => group.length >= least)
    const shown = kept.slice(0, Number(body.size ?? 10))
    return {
      doc_count_error_upper_bound: 0,
      sum_other_doc_count: sumOf(kept.slice(shown.length).map(([, group]) => group.length)),
      buckets: shown.map(([value, group]) => ({ ...keyOf(field, value), ...bucket(group) })),
    }
  },
  composite: (items, body, { bucket }) => compositeBuckets(items, body, bucket),
  histogram: (items, body, { bucket }) => {
    const interval = Number(body.interval)
    const offset = Number(body.offset ?? 0)
    const groups = grouped(items, (item) =>
      fieldValues(item, body.field).map((value) => Math.floor((Number(value) - offset) / interval) * interval + offset),
    )
    const keys = filled([...groups.keys()], body, (key) => key + interval)
    return { buckets: keys.map((key) => ({ key, ...bucket(groups.get(key) ?? []) })) }
  },
  date_histogram: (items, body, { bucket }) => {
    const groups = grouped(items, (item) =>
      fieldValues(item, body.field).map((value) => startOf(body, toMillis(value))),
    )
    const keys = filled([...groups.keys()], body, (key) => nextOf(body, key))
    return {
      buckets: keys.map((key) => ({
        key_as_string: new Date(key).toISOString(),
        key,
        ...bucket(groups.get(key) ?? []),
      })),
    }
  },
  range: (items, body, { bucket }) => {
    const buckets = listOf(body.ranges).map((range) => {
      const { from, to } = range as JsonObject
      const [low, high] = [from ?? -Infinity, to ?? Infinity].map(Number) as [number, number]
      const inside = (value: Value) => Number(value) >= low && Number(value) < high
      const text = (bound: Json | undefined) => (bound === undefined ? '*' : Number(bound).toFixed(1))
      return {
        low,
        high,
        shown: {
          key: `${text(from)}-${text(to)}`,
          ...(from === undefined ? {} : { from }),
          ...(to === undefined ? {} : { to }),
          ...bucket(items.filter((item) => fieldValues(item, body.field).some(inside))),
        },
      }
    })
    buckets.sort((a, b) => (a.low === b.low ? a.high - b.high : a.low < b.low ? -1 : 1))
    return { buckets: buckets.map(({ shown }) => shown) }
  },
  filter: (items, body, { bucket }) => bucket(items.filter((item) => matches(item, body))),
  rare_terms: (items, body, { bucket }) => {
    const field = typeIn(items, String(body.field))
    if (field === undefined) return { buckets: [] }
    const groups = [...grouped(items, (item) => termsOf(item, field, body))]
    const rare = groups.filter(([, group]) => group.length <= Number(body.max_doc_count ?? 1))
    rare.sort(([a, left], [b, right]) => left.length - right.length || field.type.compare(a, b))
    return { buckets: rare.map(([value, group]) => ({ ...keyOf(field, value), ...bucket(group) })) }
  },
  filters: (items, body, { bucket }) => {
    const named = isList(body.filters) ? undefined : Object.keys(member(body, 'filters'))
    const queries = isList(body.filters) ? body.filters : Object.values(member(body, 'filters'))
    const groups = queries.map((query) => items.filter((item) => matches(item, query)))
    const other = body.other_bucket_key
    if (other !== undefined) groups.push(items.filter((item) => !queries.some((query) => matches(item, query))))
    const buckets = groups.map(bucket)
    if (named === undefined) return { buckets }
    const names = [...named, ...(other === undefined ? [] : [String(other)])]
    return { buckets: Object.fromEntries(names.map((name, i) => [name, buckets[i]!])) }
  },
  adjacency_matrix: (items, body, { bucket }) => {
    const filters = Object.entries(member(body, 'filters')).sort(([a], [b]) => (a < b ? -1 : 1))
    const pairs = filters.flatMap(([name, query], i) => [
      { key: name, queries: [query] },
      ...filters.slice(i + 1).map(([other, second]) => ({ key: `${name}&${other}`, queries: [query, second] })),
    ])
    const found = pairs.map(({ key, queries }) => ({
      key,
      group: items.filter((item) => queries.every((query) => matches(item, query))),
    }))
    const shown = found.filter(({ group }) => group.length > 0).sort((a, b) => (a.key < b.key ? -1 : 1))
    return { buckets: shown.map(({ key, group }) => ({ key, ...bucket(group) })) }
  },
  date_range: (items, body, { bucket }) => {
    const iso = (ms: number) => new Date(ms).toISOString()
    const buckets = listOf(body.ranges).map((range) => {
      const { from, to } = range as JsonObject
      const [low, high] = [from ?? -Infinity, to ?? Infinity].map(Number) as [number, number]
      const inside = (value: Value) => Number(value) >= low && Number(value) < high
      const key = `${from === undefined ? '*' : iso(low)}-${to === undefined ? '*' : iso(high)}`
      const bounds = {
        ...(from === undefined ? {} : { from, from_as_string: iso(low) }),
        ...(to === undefined ? {} : { to, to_as_string: iso(high) }),
      }
      const group = items.filter((item) => fieldValues(item, body.field).some(inside))
      return { low, high, shown: { key, ...bounds, ...bucket(group) } }
    })
    buckets.sort((a, b) => (a.low === b.low ? a.high - b.high : a.low < b.low ? -1 : 1))
    return { buckets: buckets.map(({ shown }) => shown) }
  },
  weighted_avg: (items, body) => {
    const [value, weight] = [member(body, 'value').field, member(body, 'weight').field]
    const pairs = items.flatMap((item) => {
      const [own] = numbersOf([item], weight)
      return own === undefined ? [] : summable([item], value).map((number) => [number, own] as const)
    })
    if (pairs.some(([number]) => Math.abs(number) > 1e6)) throw new NotModelled('sums of very large numbers')
    const total = sumOf(pairs.map(([, own]) => own))
    return { value: total === 0 ? null : sumOf(pairs.map(([number, own]) => number * own)) / total }
  },
  top_hits: (items, body) => {
    const { sort, size = 3, from = 0 } = body
    const hits = ranked(items, sort === undefined ? {} : { sort })
    const shown = hits.slice(Number(from), Number(from) + Number(size)).map(({ item, keys }): JsonObject => {
      const routing = item.index.isRouted ? { _routing: routingOf(item.id) } : {}
      const own = { _index: item.index.name, _id: item.id, _score: null, ...routing, _source: item.source }
      return sort === undefined ? own : { ...own, sort: keys.map((key) => key.shown) }
    })
    return { hits: { total: { value: items.length, relation: 'eq' }, max_score: null, hits: shown } }
  },
  missing: (items, body, { bucket }) => bucket(items.filter((item) => fieldValues(item, body.field).length === 0)),
  global: (_, __, { bucket, all }) => bucket(all),
  nested: (items, body, { bucket }) => {
    const path = String(body.path)
    return bucket(items.flatMap((item) => (isNestedIn(item.index, path) ? nestedOf(item, path) : [])))
  },
  reverse_nested: (items, body, { bucket }) => {
    const path = String(body.path ?? '')
    const parents = items.map((item) => {
      let at: Item | undefined = item
      while (at !== undefined && at.path !== path) at = at.parent
      return at
    })
    return bucket([...new Set(parents)].filter((item) => item !== undefined))
  },
  min: (items, body) => extreme(items, body, -1),
  max: (items, body) => extreme(items, body, 1),
  sum: (items, body) => ({ value: sumOf(summable(items, body.field)) }),
  avg: (items, body) => {
    const numbers = summable(items, body.field)
    return { value: numbers.length === 0 ? null : sumOf(numbers) / numbers.length }
  },
  stats: (items, body) => {
    const numbers = summable(items, body.field)
    const [count, sum] = [numbers.length, sumOf(numbers)]
    if (count === 0) return { count, min: null, max: null, avg: null, sum }
    return { count, min: Math.min(...numbers), max: Math.max(...numbers), avg: sum / count, sum }
  },
  value_count: (items, body) => ({ value: items.flatMap((item) => fieldValues(item, body.field)).length }),
  cardinality: (items, body) => ({
    value: new Set(items.flatMap((item) => fieldValues(item, body.field).map(String))).size,
  }),
}

function extreme(items: readonly Item[], { field }: JsonObject, sign: number): Json {
  const mapped = typeIn(items, String(field))
  const values = items.flatMap((item) => fieldValues(item, field))
  if (mapped === undefined || values.length === 0) return { value: null }
  const best = values.reduce((a, b) => (Number(b) * sign > Number(a) * sign ? b : a))
  if (mapped.type.family === 'date' || mapped.type.family === 'nanos') {
    const ms = toMillis(best)
    return { value: ms, value_as_string: new Date(ms).toISOString() }
  }
  if (mapped.type.family === 'boolean') return { value: best, value_as_string: best === 1 ? 'true' : 'false' }
  return { value: shownDouble(Number(best)) }
}

/** Keys in order; with `min_doc_count: 0`, those between them, too. */
function filled(found: readonly number[], { min_doc_count }: JsonObject, next: (key: number) => number): number[] {
  const keys = [...found].sort((a, b) => a - b)
  if (Number(min_doc_count ?? 0) > 0 || keys.length === 0) return keys
  const all: number[] = []
  for (let key = keys[0]!; key <= keys.at(-1)!; key = next(key)) {
    all.push(key)
    if (all.length > 10_000) throw new NotModelled('very many buckets')
  }
  return all
}
