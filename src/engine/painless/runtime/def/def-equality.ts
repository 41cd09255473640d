/** `==` and `===` on def. The types of the values decide. */
import { classCast, wrongMethodType } from '../../errors/java-throwable.ts'
import { JByte, JShort } from '../boxed.ts'
import { classOf } from '../class-of.ts'
import { equals } from '../equality.ts'
import { BigDecimal } from '../math/big-decimal.ts'
import { BigInteger } from '../math/big-integer.ts'
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

/** `==` on def: numbers of any type by value, other objects by equals. */
export function defEquals(left: unknown, right: unknown): boolean {
  if (left === right) return true
  const a = kindOf(left)
  const b = kindOf(right)
  const kind = a > b ? a : b
  if (a > BOOLEAN && b > BOOLEAN) {
    if (kind === LONG) return asLong(left) === asLong(right)
    if (kind === FLOAT) return Math.fround(asNumber(left)) === Math.fround(asNumber(right))
    return asNumber(left) === asNumber(right)
  }
  if (isBig(left) || isBig(right)) return bigEquals(left, right, a, b)
  return left !== null && right !== null && equals(left, right)
}

type Big = BigInteger | BigDecimal

const isBig = (value: unknown): value is Big => value instanceof BigInteger || value instanceof BigDecimal

/** Different classes of numbers are compared in the wider primitive type of the two, which is int for those that are none. */
function bigEquals(left: unknown, right: unknown, a: number, b: number): boolean {
  const numeric = (isBig(left) || a > BOOLEAN) && (isBig(right) || b > BOOLEAN)
  if (!numeric || classOf(left) === classOf(right)) return left !== null && right !== null && equals(left, right)
  const kind = Math.max(a, b, INT)
  return narrowed(left, kind) === narrowed(right, kind)
}

function narrowed(value: unknown, kind: number): number | bigint {
  if (!isBig(value))
    return kind === LONG ? asLong(value) : kind === FLOAT ? Math.fround(asNumber(value)) : asNumber(value)
  switch (kind) {
    case LONG:
      return value.longValue_0()
    case FLOAT:
      return value.floatValue_0()
    case DOUBLE:
      return value.doubleValue_0()
    default:
      return value.intValue_0()
  }
}

/** The primitive type in which a number and a boolean would be compared; undefined for other operands. */
function typeBesideBoolean(left: unknown, right: unknown): number | undefined {
  const a = kindOf(left)
  const b = kindOf(right)
  if ((a === BOOLEAN) === (b === BOOLEAN)) return undefined
  const kind = a > b ? a : b
  return kind > BOOLEAN && a !== NONE && b !== NONE ? kind : undefined
}

/**
 * A place of `==` or `!=` on def in a script. Java links it for the classes of its first operands. A number and a boolean cannot be
 * linked; once the place has seen operands of other classes, it compares all by `defEquals`.
 */
export class DefEqualsSite {
  readonly #leftType: string
  readonly #rightType: string
  #isLinked = false
  #first: string | undefined

  constructor(leftType: string, rightType: string) {
    this.#leftType = leftType
    this.#rightType = rightType
  }

  equals(left: unknown, right: unknown): boolean {
    if (!this.#isLinked) this.#link(left, right)
    return defEquals(left, right)
  }

  #link(left: unknown, right: unknown): void {
    const kind = typeBesideBoolean(left, right)
    const classes = kind === undefined ? undefined : `${classOf(left)} ${classOf(right)}`
    if (kind !== undefined && (this.#first ?? classes) === classes) {
      this.#first = classes
      throw this.#notLinked(kind)
    }
    this.#isLinked = true
  }

  #notLinked(kind: number) {
    const types = [this.#leftType, this.#rightType]
    if (!types.includes('boolean')) return classCast(`Cannot cast java.lang.Boolean to ${BOX_NAMES[kind]}`)
    const shownTypes = types.map((type) => (type === 'def' ? 'Object' : type)).join()
    const type = TYPE_NAMES[kind]
    const cause = wrongMethodType(`cannot convert MethodHandle(${type},${type})boolean to (${shownTypes})boolean`)
    return classCast('Cannot cast from: boolean to boolean', cause)
  }
}

const isShared = (value: number | bigint) => value >= -128 && value <= 127

/** `===`: identity. Boxes of small integers are shared as in Java. */
export function same(left: unknown, right: unknown): boolean {
  if (left === right && (typeof left === 'number' || typeof left === 'bigint')) return isShared(left)
  if (left instanceof JByte && right instanceof JByte) return left.value === right.value
  if (left instanceof JShort && right instanceof JShort) return left.value === right.value && isShared(left.value)
  return left === right
}
