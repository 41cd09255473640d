/** Which documents a query matches, found by looking at each of them; and random queries. */
import type { Random } from '../fuzz/random.ts'
import { isObject, type Json, type JsonObject, listOf, member } from './json.ts'
import { millis, type Value, WORDS } from './values.ts'
import {
  type Field,
  fieldNames,
  fieldOf,
  type IndexSpec,
  type Item,
  NotModelled,
  nestedOf,
  valuesOf,
  type World,
} from './world.ts'

/** The only member of a clause or of an aggregation without sub-aggregations. */
export function only(value: Json | undefined): [string, Json] {
  const entries = isObject(value) ? Object.entries(value) : []
  if (entries.length !== 1) throw new NotModelled('an object with one member')
  return entries[0]!
}

export function matches(item: Item, query: Json | undefined): boolean {
  if (query === undefined) return true
  const [kind, body] = only(query)
  const clause = CLAUSES[kind]
  if (clause === undefined) throw new NotModelled(`the query [${kind}]`)
  return clause(item, isObject(body) ? body : {})
}

type Clause = (item: Item, body: JsonObject) => boolean

const CLAUSES: { readonly [kind: string]: Clause } = {
  match_all: () => true,
  match_none: () => false,
  ids: (item, { values }) => item.path === '' && listOf(values).includes(item.id),
  exists: (item, { field }) => exists(item, String(field)),
  constant_score: (item, { filter }) => matches(item, filter),
  dis_max: (item, { queries }) => listOf(queries).some((query) => matches(item, query)),
  boosting: (item, { positive }) => matches(item, positive),
  function_score: (item, { query }) => matches(item, query),
  nested: (item, { path, query }) =>
    nestedOf(item, String(path)).some((object) => object !== item && matches(object, query)),
  bool: (item, body) => {
    const should = listOf(body.should)
    const required = [...listOf(body.must), ...listOf(body.filter)]
    const isAlone = required.length === 0
    const least = Number(body.minimum_should_match ?? (isAlone && should.length > 0 ? 1 : 0))
    return (
      required.every((query) => matches(item, query)) &&
      !listOf(body.must_not).some((query) => matches(item, query)) &&
      should.filter((query) => matches(item, query)).length >= least
    )
  },
  term: (item, body) => {
    const [name, given] = only(body)
    return hasTerm(item, name, isObject(given) ? given.value! : given)
  },
  terms: (item, body) => {
    const [name, given] = only(body)
    return listOf(given).some((value) => hasTerm(item, name, value))
  },
  prefix: (item, body) => {
    const [name, given] = only(body)
    const field = fieldOf(item.index, name)
    const start = String(isObject(given) ? given.value : given)
    return termsOf(item, field).some((value) => value.startsWith(start))
  },
  range: (item, body) => {
    const [name, bounds] = only(body)
    const field = fieldOf(item.index, name)
    return field !== undefined && valuesOf(item, field).some((value) => isWithin(field, value, bounds as JsonObject))
  },
  match: (item, body) => {
    const [name, given] = only(body)
    const { query, operator = 'or' } = isObject(given) ? given : { query: given }
    const field = fieldOf(item.index, name)
    if (field !== undefined && field.typeName !== 'text') return hasTerm(item, name, query!)
    const found = new Set(termsOf(item, field))
    const wanted = String(query).toLowerCase().split(' ')
    return operator === 'and' ? wanted.every((word) => found.has(word)) : wanted.some((word) => found.has(word))
  },
  match_phrase: (item, body) => {
    const [name, given] = only(body)
    const field = fieldOf(item.index, name)
    if (field?.typeName !== 'text') throw new NotModelled('phrases of other types')
    return valuesOf(item, field).some((text) => ` ${text} `.includes(` ${given} `))
  },
}

/** The terms of a field: the words of a text, the values of a keyword. */
function termsOf(item: Item, field: Field | undefined): string[] {
  const values = valuesOf(item, field).map(String)
  return field?.typeName === 'text' ? values.flatMap((text) => text.split(' ')) : values
}

function hasTerm(item: Item, name: string, given: Json): boolean {
  const field = fieldOf(item.index, name)
  if (field === undefined) return false
  if (field.typeName === 'text') return termsOf(item, field).includes(String(given))
  // A day is an instant for a runtime field and all of the day for a mapped one.
  if (field.definition.from !== undefined && isDate(field)) throw new NotModelled('terms of a runtime date')
  if (field.type.family === 'date' || field.type.family === 'nanos')
    return valuesOf(item, field).some((value) => isWithin(field, value, { gte: given, lte: given }))
  const wanted = field.typeName === 'scaled_float' ? Math.floor(scaled(given) + 0.5) / 100 : field.type.read(given)
  if (wanted === undefined) throw new NotModelled(`the term ${given}`)
  if (field.type.family === 'int' && Math.abs(Number(given)) >= 2 ** 31) throw new NotModelled('a term out of range')
  const isFraction = field.type.family === 'int' && typeof given === 'number' && !Number.isInteger(given)
  return !isFraction && valuesOf(item, field).some((value) => field.type.compare(value, wanted) === 0)
}

function exists(item: Item, name: string): boolean {
  const prefix = `${name}.`
  const visit = (properties: JsonObject, path: string): boolean =>
    Object.entries(properties).some(([part, definition]) => {
      if (!isObject(definition)) return false
      const full = path + part
      if (isObject(definition.properties)) return visit(definition.properties, `${full}.`)
      return (full === name || full.startsWith(prefix)) && valuesOf(item, fieldOf(item.index, full)).length > 0
    })
  return visit(item.index.properties, '')
}

/** Whether a value lies within the bounds of a range. A date without a time means all of its day. */
function isWithin(field: Field, value: Value, bounds: JsonObject): boolean {
  return Object.entries(bounds).every(([side, bound]) => {
    if (side === 'format' || bound === null) return true
    const limit = boundOf(field, side, bound)
    if (limit === undefined) throw new NotModelled(`the bound ${bound}`)
    const order = field.type.compare(value, limit)
    return side === 'gt' ? order > 0 : side === 'gte' ? order >= 0 : side === 'lt' ? order < 0 : order <= 0
  })
}

const scaled = (given: Json): number => Number((Number(given) * 100).toFixed(6))

const DAY_MS = 86_400_000

function boundOf(field: Field, side: string, bound: Json): Value | undefined {
  // The decimal number times the factor, not the product of doubles.
  if (field.typeName === 'scaled_float') return scaled(bound) / 100
  const { family } = field.type
  if (family === 'date' || family === 'nanos') {
    const isDay = typeof bound === 'string' && /^\d{4}-\d\d-\d\d$/.test(bound)
    const isUpper = side === 'gt' || side === 'lte'
    if (family === 'date') {
      const ms = millis(bound)
      return ms === undefined ? undefined : isDay && isUpper ? ms + DAY_MS - 1 : ms
    }
    const ns = field.type.read(bound)
    if (typeof ns !== 'bigint') return undefined
    return isDay && isUpper ? ns + BigInt(DAY_MS) * 1_000_000n - 1n : ns
  }
  // Bounds of whole numbers keep their fraction.
  if (family === 'int' || family === 'long' || family === 'unsigned')
    return typeof bound === 'number' || typeof bound === 'bigint' ? bound : undefined
  // Only the values of half floats are rounded to them.
  return field.typeName === 'half_float' ? Math.fround(Number(bound)) : field.type.read(bound)
}

const DATES = [
  '2024-01-01',
  '2024-01-02',
  '2023-12-31',
  '2024-02-29',
  '2024-01-01T00:00:00.001Z',
  '2024-01-02T12:30:00.000Z',
]
const isDate = ({ type: { family } }: Field): boolean => family === 'date' || family === 'nanos'

const RANGES = new Set(['int', 'long', 'unsigned', 'float', 'double', 'date', 'nanos', 'term'])

/** A random query. Fields of nested objects are only asked for inside `nested`. */
export function randomQuery(random: Random, world: World, depth = 2, nested = ''): JsonObject {
  if (depth > 0 && random.chance(0.45)) {
    const query = () => randomQuery(random, world, depth - 1, nested)
    if (random.chance(0.15)) return { constant_score: { filter: query() } }
    if (random.chance(0.1)) return { dis_max: { queries: [query(), query()] } }
    const body: Record<string, Json> = {}
    for (const part of ['must', 'should', 'filter', 'must_not'])
      if (random.chance(part === 'must_not' ? 0.25 : 0.5)) body[part] = [query(), ...random.list(2, query)]
    if (isObject(body) && body.should !== undefined && random.chance(0.3)) body.minimum_should_match = 1
    return { bool: body }
  }
  const inner = nested === '' ? 'o' : nested === 'o' ? 'o.p' : undefined
  if (depth > 0 && inner !== undefined && random.chance(0.2) && hasPath(world, inner))
    return {
      nested: { path: inner, query: randomQuery(random, world, depth - 1, inner), ...unmappedPath(world, inner) },
    }
  return randomLeaf(random, world, nested)
}

export function hasPath(world: World, path: string): boolean {
  return world.indices.some((index) => isNestedIn(index, path))
}

export function isNestedIn(index: IndexSpec, path: string): boolean {
  let properties = index.properties
  let type: Json | undefined
  for (const part of path.split('.')) {
    const definition = member(properties, part)
    type = definition.type
    properties = member(definition, 'properties')
  }
  return type === 'nested'
}

export function unmappedPath(world: World, path: string): JsonObject {
  return world.indices.every((index) => isNestedIn(index, path)) ? {} : { ignore_unmapped: true }
}

function randomLeaf(random: Random, world: World, nested: string): JsonObject {
  const fields = fieldNames(world).filter(({ field }) => field.nested === nested)
  if (fields.length === 0 || random.chance(0.1)) return { match_all: {} }
  const { name, field } = random.pick(fields)
  if (nested === '' && random.chance(0.05)) return { ids: { values: random.list(6, () => `0-${random.below(40)}`) } }
  if (random.chance(0.12)) return { exists: { field: random.chance(0.2) ? name.split('.')[0]! : name } }
  if (field.typeName === 'text') {
    const words = [random.pick(WORDS), ...random.list(2, () => random.pick(WORDS))].join(' ')
    if (random.chance(0.3)) return { match_phrase: { [name]: words } }
    if (random.chance(0.3)) return { term: { [name]: random.pick(WORDS) } }
    return { match: { [name]: random.chance(0.4) ? { query: words, operator: random.pick(['and', 'or']) } : words } }
  }
  if (field.typeName === 'geo_point') return { exists: { field: name } }
  // Numbers that the type of the field in another index could not hold are refused there.
  const isMixed = name === 'mix' && field.type.family !== 'term'
  const value = () => (isMixed ? random.pick([-3, 0, 1, 2, 5, 100]) : field.type.random(random))
  if (field.type.family === 'term' && field.typeName !== 'ip' && field.typeName !== 'version' && random.chance(0.15))
    return { prefix: { [name]: [...String(value())].slice(0, 1).join('') } }
  if (RANGES.has(field.type.family) && random.chance(0.4)) {
    const bounds: Record<string, Json> = {}
    // A number among the bounds makes Elasticsearch read the texts beside it as numbers, too.
    const bound = () => (isDate(field) ? random.pick(DATES) : value())
    if (random.chance(0.7)) bounds[random.pick(['gt', 'gte'])] = bound()
    if (random.chance(0.6)) bounds[random.pick(['lt', 'lte'])] = bound()
    return { range: { [name]: bounds } }
  }
  if (random.chance(0.4)) return { terms: { [name]: [value(), ...random.list(3, value)] } }
  return { term: { [name]: random.chance(0.3) ? { value: value() } : value() } }
}
