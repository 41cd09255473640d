/** Values of fields as the model keeps them, and how each mapping type reads, orders and shows them. */
import type { Random } from '../fuzz/random.ts'
import { isObject, type Json } from './json.ts'

/** Whole numbers of 64 bits are bigints, all other numbers (dates in milliseconds, booleans as 0 and 1) numbers, the rest texts. */
export type Value = number | bigint | string

/** What decides how values are combined, which value stands for a missing one, and how a value is shown. */
export type Family = 'int' | 'long' | 'boolean' | 'unsigned' | 'float' | 'double' | 'date' | 'nanos' | 'term' | 'none'

export interface FieldType {
  readonly family: Family
  /** Whether a document has the same value several times. */
  readonly keepsRepeated: boolean
  readonly extras?: { readonly [name: string]: Json }
  random(random: Random): Json
  /** The value of a JSON value; undefined if it is not kept. */
  read(json: Json): Value | undefined
  /** A value in hits (`sort` of terms) and as a key of buckets. */
  show(value: Value): Json
  compare(a: Value, b: Value): number
}

export const LONG_MAX = 2n ** 63n - 1n
export const LONG_MIN = -(2n ** 63n)

const byNumber = (a: Value, b: Value) => (a < b ? -1 : a > b ? 1 : 0)
/** Texts are ordered by their bytes, which is the order of code points. */
export const byBytes = (a: Value, b: Value) => Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)))

export function compareValues(a: Value, b: Value): number {
  return typeof a === 'string' && typeof b === 'string' ? byBytes(a, b) : byNumber(a, b)
}

/** A whole number as JSON shows it. */
export function shownWhole(value: Value): Value {
  if (typeof value !== 'bigint') return value
  return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value
}

export function shownDouble(value: number): Json {
  return Number.isFinite(value) ? value : String(value)
}

/** The shortest decimal number that is `value` in single precision. */
export function shownFloat(value: number): Json {
  if (!Number.isFinite(value)) return String(value)
  for (let digits = 1; digits <= 9; digits++) {
    const short = Number(value.toPrecision(digits))
    if (Math.fround(short) === value) return short
  }
  return value
}

export function asHalf(value: number): number {
  if (value === 0 || !Number.isFinite(value)) return value
  const exponent = Math.max(-14, Math.floor(Math.log2(Math.abs(value))))
  const step = 2 ** (exponent - 10)
  const steps = value / step
  const low = Math.floor(steps)
  const rest = steps - low
  return (rest > 0.5 || (rest === 0.5 && low % 2 !== 0) ? low + 1 : low) * step
}

const asNumber = (json: Json): number | undefined => {
  const number =
    typeof json === 'string' || typeof json === 'number' || typeof json === 'bigint' ? Number(json) : Number.NaN
  return Number.isNaN(number) ? undefined : number
}

function whole(min: number, max: number, pool: readonly number[]): FieldType {
  return {
    family: 'int',
    keepsRepeated: true,
    random: (r) => (r.chance(0.04) ? r.pick([min, max]) : r.pick(pool)),
    read: (json) => {
      const number = asNumber(json)
      return number === undefined ? undefined : Math.trunc(number)
    },
    show: (value) => value,
    compare: byNumber,
  }
}

function fraction(family: 'float' | 'double', pool: readonly number[], stored: (value: number) => number): FieldType {
  return {
    family,
    keepsRepeated: true,
    random: (r) => r.pick(pool),
    read: (json) => {
      const number = asNumber(json)
      return number === undefined ? undefined : stored(number)
    },
    show: (value) => value,
    compare: byNumber,
  }
}

function sixtyFour(family: 'long' | 'unsigned', pool: readonly Json[]): FieldType {
  return {
    family,
    keepsRepeated: true,
    random: (r) => r.pick(pool),
    read: (json) => {
      if (typeof json === 'number') return BigInt(Math.trunc(json))
      return typeof json === 'bigint' || typeof json === 'string' ? BigInt(json) : undefined
    },
    show: shownWhole,
    compare: byNumber,
  }
}

function terms(pool: readonly string[], read: (json: Json) => Value | undefined = textOf): FieldType {
  return { family: 'term', keepsRepeated: false, random: (r) => r.pick(pool), read, show: (v) => v, compare: byBytes }
}

function textOf(json: Json): string | undefined {
  return json === null || isObject(json) || Array.isArray(json) ? undefined : String(json)
}

const DAYS = ['2024-01-01', '2024-01-02', '2024-02-29', '2023-12-31', '1969-12-31']
const TIMES = ['', '', 'T00:00:00.001Z', 'T12:30:00.000Z', 'T23:59:59.999Z']

/** Milliseconds since 1970 of a date as the model writes it: a number, a day, or a full timestamp. */
export function millis(json: Json): number | undefined {
  if (typeof json === 'number') return json
  return typeof json === 'string' ? Date.parse(json) : undefined
}

function nanoseconds(json: Json): bigint | undefined {
  if (typeof json === 'number') return BigInt(json) * 1_000_000n
  if (typeof json !== 'string') return undefined
  const [, head, digits = ''] = /^([^.]*)(?:\.(\d+)Z)?$/.exec(json)!
  const seconds = Date.parse(json.includes('.') ? `${head}Z` : json)
  return BigInt(seconds) * 1_000_000n + BigInt(digits.padEnd(9, '0'))
}

/** Addresses of the model's documents; the value of one is its 16 bytes as hexadecimal digits. */
const ADDRESSES = ['10.0.0.1', '10.0.0.2', '10.0.1.7', '192.168.0.1', '::1', '2001:db8::7', '255.255.255.255']

export function addressBytes(text: string): string {
  if (!text.includes(':')) {
    const bytes = text.split('.').map((part) => Number(part).toString(16).padStart(2, '0'))
    return `${'0'.repeat(20)}ffff${bytes.join('')}`
  }
  const [left = '', right = ''] = text.split('::')
  const groups = (part: string) => (part === '' ? [] : part.split(':').map((group) => group.padStart(4, '0')))
  const [head, tail] = [groups(left), groups(right)]
  return [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => '0000'), ...tail].join('')
}

const ADDRESS_OF = new Map(ADDRESSES.map((text) => [addressBytes(text), text]))

/** The parts of a version: numbers compare as numbers, and a version with a suffix comes before the one without. */
function compareVersions(a: Value, b: Value): number {
  const [[headA, tailA], [headB, tailB]] = [a, b].map((version) => String(version).split('-')) as [string[], string[]]
  const [partsA, partsB] = [headA!.split('.').map(Number), headB!.split('.').map(Number)]
  for (let i = 0; i < Math.max(partsA.length, partsB.length); i++) {
    const [partA, partB] = [partsA[i] ?? -1, partsB[i] ?? -1]
    if (partA !== partB) return partA - partB
  }
  if (tailA === undefined || tailB === undefined) return tailA === tailB ? 0 : tailA === undefined ? 1 : -1
  return byBytes(tailA, tailB)
}

export const WORDS = ['red', 'blue', 'fox', 'dog', 'quick', 'lazy']
const KEYS = ['a', 'b', 'c', 'aa', 'B', 'ä', '\u{1f600}', '\uff5e', 'x y']

export const FIELD_TYPES: { readonly [type: string]: FieldType } = {
  byte: whole(-128, 127, [-3, 0, 1, 2, 100]),
  short: whole(-32768, 32767, [-3, 0, 1, 2, 1000]),
  integer: whole(-(2 ** 31), 2 ** 31 - 1, [-3, -1, 0, 1, 2, 5, 7, 2.5]),
  long: sixtyFour('long', [-7, 0, 1, 2, 5, 2 ** 40, 2n ** 53n + 1n, 2n ** 53n + 2n, LONG_MAX, LONG_MIN]),
  unsigned_long: sixtyFour('unsigned', [0, 1, 2, 5, 2n ** 53n + 1n, 2n ** 63n, 2n ** 64n - 1n]),
  float: fraction('float', [1.1, 2.25, 2.25, 39.1, 37.1, 41.1, -0.5, 1e-3, 3.4e38], Math.fround),
  half_float: fraction('float', [1.1, 2.25, 39.1, -0.5, 1000, 65504], asHalf),
  double: fraction('double', [1.1, 2.25, 19.99, -0.5, 0.1, 0.2, 1e300, 3], (value) => value),
  scaled_float: {
    ...fraction('double', [1.1, 2.25, 19.99, -0.5, 0.07, 3, 1.005], (value) => Math.floor(value * 100 + 0.5) / 100),
    extras: { scaling_factor: 100 },
  },
  boolean: {
    family: 'boolean',
    keepsRepeated: true,
    random: (r) => r.pick([true, false, 'true', 'false']),
    read: (json) => (json === null ? undefined : json === true || json === 'true' ? 1 : 0),
    show: (value) => value === 1,
    compare: byNumber,
  },
  date: {
    family: 'date',
    keepsRepeated: true,
    random: (r) => (r.chance(0.2) ? r.pick([0, -1, 1704067200000, 1709251199999]) : r.pick(DAYS) + r.pick(TIMES)),
    read: millis,
    show: (value) => value,
    compare: byNumber,
  },
  date_nanos: {
    family: 'nanos',
    keepsRepeated: true,
    random: (r) => r.pick(DAYS.slice(0, 4)) + r.pick([...TIMES, 'T00:00:00.000000001Z', 'T00:00:00.000999999Z']),
    read: nanoseconds,
    show: (value) => Number((value as bigint) / 1_000_000n),
    compare: byNumber,
  },
  keyword: terms(KEYS),
  ip: {
    ...terms(ADDRESSES, (json) => (typeof json === 'string' ? addressBytes(json) : undefined)),
    show: (value) => ADDRESS_OF.get(String(value)) ?? String(value),
  },
  version: { ...terms(['1.0.0', '1.2.0', '1.10.0', '2.0.0-rc.1', '2.0.0', '2.0.0-alpha']), compare: compareVersions },
  wildcard: terms(KEYS.slice(0, 6)),
  text: {
    family: 'none',
    keepsRepeated: false,
    random: (r) => [r.pick(WORDS), ...r.list(3, () => r.pick(WORDS))].join(' '),
    read: textOf,
    show: (value) => value,
    compare: byBytes,
  },
  geo_point: {
    family: 'none',
    keepsRepeated: true,
    random: (r) => ({ lat: r.pick([-60, -1, 0.5, 48.1]), lon: r.pick([-170, -1, 0.5, 11.5]) }),
    read: (json) => (isObject(json) ? `${json.lat},${json.lon}` : undefined),
    show: (value) => value,
    compare: byBytes,
  },
}
