/** Indices and documents as plain data, what they hold after all writes, and the values of their fields. */
import type { Random } from '../fuzz/random.ts'
import { isList, isObject, type Json, type JsonObject, member } from './json.ts'
import { FIELD_TYPES, type FieldType, type Value } from './values.ts'

export type Write =
  | { readonly op: 'index'; readonly id: string; readonly source: JsonObject }
  | { readonly op: 'delete'; readonly id: string }

export interface IndexSpec {
  readonly name: string
  readonly shards: number
  readonly settings: JsonObject
  readonly properties: JsonObject
  /** The filter of the alias of the index, whose name is `aliasOf(index)`. */
  readonly filter: JsonObject
  /** Whether documents must be written with a routing, which is `routingOf(id)`. */
  readonly isRouted: boolean
  /** Every batch is one bulk request and a refresh, and so a segment of each shard it reaches. */
  readonly batches: readonly (readonly Write[])[]
}

export interface World {
  readonly indices: readonly IndexSpec[]
}

/** A document, or a nested object of one. Each has the fields of its own level only. */
export interface Item {
  readonly index: IndexSpec
  readonly id: string
  /** The path of its nested objects; empty for a document. */
  readonly path: string
  readonly source: JsonObject
  readonly parent: Item | undefined
}

export interface Field {
  readonly name: string
  readonly typeName: string
  readonly type: FieldType
  /** The path of the nested objects the field belongs to; empty for a field of documents. */
  readonly nested: string
  readonly definition: JsonObject
}

export const aliasOf = ({ name }: IndexSpec): string => `${name}-alias`

/** Documents of one routing are on one shard. */
export const routingOf = (id: string): string => `r${Number(id.split('-')[1]) % 4}`

/** The model does not know what the request means; such a request proves nothing. */
export class NotModelled extends Error {}

/** The field of that name in an index, aliases resolved; undefined if it is not mapped or an object. */
export function fieldOf(index: IndexSpec, name: string): Field | undefined {
  let properties = index.properties
  let nested = ''
  const parts = name.split('.')
  for (const [i, part] of parts.entries()) {
    const definition = properties[part]
    if (!isObject(definition)) return undefined
    if (definition.type === 'alias') return fieldOf(index, String(definition.path))
    if (i === parts.length - 1) {
      const type = FIELD_TYPES[String(definition.type)]
      return type === undefined ? undefined : { name, typeName: String(definition.type), type, nested, definition }
    }
    if (definition.type === 'nested') nested = parts.slice(0, i + 1).join('.')
    properties = member(definition, 'properties')
  }
  return undefined
}

/**
 * The documents as a search with these runtime fields sees them. The model understands scripts that emit something of every value of
 * one other field.
 */
export function withRuntime(items: readonly Item[], runtime: Json | undefined): readonly Item[] {
  if (!isObject(runtime)) return items
  const added = Object.entries(runtime).map(([name, definition]): [string, Json] => {
    const { type = '', script = '' } = isObject(definition) ? definition : {}
    const found = RUNTIME_SCRIPT.exec(String(script))
    if (found === null) throw new NotModelled(`the script ${script}`)
    return [name, { type, from: found[1]!, emits: found[2]! }]
  })
  const indices = new Map<IndexSpec, IndexSpec>()
  return items.map((item) => {
    let index = indices.get(item.index)
    if (index === undefined) {
      index = { ...item.index, properties: { ...item.index.properties, ...Object.fromEntries(added) } }
      indices.set(item.index, index)
    }
    return { ...item, index }
  })
}

export const runtimeScript = (from: string, emits: string): string =>
  `if (doc.containsKey('${from}')) { for (def v : doc['${from}']) { emit(${emits}) } }`
const RUNTIME_SCRIPT = /^if \(doc\.containsKey\('([\w.]+)'\)\) \{ for \(def v : doc\['\1'\]\) \{ emit\((.*)\) \} \}$/

const EMITS: { readonly [expression: string]: (value: Value) => Value } = {
  v: (value) => value,
  "v + '!'": (value) => `${value}!`,
  'v * 2 + 1': (value) => BigInt(value) * 2n + 1n,
  'v / 2.0': (value) => Number(value) / 2,
  '!v': (value) => 1 - Number(value),
  'v.toInstant().toEpochMilli() + 1': (value) => Number(value) + 1,
}

function runtimeValues(item: Item, field: Field): Value[] {
  const emit = EMITS[String(field.definition.emits)]
  if (emit === undefined) throw new NotModelled(`emit(${field.definition.emits})`)
  const values = valuesOf(item, fieldOf(item.index, String(field.definition.from))).map(emit)
  return values.sort(field.type.compare)
}

/** The values of a field of an item, in order; keywords and the like without repetitions. */
export function valuesOf(item: Item, field: Field | undefined): Value[] {
  if (field === undefined || field.nested !== item.path) return []
  if (field.definition.from !== undefined) return runtimeValues(item, field)
  const inner = field.nested === '' ? field.name : field.name.slice(field.nested.length + 1)
  const values = leaves(item.source, inner.split('.'))
    .map((json) => (json === null ? (field.definition.null_value ?? null) : json))
    .filter((json) => json !== null)
    .map((json) => field.type.read(json))
    .filter((value) => value !== undefined)
    .filter((value) => String(value).length <= Number(field.definition.ignore_above ?? Number.MAX_SAFE_INTEGER))
    .sort(field.type.compare)
  return field.type.keepsRepeated ? values : values.filter((value, i) => i === 0 || value !== values[i - 1])
}

function leaves(json: Json | undefined, path: readonly string[]): Json[] {
  if (json === undefined) return []
  if (isList(json)) return json.flatMap((item) => leaves(item, path))
  if (path.length === 0) return [json]
  return isObject(json) ? leaves(json[path[0]!], path.slice(1)) : []
}

/** The nested objects of that path in an item, at any depth below it. */
export function nestedOf(item: Item, path: string): Item[] {
  if (item.path === path) return [item]
  const levels = nestedLevels(item.index, path)
  const next = levels.find((level) => item.path === '' || level.startsWith(`${item.path}.`))
  if (next === undefined || !levels.includes(path)) return []
  const inner = item.path === '' ? next : next.slice(item.path.length + 1)
  const objects = leaves(item.source, inner.split('.')).filter(isObject)
  return objects.flatMap((source) =>
    nestedOf({ index: item.index, id: item.id, path: next, source, parent: item }, path),
  )
}

/** The nested paths from the outermost to `path`. */
function nestedLevels(index: IndexSpec, path: string): string[] {
  const levels: string[] = []
  let properties = index.properties
  const parts = path.split('.')
  for (const [i, part] of parts.entries()) {
    const definition = properties[part]
    if (!isObject(definition)) return levels
    if (definition.type === 'nested') levels.push(parts.slice(0, i + 1).join('.'))
    properties = member(definition, 'properties')
  }
  return levels
}

/** The documents that exist after all batches. */
export function itemsOf(world: World): Item[] {
  return world.indices.flatMap((index) => {
    const sources = new Map<string, JsonObject>()
    for (const write of index.batches.flat()) {
      if (write.op === 'delete') sources.delete(write.id)
      else sources.set(write.id, write.source)
    }
    return [...sources].map(([id, source]) => ({ index, id, path: '', source, parent: undefined }))
  })
}

/** A world in which these writes were made, too. */
export function afterWrites({ indices }: World, name: string, writes: readonly Write[]): World {
  return {
    indices: indices.map((index) => (index.name === name ? { ...index, batches: [...index.batches, writes] } : index)),
  }
}

export interface WorldRequest {
  readonly method: string
  readonly path: string
  readonly body: Json | readonly Json[]
  readonly isLines?: true
}

/** The requests that build a world. */
export function setUp(world: World): WorldRequest[] {
  return world.indices.flatMap((index) => [
    {
      method: 'PUT',
      path: `/${index.name}`,
      body: {
        settings: { number_of_shards: index.shards, number_of_replicas: 0, refresh_interval: '-1', ...index.settings },
        mappings: {
          dynamic: false,
          ...(index.isRouted ? { _routing: { required: true } } : {}),
          properties: index.properties,
        },
        aliases: { [aliasOf(index)]: { filter: index.filter } },
      },
    },
    ...index.batches.filter((batch) => batch.length > 0).map((batch) => writeRequest(index, batch)),
  ])
}

export function writeRequest({ name, isRouted }: IndexSpec, writes: readonly Write[]): WorldRequest {
  const place = (id: string): JsonObject => ({ _id: id, ...(isRouted ? { routing: routingOf(id) } : {}) })
  return {
    method: 'POST',
    path: `/${name}/_bulk?refresh=true`,
    body: writes.flatMap((write): Json[] =>
      write.op === 'delete' ? [{ delete: place(write.id) }] : [{ index: place(write.id) }, write.source],
    ),
    isLines: true,
  }
}

const several = (random: Random, make: () => Json): Json => {
  if (random.chance(0.06)) return null
  if (random.chance(0.7)) return make()
  return Array.from({ length: random.below(4) }, () => (random.chance(0.1) ? null : make()))
}

/** A random JSON object with some of the fields of a mapping. */
export function randomSource(random: Random, properties: JsonObject): JsonObject {
  const source: Record<string, Json> = {}
  for (const [name, definition] of Object.entries(properties)) {
    if (!isObject(definition) || definition.type === 'alias' || name === 'uid' || random.chance(0.2)) continue
    const inner = definition.properties
    if (isObject(inner)) {
      const make = () => randomSource(random, inner)
      source[name] = random.chance(0.6) ? make() : random.list(3, make)
    } else {
      const type = FIELD_TYPES[String(definition.type)]!
      source[name] = name.startsWith('one_') ? type.random(random) : several(random, () => type.random(random))
    }
  }
  return source
}

const definitionOf = (type: string): JsonObject => ({ type, ...FIELD_TYPES[type]!.extras })

/** Every world has these fields, named by what the requests use them for. */
function randomProperties(random: Random, types: readonly string[]): JsonObject {
  const properties: Record<string, Json> = { uid: { type: 'integer' } }
  for (const type of types) if (random.chance(0.7)) properties[`f_${type}`] = definitionOf(type)
  if (properties.f_keyword !== undefined && random.chance(0.5)) properties.al = { type: 'alias', path: 'f_keyword' }
  // At most one value per document, for collapse.
  for (const type of ['keyword', 'long']) if (random.chance(0.5)) properties[`one_${type}`] = { type }
  if (random.chance(0.4)) properties.f_nv = { type: 'keyword', null_value: 'NULL', ignore_above: 4 }
  if (random.chance(0.5)) properties.ob = { properties: { n: { type: 'integer' }, k: { type: 'keyword' } } }
  if (random.chance(0.6)) {
    const deep = { type: 'nested', properties: { n: { type: 'integer' }, k: { type: 'keyword' } } }
    properties.o = {
      type: 'nested',
      properties: { n: { type: 'long' }, k: { type: 'keyword' }, d: { type: 'date' }, p: deep },
    }
  }
  return properties
}

/** A field of a type that may differ between the indices of a world; their values are compared with each other. */
const MIXED = [['integer', 'long'], ['byte', 'integer'], ['short', 'double'], ['long', 'integer'], ['keyword']]

/** Writes of documents with these ids; `uid` numbers them. */
export function randomWrites(
  random: Random,
  properties: JsonObject,
  ids: readonly string[],
  max: number,
  uid: () => number,
): Write[] {
  return random.list(max, (): Write => {
    const id = random.pick(ids)
    if (random.chance(0.15)) return { op: 'delete', id }
    return { op: 'index', id, source: { uid: uid(), ...randomSource(random, properties) } }
  })
}

export function randomWorld(random: Random, name: string, types: readonly string[]): World {
  const count = random.chance(0.3) ? 2 : 1
  const mixed = random.pick(MIXED)
  let uid = 0
  const indices = Array.from({ length: count }, (_, at): IndexSpec => {
    const properties = {
      ...randomProperties(random, types),
      ...(random.chance(0.5) ? { mix: { type: mixed[at % mixed.length]! } } : {}),
    }
    const ids = Array.from({ length: 1 + random.below(60) }, (_, i) => `${at}-${i}`)
    const batches = Array.from({ length: 1 + random.below(4) }, () =>
      randomWrites(random, properties, ids, 40, () => uid++),
    )
    const sorted = Object.keys(properties).filter((field) => /^(uid|f_(keyword|integer|date|double))$/.test(field))
    return {
      name: `${name}-${at}`,
      shards: random.pick([1, 1, 2, 3, 5]),
      settings: random.chance(0.15)
        ? { 'sort.field': random.pick(sorted), 'sort.order': random.pick(['asc', 'desc']) }
        : {},
      properties,
      filter: random.pick<JsonObject>([
        { match_all: {} },
        { range: { uid: { gte: 10 } } },
        { exists: { field: 'f_keyword' } },
        { bool: { must_not: { term: { f_boolean: true } } } },
      ]),
      isRouted: random.chance(0.15),
      batches,
    }
  })
  return { indices }
}

/** The names of all leaf fields of a world, with the type in the first index that has the field. */
export function fieldNames(world: World): { name: string; field: Field }[] {
  const found = new Map<string, Field>()
  const visit = (index: IndexSpec, properties: JsonObject, prefix: string): void => {
    for (const [name, definition] of Object.entries(properties)) {
      if (!isObject(definition)) continue
      if (isObject(definition.properties)) visit(index, definition.properties, `${prefix}${name}.`)
      else {
        const field = fieldOf(index, prefix + name)
        if (field !== undefined && !found.has(prefix + name)) found.set(prefix + name, field)
      }
    }
  }
  for (const index of world.indices) visit(index, index.properties, '')
  return [...found].map(([name, field]) => ({ name, field }))
}

/** The type that the field has in the first index that maps it. */
export function typeIn(items: readonly Item[], name: string): Field | undefined {
  for (const { index } of items) {
    const field = fieldOf(index, name)
    if (field !== undefined) return field
  }
  return undefined
}
