/**
 * Longs as JavaScript numbers. Block code knows the range of the fields it reads. Where the range of an expression stays
 * below 2^53, its value is exact as a number, and no bigint is needed. The code sets the position of an error at the same places as
 * the code of `expressions.ts`.
 */
import type { Ir } from '../analysis/ir.ts'
import { isPrimitive } from '../api/lookup.ts'
import { datePartOf, paramRead, typedDocValue } from './doc-reads.ts'
import { after, type Emitter } from './generator-base.ts'

/** A whole number as a JavaScript number, and the range of its values. It is never -0. */
export interface ExactLong {
  readonly code: string
  readonly low: number
  readonly high: number
}

const INT_LOW = -(2 ** 31)
const INT_HIGH = 2 ** 31 - 1
const WHOLE_TYPES = new Set(['byte', 'short', 'char', 'int'])

/** The expression as an exact number; undefined if its range is unknown or too large. */
export function exactLong(e: Emitter, node: Ir): ExactLong | undefined {
  if (!e.inBlock) return undefined
  if (!e.exactLongs.has(node)) e.exactLongs.set(node, computed(e, node))
  return e.exactLongs.get(node)
}

function computed(e: Emitter, node: Ir): ExactLong | undefined {
  switch (node.op) {
    case 'constant':
      return constant(node.value)
    case 'cast':
      return castOf(e, node)
    case 'unary':
      if (node.operator === '-' && node.type === 'long') return negated(node.at, exactLong(e, node.child))
      break
    case 'conditional':
      if (node.type === 'long') return conditional(e, node)
      break
    case 'binary':
      return binary(e, node)
  }
  const part = datePartOf(e, node)
  if (part !== undefined) return part.type === 'def' ? undefined : part
  const read = typedDocValue(e, node)
  if (read !== undefined) return read.exact
  const param = paramRead(e, node)
  if (param !== undefined) return param.type === 'int' ? anyInt(param.code) : undefined
  return WHOLE_TYPES.has(node.type) ? anyInt(e.expression(node)) : undefined
}

const anyInt = (code: string): ExactLong => ({ code, low: INT_LOW, high: INT_HIGH })

function constant(value: number | bigint | boolean | string): ExactLong | undefined {
  if (typeof value !== 'number' && typeof value !== 'bigint') return undefined
  const number = Number(value)
  if (!Number.isSafeInteger(number) || Object.is(number, -0)) return undefined
  return { code: number < 0 ? `(${number})` : String(number), low: number, high: number }
}

/** Casts that keep the value: a narrower whole number to long, and a whole number to or from def. */
function castOf(e: Emitter, node: Extract<Ir, { op: 'cast' }>): ExactLong | undefined {
  const { child } = node
  if (node.type !== 'long' && node.type !== 'def') return undefined
  if (isPrimitive(child.type) ? !WHOLE_TYPES.has(child.type) && child.type !== 'long' : child.type !== 'def') {
    return undefined
  }
  const exact = exactLong(e, child)
  // Conversions of constants have no position.
  if (exact === undefined || child.op === 'constant') return exact
  return { ...exact, code: after(exact.code, node.castAt) }
}

const negated = (at: number, value: ExactLong | undefined): ExactLong | undefined =>
  value && { code: `(p=${at},0 - ${value.code})`, low: -value.high, high: -value.low }

function conditional(e: Emitter, node: Extract<Ir, { op: 'conditional' }>): ExactLong | undefined {
  const left = exactLong(e, node.left)
  const right = left && exactLong(e, node.right)
  if (left === undefined || right === undefined) return undefined
  const code = `(p=${node.at},${e.expression(node.condition)}?${left.code}:${right.code})`
  return { code, low: Math.min(left.low, right.low), high: Math.max(left.high, right.high) }
}

function binary(e: Emitter, node: Extract<Ir, { op: 'binary' }>): ExactLong | undefined {
  const known = node.operandType === 'def' ? e.known(node) : undefined
  const type = known?.type ?? node.type
  // Sums of ints overflow as ints.
  if (WHOLE_TYPES.has(type)) return anyInt(known?.code ?? e.expression(node))
  if (type !== 'long') return undefined
  const left = exactLong(e, node.left)
  const right = left && exactLong(e, node.right)
  if (left === undefined || right === undefined) return undefined
  const result = operation(node.operator, node.at, left, right)
  const fits = result !== undefined && Number.isSafeInteger(result.low) && Number.isSafeInteger(result.high)
  return fits ? result : undefined
}

function operation(operator: string, at: number, a: ExactLong, b: ExactLong): ExactLong | undefined {
  switch (operator) {
    case '+':
      return { code: `(p=${at},${a.code}+${b.code})`, low: a.low + b.low, high: a.high + b.high }
    case '-':
      return { code: `(p=${at},${a.code} - ${b.code})`, low: a.low - b.high, high: a.high - b.low }
    case '*': {
      const products = [a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high]
      // The sum turns -0 into 0.
      return { code: `(p=${at},${a.code}*${b.code}+0)`, low: Math.min(...products), high: Math.max(...products) }
    }
    case '/': {
      const most = Math.max(Math.abs(a.low), Math.abs(a.high))
      return { code: `(p=${at},R.exactDivide(${a.code},${b.code}))`, low: -most, high: most }
    }
    case '%': {
      const most = Math.max(Math.abs(b.low), Math.abs(b.high))
      return { code: `(p=${at},R.exactRemainder(${a.code},${b.code}))`, low: -most, high: most }
    }
    default:
      return undefined
  }
}
