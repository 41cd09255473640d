/** Boxing, unboxing and casts of def values. */
import { classCast, nullPointer } from '../errors/java-throwable.ts'
import { Boxed, JByte, JChar, JDouble, JFloat, JShort } from './boxed.ts'
import { classOf } from './class-of.ts'
import * as numbers from './numbers.ts'

export const boxDouble = (value: number): JDouble => new JDouble(value)
export const boxFloat = (value: number): JFloat => new JFloat(value)
export const boxShort = (value: number): JShort => new JShort(value)
export const boxByte = (value: number): JByte => new JByte(value)

const CHARS: JChar[] = []

export function boxChar(value: number): JChar {
  if (value >= 128) return new JChar(value)
  return (CHARS[value] ??= new JChar(value))
}

/** The primitive in a box. The caller must check the type. */
export function unbox(value: unknown): unknown {
  if (value === null || value === undefined) throw nullPointer('Cannot unbox null')
  return value instanceof Boxed ? value.value : value
}

const NAMES: Readonly<Record<string, string>> = {
  'java.lang.Boolean': 'boolean',
  'java.lang.Byte': 'byte',
  'java.lang.Short': 'short',
  'java.lang.Character': 'char',
  'java.lang.Integer': 'int',
  'java.lang.Long': 'long',
  'java.lang.Float': 'float',
  'java.lang.Double': 'double',
}

/** The class name of a value in messages about def. Boxed types have the name of their primitive. */
export const defTypeName = (value: unknown): string => NAMES[classOf(value)] ?? classOf(value).replaceAll('$', '.')

/** The primitive type of a boxed value; undefined for other objects. */
export const primitiveOf = (value: unknown): string | undefined => NAMES[classOf(value)]

const RANKS: Readonly<Record<string, number>> = { byte: 1, short: 2, char: 2, int: 3, long: 4, float: 5, double: 6 }

function rank(value: unknown): number {
  switch (typeof value) {
    case 'number':
      return 3
    case 'bigint':
      return 4
  }
  if (value instanceof JDouble) return 6
  if (value instanceof JFloat) return 5
  if (value instanceof JShort || value instanceof JChar) return 2
  return value instanceof JByte ? 1 : 0
}

function refuse(value: unknown, to: string, explicit: boolean): never {
  if (value === null || value === undefined)
    throw nullPointer('Cannot invoke "Object.getClass()" because "value" is null')
  throw classCast(`cannot ${explicit ? 'explicitly' : 'implicitly'} cast def [${defTypeName(value)}] to ${to}`)
}

/**
 * Checks a cast. Numbers up to the rank of the target convert implicitly, all numbers convert explicitly. char does not
 * convert implicitly to or from byte and short.
 */
function check(value: unknown, to: string, explicit: boolean): void {
  const own = rank(value)
  if (own === 0) refuse(value, to, explicit)
  if (explicit) return
  const char = value instanceof JChar
  const fits = to === 'char' ? char : char ? RANKS[to]! >= 3 : own <= RANKS[to]!
  if (!fits) refuse(value, to, explicit)
}

const asNumber = (value: unknown): number =>
  typeof value === 'number' ? value : typeof value === 'bigint' ? Number(value) : (value as Boxed).value

export function defTo_int(value: unknown, explicit: boolean): number {
  if (typeof value === 'number') return value
  check(value, 'int', explicit)
  return toInt(value)
}

function toInt(value: unknown): number {
  if (typeof value === 'bigint') return numbers.longToInt(value)
  if (value instanceof JDouble || value instanceof JFloat) return numbers.doubleToInt(value.value)
  return asNumber(value)
}

export function defTo_byte(value: unknown, explicit: boolean): number {
  check(value, 'byte', explicit)
  return (toInt(value) << 24) >> 24
}

export function defTo_short(value: unknown, explicit: boolean): number {
  check(value, 'short', explicit)
  return (toInt(value) << 16) >> 16
}

export function defTo_char(value: unknown, explicit: boolean): number {
  if (typeof value === 'string' && explicit) return numbers.stringToChar(value)
  check(value, 'char', explicit)
  return toInt(value) & 65535
}

export function defTo_long(value: unknown, explicit: boolean): bigint {
  if (typeof value === 'bigint') return value
  check(value, 'long', explicit)
  if (value instanceof JDouble || value instanceof JFloat) return numbers.doubleToLong(value.value)
  return BigInt(asNumber(value))
}

export function defTo_float(value: unknown, explicit: boolean): number {
  check(value, 'float', explicit)
  return typeof value === 'bigint' ? numbers.longToFloat(value) : Math.fround(asNumber(value))
}

export function defTo_double(value: unknown, explicit: boolean): number {
  if (value instanceof JDouble) return value.value
  check(value, 'double', explicit)
  return asNumber(value)
}

export function defToBoolean(value: unknown): boolean {
  if (typeof value === 'boolean') return value
  if (value === null || value === undefined)
    throw nullPointer('Cannot invoke "Object.getClass()" because "value" is null')
  throw classCast(`cannot cast def [${defTypeName(value)}] to boolean`)
}

export function defToString(value: unknown, explicit: boolean): string | null {
  if (typeof value === 'string' || value === null) return value
  if (explicit && value instanceof JChar) return String.fromCharCode(value.value)
  return refuse(value, 'java.lang.String', explicit)
}

const CONVERT: Readonly<Record<string, (value: unknown, explicit: boolean) => unknown>> = {
  byte: (v, x) => boxByte(defTo_byte(v, x)),
  short: (v, x) => boxShort(defTo_short(v, x)),
  char: (v, x) => boxChar(defTo_char(v, x)),
  int: defTo_int,
  long: defTo_long,
  float: (v, x) => boxFloat(defTo_float(v, x)),
  double: (v, x) => boxDouble(defTo_double(v, x)),
  boolean: (v) => defToBoolean(v),
}

const BOX_NAMES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(NAMES).map(([box, p]) => [p, box]),
)

/** Converts def to a boxed type. Null stays null. */
export function defToBoxed(value: unknown, primitive: string, explicit: boolean): unknown {
  if (value === null) return null
  if (primitiveOf(value) === primitive) return value
  if (primitive !== 'boolean' && rank(value) > 0) {
    const char = value instanceof JChar
    const fits = explicit || (char ? RANKS[primitive]! >= 3 : rank(value) <= RANKS[primitive]! && primitive !== 'char')
    if (fits) return CONVERT[primitive]!(value, true)
  }
  return refuse(value, BOX_NAMES[primitive]!, true)
}

/** Converts an unboxed value of a declared type to def. */
export function toDef(value: unknown, type: string): unknown {
  switch (type) {
    case 'double':
      return new JDouble(value as number)
    case 'float':
      return new JFloat(value as number)
    case 'char':
      return boxChar(value as number)
    case 'short':
      return new JShort(value as number)
    case 'byte':
      return new JByte(value as number)
    case 'void':
      return null
  }
  return value === undefined ? null : value
}

export type DefConverter = (value: unknown, explicit: boolean) => unknown

/** Converters from def to unboxed values, by primitive type. */
export const FROM_DEF: Readonly<Record<string, DefConverter>> = {
  boolean: (v) => defToBoolean(v),
  byte: defTo_byte,
  short: defTo_short,
  char: defTo_char,
  int: defTo_int,
  long: defTo_long,
  float: defTo_float,
  double: defTo_double,
}

/** The right side of a compound assignment on def. A number cannot be assigned to a variable that holds a boolean. */
export function compoundValue(old: unknown, value: unknown): unknown {
  if (typeof old === 'boolean' && rank(value) > 0) throw classCast(`Cannot cast ${primitiveOf(value)} to boolean`)
  return value
}

/** Converts the result of a compound assignment to the type of the old value: `def x = 5; x += 1.5` stays an int. */
export function castBack(old: unknown, result: unknown): unknown {
  const type = primitiveOf(old)
  if (type === undefined || type === 'boolean' || rank(result) === 0) return result
  return primitiveOf(result) === type ? result : CONVERT[type]!(result, true)
}
