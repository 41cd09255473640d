/**
 * Folds expressions over constants. It exists for its errors: `1 / 0` is a compile error with the exception as its cause.
 */
import type { Ir } from '../analysis/ir.ts'
import { classCast, type JavaThrowable } from '../errors/java-throwable.ts'
import * as numbers from '../runtime/numbers.ts'

type Value = number | bigint | boolean | string

/** The value of a constant expression, undefined for others. Throws what the operation throws, with its offset. */
export function constantValue(node: Ir): Value | undefined {
  switch (node.op) {
    case 'constant':
      return node.value
    case 'cast':
      return foldCast(node)
    case 'binary': {
      const left = constantValue(node.left)
      const right = constantValue(node.right)
      if (left === undefined || right === undefined || node.operandType === 'def') return undefined
      if (node.operator === '/' || node.operator === '%') return divide(node, left, right)
      return undefined
    }
    default:
      return undefined
  }
}

function foldCast(node: Extract<Ir, { op: 'cast' }>): Value | undefined {
  const value = constantValue(node.child)
  if (value === undefined) return undefined
  const from = node.child.type
  if (typeof value === 'string') {
    if (node.type !== 'char' || value.length === 1) return undefined
    const error = classCast('cannot cast java.lang.String with length not equal to one to char')
    throw error
  }
  if (node.type === 'long' && typeof value === 'number' && !['float', 'double'].includes(from)) return BigInt(value)
  return from === 'int' && ['double', 'float'].includes(node.type) ? value : undefined
}

function divide(node: Extract<Ir, { op: 'binary' }>, left: Value, right: Value): Value | undefined {
  try {
    if (node.operandType === 'int' && typeof left === 'number' && typeof right === 'number')
      return node.operator === '/' ? numbers.intDivide(left, right) : numbers.intRemainder(left, right)
    if (node.operandType === 'long' && typeof left === 'bigint' && typeof right === 'bigint')
      return node.operator === '/' ? numbers.longDivide(left, right) : numbers.longRemainder(left, right)
  } catch (e) {
    ;(e as JavaThrowable).offset = node.at
    throw e
  }
  return undefined
}
