/** Operators on def. The types of the values decide. */
import { classCast, nullPointer } from '../../errors/java-throwable.ts'
import { JDouble, JFloat } from '../boxed.ts'
import { classOf } from '../class-of.ts'
import { textOf } from '../java-text.ts'
import { checkString } from '../limits.ts'
import * as numbers from '../numbers.ts'
import {
  asLong,
  asNumber,
  BOOLEAN,
  BOX_NAMES,
  DOUBLE,
  FLOAT,
  INT,
  kindOf,
  LONG,
  NONE,
  TYPE_NAMES,
} from './def-kinds.ts'

/** The numeric kind to which both operands are converted. Throws if there is none. */
function promoted(op: string, left: unknown, right: unknown): number {
  const a = kindOf(left)
  const b = kindOf(right)
  if (a > BOOLEAN && b > BOOLEAN) return a > b ? a : b
  if (a === NONE || b === NONE) throw notApplicable(op, left, right)
  const kind = a > b ? a : b
  if (kind === BOOLEAN) return BOOLEAN
  throw classCast(`Cannot cast java.lang.Boolean to ${BOX_NAMES[kind]}`)
}

function notApplicable(op: string, left: unknown, right: unknown) {
  for (const [name, value] of [
    ['left', left],
    ['right', right],
  ] as const)
    if (value === null || value === undefined)
      return nullPointer(`Cannot invoke "Object.getClass()" because "${name}" is null`)
  return classCast(`Cannot apply [${op}] operation to types [${shown(left)}] and [${shown(right)}].`)
}

const shown = (value: unknown) => classOf(value).replaceAll('$', '.')

const notForType = (op: string, kind: number) =>
  classCast(`Cannot apply [${op}] operation to type [${TYPE_NAMES[kind]}]`)

type Ints = (a: number, b: number) => number
type Longs = (a: bigint, b: bigint) => bigint

function arithmetic(op: string, ints: Ints, longs: Longs, doubles: Ints) {
  return (left: unknown, right: unknown): unknown => {
    if (typeof left === 'number' && typeof right === 'number') return ints(left, right)
    const kind = promoted(op, left, right)
    switch (kind) {
      case INT:
        return ints(asNumber(left), asNumber(right))
      case LONG:
        return longs(asLong(left), asLong(right))
      case FLOAT:
        return new JFloat(Math.fround(doubles(Math.fround(asNumber(left)), Math.fround(asNumber(right)))))
      case DOUBLE:
        return new JDouble(doubles(asNumber(left), asNumber(right)))
      default:
        throw notForType(op, kind)
    }
  }
}

const addNumbers = arithmetic(
  '+',
  (a, b) => (a + b) | 0,
  (a, b) => BigInt.asIntN(64, a + b),
  (a, b) => a + b,
)

export function def_add(left: unknown, right: unknown): unknown {
  if (typeof left === 'string' || typeof right === 'string') {
    const a = textOf(left)
    const b = textOf(right)
    checkString(a.length + b.length)
    return a + b
  }
  return addNumbers(left, right)
}

export const def_subtract = arithmetic(
  '-',
  (a, b) => (a - b) | 0,
  (a, b) => BigInt.asIntN(64, a - b),
  (a, b) => a - b,
)
export const def_multiply = arithmetic(
  '*',
  Math.imul,
  (a, b) => BigInt.asIntN(64, a * b),
  (a, b) => a * b,
)
export const def_divide = arithmetic('/', numbers.intDivide, numbers.longDivide, (a, b) => a / b)
export const def_remainder = arithmetic('%', numbers.intRemainder, numbers.longRemainder, (a, b) => a % b)

function bitwise(op: string, ints: Ints, longs: Longs, booleans: (a: boolean, b: boolean) => boolean) {
  return (left: unknown, right: unknown): unknown => {
    for (const side of [left, right])
      if (kindOf(side) === NONE && left !== null && right !== null) throw notIntegral(side)
    const kind = promoted(op, left, right)
    if (kind === BOOLEAN) return booleans(left as boolean, right as boolean)
    if (kind === INT) return ints(asNumber(left), asNumber(right))
    if (kind === LONG) return longs(asLong(left), asLong(right))
    // Elasticsearch's message names float for both types.
    throw notForType(op, FLOAT)
  }
}

export const def_and = bitwise(
  '&',
  (a, b) => a & b,
  (a, b) => a & b,
  (a, b) => a && b,
)
export const def_or = bitwise(
  '|',
  (a, b) => a | b,
  (a, b) => a | b,
  (a, b) => a || b,
)
export const def_xor = bitwise(
  '^',
  (a, b) => a ^ b,
  (a, b) => a ^ b,
  (a, b) => a !== b,
)

const notIntegral = (value: unknown) => classCast(`Cannot convert [${shown(value)}] to an integral value.`)

function shift(op: string, ints: Ints, longs: (a: bigint, count: number) => bigint) {
  return (left: unknown, right: unknown): unknown => {
    const kind = kindOf(left)
    if (left === null || right === null) throw notApplicable(op, left, right)
    const other = kindOf(right)
    if (other === FLOAT || other === DOUBLE) throw classCast(`Cannot cast ${BOX_NAMES[other]} to java.lang.Long`)
    if (kind === NONE) throw notIntegral(left)
    if (kind !== INT && kind !== LONG) throw notForType(op, kind)
    if (other !== INT && other !== LONG) throw notIntegral(right)
    const count = Number(BigInt.asUintN(6, asLong(right)))
    return kind === INT ? ints(asNumber(left), count & 31) : longs(asLong(left), count)
  }
}

export const def_shiftLeft = shift('<<', (a, n) => a << n, numbers.longShiftLeft)
export const def_shiftRight = shift('>>', (a, n) => a >> n, numbers.longShiftRight)
export const def_shiftRightUnsigned = shift('>>>', (a, n) => (a >>> n) | 0, numbers.longShiftRightUnsigned)

function compared(op: string, numbersOf: (a: number, b: number) => boolean, longs: (a: bigint, b: bigint) => boolean) {
  return (left: unknown, right: unknown): boolean => {
    if (typeof left === 'number' && typeof right === 'number') return numbersOf(left, right)
    const kind = promoted(op, left, right)
    if (kind === BOOLEAN) throw notForType(op, kind)
    if (kind === LONG) return longs(asLong(left), asLong(right))
    if (kind === FLOAT) return numbersOf(Math.fround(asNumber(left)), Math.fround(asNumber(right)))
    return numbersOf(asNumber(left), asNumber(right))
  }
}

export const def_less = compared(
  '<',
  (a, b) => a < b,
  (a, b) => a < b,
)
export const def_lessOrEqual = compared(
  '<=',
  (a, b) => a <= b,
  (a, b) => a <= b,
)
export const def_greater = compared(
  '>',
  (a, b) => a > b,
  (a, b) => a > b,
)
export const def_greaterOrEqual = compared(
  '>=',
  (a, b) => a >= b,
  (a, b) => a >= b,
)

function ofOne(op: string, value: unknown): number {
  const kind = kindOf(value)
  if (value === null || value === undefined)
    throw nullPointer('Cannot invoke "Object.getClass()" because "args[0]" is null')
  if (kind === NONE) throw classCast(`Cannot apply [${op}] operation to type [${shown(value)}].`)
  if (kind === BOOLEAN) throw notForType(op, kind)
  return kind
}

export function def_negate(value: unknown): unknown {
  switch (ofOne('-', value)) {
    case INT:
      return -asNumber(value) | 0
    case LONG:
      return BigInt.asIntN(64, -asLong(value))
    case FLOAT:
      return new JFloat(-asNumber(value))
    default:
      return new JDouble(-asNumber(value))
  }
}

export function def_plus(value: unknown): unknown {
  return ofOne('+', value) === INT ? asNumber(value) : value
}

export function def_not(value: unknown): unknown {
  const kind = kindOf(value)
  if (value === null || value === undefined)
    throw nullPointer('Cannot invoke "Object.getClass()" because "args[0]" is null')
  if (kind === INT) return ~asNumber(value)
  if (kind === LONG) return ~asLong(value)
  if (kind === NONE) throw classCast(`Cannot apply [~] operation to type [${shown(value)}].`)
  throw classCast(`Cannot apply not [~] to type [${TYPE_NAMES[kind]}]`)
}
