/**
 * Runtime fields become OpenSearch's derived fields. Those match nothing under names with dots, so that they get plain
 * names on the way; `exists` matches nothing at all and becomes an equivalent query of the type; sorts become scripts.
 */
import { RawJson } from '../../base/json/json-writer.ts'
import { namePattern } from '../../base/name-pattern.ts'
import type { JsonObject } from '../../service/metadata/metadata.ts'
import { hitsOf, numberOf } from './answer-tree.ts'
import { isObject } from './field-types.ts'
import { notInCluster } from './not-in-cluster.ts'
import { type RuntimeField, renamedClauses } from './runtime-queries.ts'
import { runtimeSort } from './runtime-sort.ts'
import type { Rewrite } from './search-rewrite.ts'
import { emitScript } from './source-script.ts'

const TYPES: ReadonlySet<unknown> = new Set(['boolean', 'date', 'double', 'ip', 'keyword', 'long', 'geo_point'])

export const runtimeFields: Rewrite = (request, scope) => {
  const { runtime_mappings: own, ...rest } = request
  const inMappings = scope.runtime
  const all: Record<string, JsonObject> = {
    ...inMappings,
    ...(isObject(own) ? (own as Record<string, JsonObject>) : {}),
  }
  const names = Object.keys(all)
  if (names.length === 0) return own === undefined ? undefined : { request: rest }
  const used = usedNames(rest, names)
  if (used.length === 0) return own === undefined ? undefined : { request: rest }
  const fields = new Map<string, RuntimeField>()
  for (const name of used) {
    const definition = all[name]!
    const type = String(definition['type'])
    if (!TYPES.has(type)) throw notInCluster(`the runtime field type [${type}]`)
    // The plain name depends on nothing but the name, so that later pages of a scroll can be read without the search.
    fields.set(name, { name, inner: `sandpiper_runtime_${Buffer.from(name).toString('hex')}`, type, definition })
  }
  const derived = Object.fromEntries([...fields.values()].map((field) => [field.inner, derivedOf(field)]))
  const { sort, amend: amendSort } = runtimeSort(rest['sort'], fields)
  const changed: JsonObject = { ...rest, derived }
  for (const part of ['query', 'post_filter', 'aggs', 'aggregations', 'collapse']) {
    if (rest[part] !== undefined) changed[part] = renamedClauses(rest[part], fields)
  }
  for (const part of ['fields', 'docvalue_fields']) {
    if (Array.isArray(rest[part])) changed[part] = renamedFields(rest[part], fields)
  }
  if (sort !== undefined) changed['sort'] = sort
  const types = new Map([...fields.values()].map((field) => [field.inner, field]))
  return {
    request: changed,
    amend(answer) {
      for (const hit of hitsOf(answer)) {
        if (isObject(hit['fields'])) hit['fields'] = shownFields(hit['fields'], types)
        if (Array.isArray(hit['sort'])) hit['sort'] = amendSort(hit['sort'])
      }
      return answer
    },
  }
}

/** Names that occur anywhere in the request as a whole text or as a key, or that match a pattern in `fields`. */
function usedNames(request: JsonObject, names: readonly string[]): string[] {
  const found = new Set<string>()
  const look = (value: unknown): void => {
    if (typeof value === 'string') {
      if (names.includes(value)) found.add(value)
      else if (value.includes('*')) for (const name of names.filter(namePattern(value))) found.add(name)
    } else if (Array.isArray(value)) value.forEach(look)
    else if (isObject(value)) {
      for (const [key, inner] of Object.entries(value)) {
        if (names.includes(key)) found.add(key)
        look(inner)
      }
    }
  }
  look(request)
  return [...found]
}

function derivedOf({ name, type, definition }: RuntimeField): JsonObject {
  const { script, format } = definition
  const source =
    script === undefined
      ? { source: emitScript(name, definition) }
      : typeof script === 'string'
        ? { source: script }
        : script
  return { type, script: source, ...(format === undefined ? {} : { format }) }
}

function renamedFields(list: readonly unknown[], fields: ReadonlyMap<string, RuntimeField>): unknown[] {
  const out: unknown[] = []
  for (const item of list) {
    const name = typeof item === 'string' ? item : isObject(item) ? String(item['field']) : ''
    const exact = fields.get(name)
    if (exact === undefined) out.push(item)
    const added =
      exact === undefined && name.includes('*')
        ? [...fields.values()].filter((field) => namePattern(name)(field.name))
        : exact === undefined
          ? []
          : [exact]
    for (const { inner } of added) out.push(isObject(item) ? { ...item, field: inner } : inner)
  }
  return out
}

function shownFields(values: JsonObject, types: ReadonlyMap<string, RuntimeField>): JsonObject {
  const out: JsonObject = {}
  for (const [key, value] of Object.entries(values)) {
    const field = types.get(key)
    if (field === undefined) out[key] ??= value
    else out[field.name] = Array.isArray(value) ? value.map((item) => shownValue(item, field.type)) : value
  }
  return out
}

/** Whole numbers come with a fraction. */
export function shownValue(value: unknown, type: string): unknown {
  const number = type === 'long' ? numberOf(value) : undefined
  return number !== undefined && Number.isSafeInteger(number) ? new RawJson(String(number)) : value
}
