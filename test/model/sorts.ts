/** Sort values of documents and their order; and random sorts. */
import type { Random } from '../fuzz/random.ts'
import { isObject, type Json, type JsonObject, listOf } from './json.ts'
import { isNestedIn, matches, only } from './queries.ts'
import {
  compareValues,
  type Family,
  FIELD_TYPES,
  type FieldType,
  LONG_MAX,
  LONG_MIN,
  millis,
  shownDouble,
  shownFloat,
  shownWhole,
  type Value,
} from './values.ts'
import { type Field, fieldNames, fieldOf, type Item, NotModelled, nestedOf, valuesOf, type World } from './world.ts'

/** What one sort entry makes of a document: `value` is undefined where a missing value stays missing. */
export interface SortKey {
  readonly value: Value | undefined
  readonly shown: Json
}

interface Spec {
  readonly name: string
  readonly isDescending: boolean
  readonly mode: string
  readonly missing: Json
  readonly options: JsonObject
}

const LIMITS: { readonly [family in Family]?: readonly [Value, Value] } = {
  int: [-(2 ** 31), 2 ** 31 - 1],
  long: [LONG_MIN, LONG_MAX],
  boolean: [LONG_MIN, LONG_MAX],
  unsigned: [0n, 2n ** 64n - 1n],
  date: [LONG_MIN, LONG_MAX],
  nanos: [0n, LONG_MAX],
  float: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
  double: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
}

const NUMERIC_TYPES: { readonly [name: string]: Family } = {
  long: 'long',
  double: 'double',
  date: 'date',
  date_nanos: 'nanos',
}

/** Sort entries whose values the model does not know: they are not compared. */
export const UNKNOWN = new Set(['_doc', '_score', '_shard_doc'])

export function specsOf(sort: Json | undefined): Spec[] {
  return listOf(sort).map((entry) => {
    const [name, given] = typeof entry === 'string' ? [entry, {}] : only(entry)
    const options: JsonObject = isObject(given) ? given : { order: given }
    const isDescending = (options.order ?? (name === '_score' ? 'desc' : 'asc')) === 'desc'
    return {
      name,
      isDescending,
      mode: String(options.mode ?? (isDescending ? 'max' : 'min')),
      missing: options.missing ?? '_last',
      options,
    }
  })
}

/** Less than zero if the document of `a` comes first. Missing terms come last unless `missing` says `_first`. */
export function compareKeys(specs: readonly Spec[], a: readonly SortKey[], b: readonly SortKey[]): number {
  for (const [i, { isDescending, missing, name }] of specs.entries()) {
    // Nothing is known of the order from here on.
    if (UNKNOWN.has(name)) return 0
    const [left, right] = [a[i]!, b[i]!]
    if (left.value === undefined || right.value === undefined) {
      if (left.value === right.value) continue
      const first = missing === '_first' ? -1 : 1
      return left.value === undefined ? first : -first
    }
    const order = comparatorOf(name, left.value)(left.value, right.value)
    if (order !== 0) return isDescending ? -order : order
  }
  return 0
}

function comparatorOf(name: string, value: Value): (a: Value, b: Value) => number {
  return typeof value === 'string' && name === 'f_version' ? FIELD_TYPES.version!.compare : compareValues
}

export function sortKey(item: Item, spec: Spec): SortKey {
  if (UNKNOWN.has(spec.name)) return { value: 0, shown: null }
  const { options } = spec
  const mapped = fieldOf(item.index, spec.name)
  const unmapped = FIELD_TYPES[String(options.unmapped_type)]
  const type = mapped?.type ?? unmapped
  if (mapped === undefined && options.unmapped_type === 'scaled_float')
    throw new NotModelled('a factor that is not there')
  if (type === undefined) throw new NotModelled(`a sort by the unmapped field ${spec.name}`)
  if (type.family === 'none') throw new NotModelled('a sort by text or points')
  const family = NUMERIC_TYPES[String(options.numeric_type)] ?? type.family
  if (family === 'term') return termKey(item, spec, mapped, type)
  const values = itemsOf(item, spec, mapped).flatMap((object) => valuesOf(object, mapped))
  const cast = values.map((value) => castTo(family, type.family, value))
  const value = cast.length === 0 ? missingValue(spec, family) : combined(spec.mode, family, cast)
  return { value, shown: shownSort(family, value, options) }
}

function termKey(item: Item, spec: Spec, mapped: Field | undefined, type: FieldType): SortKey {
  const values = itemsOf(item, spec, mapped)
    .flatMap((object) => valuesOf(object, mapped))
    .sort(type.compare)
  const value = spec.mode === 'max' ? values.at(-1) : values[0]
  if (value !== undefined) return { value, shown: type.show(value) }
  if (spec.missing === '_first' || spec.missing === '_last') return { value: undefined, shown: null }
  const given = type.read(spec.missing)!
  return { value: given, shown: type.show(given) }
}

/** The document, or its nested objects that count. */
function itemsOf(item: Item, spec: Spec, field: Field | undefined): Item[] {
  const nested = spec.options.nested
  if (!isObject(nested)) return [item]
  if (field === undefined || !isNestedIn(item.index, String(nested.path))) return []
  return nestedOf(item, String(nested.path)).filter((object) => matches(object, nested.filter))
}

/** As in Java, numbers beyond its range become the largest or the smallest long. */
function asLong(value: Value): bigint {
  if (typeof value === 'bigint') return value
  const number = Number(value)
  if (number >= 2 ** 63) return LONG_MAX
  return number < -(2 ** 63) ? LONG_MIN : BigInt(Math.trunc(number))
}

function castTo(family: Family, from: Family, value: Value): Value {
  if (family === from) return value
  switch (family) {
    case 'double':
      return Number(value)
    case 'long':
      return asLong(value)
    case 'nanos':
      // Refused by Elasticsearch, in some shards or in none.
      if (Number(value) < 0) throw new NotModelled('nanoseconds before 1970')
      return BigInt(value) * 1_000_000n
    case 'date':
      return from === 'nanos' ? Number((value as bigint) / 1_000_000n) : Number(value)
    default:
      throw new NotModelled(`${from} as ${family}`)
  }
}

function missingValue({ missing, isDescending }: Spec, family: Family): Value {
  if (missing === '_first' || missing === '_last')
    return LIMITS[family]![(missing === '_last') !== isDescending ? 1 : 0]
  if (family === 'date') return millis(missing)!
  if (family === 'long') return asLong(missing as Value)
  if (family === 'unsigned' || family === 'nanos') return BigInt(missing as number | bigint | string)
  return family === 'float' ? Math.fround(Number(missing)) : Number(missing)
}

/** Elasticsearch combines unsigned numbers as it stores them: less 2^63, in 64 bits. */
function ofShifted(mode: string, sorted: readonly bigint[]): Value {
  const shift = 2n ** 63n
  const stored = sorted.map((value) => value - shift)
  const middle = stored.length >> 1
  const sum = BigInt.asIntN(
    64,
    stored.reduce((total, value) => total + value, 0n),
  )
  const mean = (total: number, count: number) => BigInt(Math.round(total / count))
  if (mode === 'sum') return sum + shift
  if (mode === 'avg') return mean(Number(sum), stored.length) + shift
  if (stored.length % 2 === 1) return stored[middle]! + shift
  const median = mean(Number(stored[middle - 1]! + stored[middle]!), 2)
  return (median > shift - 1n ? shift - 1n : median) + shift
}

function combined(mode: string, family: Family, values: readonly Value[]): Value {
  const sorted = [...values].sort(compareValues)
  if (mode === 'min') return sorted[0]!
  if (mode === 'max') return sorted.at(-1)!
  if (family === 'unsigned' && values.length > 1) return ofShifted(mode, sorted.map(BigInt))
  const isWhole = family !== 'float' && family !== 'double'
  const rounded = (value: number): Value => {
    if (!isWhole) return family === 'float' ? Math.fround(value) : value
    const whole = Math.floor(value + 0.5)
    return typeof values[0] === 'bigint' ? BigInt(whole) : whole
  }
  if (typeof values[0] === 'bigint' && values.some((value) => Math.abs(Number(value)) >= 2 ** 53))
    throw new NotModelled('sums beyond 2^53')
  const numbers = sorted.map(Number)
  const sum = numbers.reduce((total, value) => total + value, 0)
  // Sums of 32-bit numbers are cut to 32 bits.
  if (mode === 'sum' && family === 'int') return sum | 0
  if (mode === 'sum') return rounded(sum)
  if (mode === 'avg') return rounded(sum / numbers.length)
  if (mode !== 'median') throw new NotModelled(`the mode ${mode}`)
  const middle = numbers.length >> 1
  return rounded(numbers.length % 2 === 1 ? numbers[middle]! : (numbers[middle - 1]! + numbers[middle]!) / 2)
}

function shownSort(family: Family, value: Value, { format }: JsonObject): Json {
  if (format !== undefined) {
    if (family !== 'date' || typeof value !== 'number') throw new NotModelled('a format of other values')
    const text = new Date(value).toISOString()
    if (format === 'yyyy-MM-dd') return text.slice(0, 10)
    if (format === 'strict_date_time') return text
    if (format === 'epoch_millis') return String(value)
    throw new NotModelled(`the format ${format}`)
  }
  if (family === 'float') return shownFloat(Number(value))
  if (family === 'double') return shownDouble(Number(value))
  return shownWhole(value)
}

const NUMBERS = new Set<Family>(['int', 'long', 'unsigned', 'float', 'double', 'date', 'nanos', 'boolean'])

function randomEntry(random: Random, world: World): Json {
  if (random.chance(0.06)) return random.pick(['_doc', '_score'])
  const sortable = fieldNames(world).filter(({ field }) => field.type.family !== 'none')
  const { name, field } = random.pick(sortable)
  const { family } = field.type
  const options: Record<string, Json> = {}
  if (random.chance(0.7)) options.order = random.pick(['asc', 'desc'])
  if (random.chance(0.5))
    options.mode = random.pick(NUMBERS.has(family) ? ['min', 'max', 'sum', 'avg', 'median'] : ['min', 'max'])
  if (random.chance(0.4)) options.missing = random.pick(['_first', '_last'])
  else if (random.chance(0.2) && family !== 'boolean' && family !== 'nanos')
    options.missing = family === 'date' ? random.pick([0, 1704067200000]) : field.type.random(random)
  if (family === 'int' && typeof options.missing === 'number') options.missing = Math.trunc(options.missing)
  if (random.chance(0.15) && (family === 'int' || family === 'long' || family === 'double' || family === 'float'))
    options.numeric_type = random.pick(['long', 'double'])
  if (random.chance(0.2) && (family === 'date' || family === 'nanos'))
    options.numeric_type = random.pick(['date', 'date_nanos'])
  if (family === 'date' && options.numeric_type === undefined && random.chance(0.15))
    options.format = random.pick(['strict_date_time', 'epoch_millis'])
  if (world.indices.some((index) => fieldOf(index, name) === undefined) || random.chance(0.1))
    // A scaled_float needs its factor.
    options.unmapped_type = field.typeName === 'scaled_float' ? 'double' : field.typeName
  if (field.nested !== '') {
    options.nested = nestedOption(random, world, field)
    if (options.mode === 'median') options.mode = 'avg'
  }
  return Object.keys(options).length === 0 ? name : { [name]: options }
}

function nestedOption(random: Random, world: World, field: Field): Json {
  const filters = fieldNames(world).filter(({ field: { nested } }) => nested === field.nested)
  const { name } = random.pick(filters)
  return { path: field.nested, ...(random.chance(0.4) ? { filter: { exists: { field: name } } } : {}) }
}

/** Sort entries without, or with, one that no two documents share. */
export function randomSort(random: Random, world: World, isTotal: boolean): Json[] {
  const entries = [randomEntry(random, world), ...random.list(2, () => randomEntry(random, world))]
  return isTotal ? [...entries.filter((entry) => entry !== '_doc' && entry !== '_score'), 'uid'] : entries
}
