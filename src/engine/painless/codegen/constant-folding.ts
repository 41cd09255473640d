/**
 * Folds constant expressions. Only the errors matter: `1 / 0` is a compile error with the exception as its cause.
 */
import type { Ir } from '../analysis/ir.ts'
import { classCast, type JavaThrowable } from '../errors/java-throwable.ts'
import * as numbers from '../runtime/numbers.ts'

type Value = number | bigint | boolean | string

/**
 * The value of a constant expression; undefined for other expressions. Throws the exception of the operation, with its
 * offset.
 */
export function constantValue(node: Ir): Value | undefined {
  switch (node.op) {
    case 'constant':
      return node.value
    case 'cast':
      return foldCast(node)
    case 'unary':
      return foldUnary(node)
    case 'binary': {
      const left = constantValue(node.left)
      const right = constantValue(node.right)
      if (left === undefined || right === undefined) return undefined
      try {
        if (node.operandType === 'int') return foldInt(node.operator, left as number, Number(right))
        if (node.operandType === 'long') return foldLong(node.operator, left as bigint, right as bigint | number)
      } catch (e) {
        ;(e as JavaThrowable).offset = node.at
        throw e
      }
      return undefined
    }
    default:
      return undefined
  }
}

function foldUnary(node: Extract<Ir, { op: 'unary' }>): Value | undefined {
  const value = constantValue(node.child)
  if (value === undefined) return undefined
  if (node.type === 'int' && typeof value === 'number')
    return node.operator === '-' ? -value | 0 : node.operator === '~' ? ~value : value
  if (node.type === 'long' && typeof value === 'bigint')
    return node.operator === '-' ? BigInt.asIntN(64, -value) : node.operator === '~' ? ~value : value
  return node.operator === '-' && typeof value === 'number' ? -value : undefined
}

function foldInt(op: string, a: number, b: number): number | undefined {
  switch (op) {
    case '+':
      return (a + b) | 0
    case '-':
      return (a - b) | 0
    case '*':
      return Math.imul(a, b)
    case '/':
      return numbers.intDivide(a, b)
    case '%':
      return numbers.intRemainder(a, b)
    case '&':
      return a & b
    case '|':
      return a | b
    case '^':
      return a ^ b
    case '<<':
      return a << b
    case '>>':
      return a >> b
    default:
      return (a >>> b) | 0
  }
}

function foldLong(op: string, a: bigint, b: bigint | number): bigint | undefined {
  const count = Number(BigInt.asUintN(6, BigInt(b)))
  if (op === '<<') return numbers.longShiftLeft(a, count)
  if (op === '>>') return numbers.longShiftRight(a, count)
  if (op === '>>>') return numbers.longShiftRightUnsigned(a, count)
  const c = BigInt(b)
  switch (op) {
    case '+':
      return BigInt.asIntN(64, a + c)
    case '-':
      return BigInt.asIntN(64, a - c)
    case '*':
      return BigInt.asIntN(64, a * c)
    case '/':
      return numbers.longDivide(a, c)
    case '%':
      return numbers.longRemainder(a, c)
    case '&':
      return a & c
    case '|':
      return a | c
    default:
      return a ^ c
  }
}

function foldCast(node: Extract<Ir, { op: 'cast' }>): Value | undefined {
  const value = constantValue(node.child)
  if (value === undefined || typeof value === 'boolean') return undefined
  if (typeof value === 'string') {
    if (node.type !== 'char' || value.length === 1) return undefined
    throw classCast('cannot cast java.lang.String with length not equal to one to char')
  }
  const fraction = node.child.type === 'float' || node.child.type === 'double'
  const int = () =>
    typeof value === 'bigint' ? numbers.longToInt(value) : fraction ? numbers.doubleToInt(value) : value
  switch (node.type) {
    case 'byte':
      return (int() << 24) >> 24
    case 'short':
      return (int() << 16) >> 16
    case 'char':
      return int() & 65535
    case 'int':
      return int()
    case 'long':
      return typeof value === 'bigint' ? value : fraction ? numbers.doubleToLong(value) : BigInt(value)
    case 'float':
      return typeof value === 'bigint' ? numbers.longToFloat(value) : Math.fround(value)
    case 'double':
      return Number(value)
    default:
      return undefined
  }
}
