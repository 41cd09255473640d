/** The documents that a search finds, in order, and whether hits of a service are those. */
import { isDeepStrictEqual } from 'node:util'
import { isObject, type Json, type JsonObject, listOf, member, print } from './json.ts'
import { matches } from './queries.ts'
import { compareKeys, type SortKey, sortKey, specsOf, UNKNOWN } from './sorts.ts'
import type { Value } from './values.ts'
import { type Field, fieldOf, type Item, NotModelled, valuesOf } from './world.ts'

export interface Ranked {
  readonly item: Item
  readonly keys: readonly SortKey[]
}

const KNOWN = new Set([
  'query',
  'post_filter',
  'sort',
  'size',
  'from',
  'aggs',
  'collapse',
  '_source',
  'track_total_hits',
  'fields',
  'docvalue_fields',
  'runtime_mappings',
])

/** All documents that match, in order; those that the sort does not tell apart are in no particular order. */
export function ranked(items: readonly Item[], body: JsonObject): Ranked[] {
  const unknown = Object.keys(body).find((name) => !KNOWN.has(name))
  if (unknown !== undefined) throw new NotModelled(`the member ${unknown}`)
  const specs = specsOf(body.sort)
  const found = items.filter((item) => matches(item, body.query) && matches(item, body.post_filter))
  const all = found.map((item) => ({ item, keys: specs.map((spec) => sortKey(item, spec)) }))
  all.sort((a, b) => compareKeys(specs, a.keys, b.keys))
  return body.collapse === undefined ? all : collapsed(all, String(member(body, 'collapse').field))
}

/** The first document of every group; the groups of documents without a value are one. */
function collapsed(all: readonly Ranked[], field: string): Ranked[] {
  const seen = new Set<string>()
  return all.filter(({ item }) => {
    const key = valuesOf(item, fieldOf(item.index, field)).join()
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

export const hitName = ({ index, id }: Item): string => `${index.name}/${id}`

/** The difference between `hits` and the expected documents from `from` on, of which there may be more; undefined if there is none. */
export function hitsDiffer(
  hits: readonly Json[],
  expected: readonly Ranked[],
  from: number,
  sort: Json | undefined,
): string | undefined {
  const specs = specsOf(sort)
  const byName = new Map(expected.map((entry) => [hitName(entry.item), entry]))
  const seen = new Set<string>()
  for (const [i, hit] of hits.entries()) {
    if (!isObject(hit)) return `hit ${i} is no object`
    const name = `${hit._index}/${hit._id}`
    const own = byName.get(name)
    const wanted = expected[from + i]
    if (own === undefined) return `hit ${from + i} is ${name}, which does not match`
    if (wanted === undefined) return `hit ${from + i}, ${name}, is one too many`
    if (seen.has(name)) return `${name} is there twice`
    seen.add(name)
    if (compareKeys(specs, own.keys, wanted.keys) !== 0)
      return `hit ${from + i} is ${name} ${print(shown(own))} instead of ${hitName(wanted.item)} ${print(shown(wanted))}`
    for (const [k, spec] of specs.entries()) {
      if (UNKNOWN.has(spec.name)) continue
      const value = listOf(hit.sort)[k]
      if (!isDeepStrictEqual(value, own.keys[k]!.shown))
        return `sort value ${k} of ${name} is ${print(value ?? null)} instead of ${print(own.keys[k]!.shown)}`
    }
    if (hit._source !== undefined && !isDeepStrictEqual(hit._source, own.item.source))
      return `_source of ${name} differs`
  }
  return undefined
}

/** Whether `docvalue_fields` have other values in hits than in their documents. */
export function fieldsDiffer(
  hits: readonly Json[],
  expected: readonly Ranked[],
  names: Json | undefined,
): string | undefined {
  const byName = new Map(expected.map(({ item }) => [hitName(item), item]))
  for (const hit of hits) {
    const item = isObject(hit) ? byName.get(`${hit._index}/${hit._id}`) : undefined
    for (const name of item === undefined ? [] : listOf(names)) {
      const field = fieldOf(item!.index, String(name))
      const wanted = field === undefined ? [] : valuesOf(item!, field).map((value) => shownField(field, value))
      const found = member(hit, 'fields')[String(name)] ?? []
      if (!isDeepStrictEqual(found, wanted))
        return `fields.${name} of ${hitName(item!)} is ${print(found)} instead of ${print(wanted)}`
    }
  }
  return undefined
}

function shownField(field: Field, value: Value): Json {
  switch (field.type.family) {
    case 'date':
      return new Date(Number(value)).toISOString()
    case 'nanos':
    case 'none':
      throw new NotModelled(`how ${field.typeName} is shown`)
    default:
      return field.type.show(value)
  }
}

const shown = ({ keys }: Ranked): Json => keys.map((key) => key.shown)
