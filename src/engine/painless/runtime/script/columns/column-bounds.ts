/**
 * The bounds of a program's results for a block of documents, from the bounds of its columns. They tell that no document of a block
 * can be among the best without computing the results.
 */
import { toInt } from './column-calls.ts'
import type { Bound } from './column-program.ts'

export interface Bounds {
  readonly least: number
  readonly most: number
}

/** Undefined if the results are not known to be finite numbers. */
export function boundsOf(term: Bound, count: number, scores: Float64Array): Bounds | undefined {
  if (typeof term === 'number') return finite(term, term)
  switch (term.op) {
    case 'column':
      return term.column.known ?? extremes(term.column.numbers, count)
    case 'score':
      return extremes(scores, count)
    case 'call': {
      const child = boundsOf(term.child, count, scores)
      return child && afterCall(term.apply, child)
    }
    case '?': {
      const left = boundsOf(term.left, count, scores)
      const right = left && boundsOf(term.right, count, scores)
      return right && finite(Math.min(left.least, right.least), Math.max(left.most, right.most))
    }
    case '+':
    case '-':
    case '*':
    case '/': {
      const left = boundsOf(term.left, count, scores)
      const right = left && boundsOf(term.right, count, scores)
      return right && afterOperator(term.op, left, right)
    }
    default:
      return ZERO_OR_ONE
  }
}

const ZERO_OR_ONE: Bounds = { least: 0, most: 1 }

/** Minimum and maximum, which are NaN if a value is. Two of each, so that one does not wait for the other. */
function extremes(values: Float64Array, count: number): Bounds | undefined {
  let least = Number.POSITIVE_INFINITY
  let most = Number.NEGATIVE_INFINITY
  let otherLeast = least
  let otherMost = most
  const even = count & ~1
  for (let i = 0; i < even; i += 2) {
    const value = values[i]!
    const other = values[i + 1]!
    least = Math.min(least, value)
    otherLeast = Math.min(otherLeast, other)
    most = Math.max(most, value)
    otherMost = Math.max(otherMost, other)
  }
  if (even < count) {
    least = Math.min(least, values[even]!)
    most = Math.max(most, values[even]!)
  }
  return finite(Math.min(least, otherLeast), Math.max(most, otherMost))
}

/** Rounding keeps the order of numbers, so that the results between the bounds stay between those of the bounds. */
function afterOperator(op: '+' | '-' | '*' | '/', a: Bounds, b: Bounds): Bounds | undefined {
  if (op === '+') return finite(a.least + b.least, a.most + b.most)
  if (op === '-') return finite(a.least - b.most, a.most - b.least)
  if (op === '*') return span(a.least * b.least, a.least * b.most, a.most * b.least, a.most * b.most)
  if (b.least <= 0 && b.most >= 0) return undefined
  return span(a.least / b.least, a.least / b.most, a.most / b.least, a.most / b.most)
}

const span = (a: number, b: number, c: number, d: number) => finite(Math.min(a, b, c, d), Math.max(a, b, c, d))

/** Larger than the relative error of a logarithm: computed logarithms are not guaranteed to be monotonic. */
const LOG_ERROR = 1e-14

function afterCall(apply: (value: number) => number, { least, most }: Bounds): Bounds | undefined {
  if (apply === Math.sqrt) return finite(Math.sqrt(least), Math.sqrt(most))
  if (apply === Math.log || apply === Math.log10) {
    const [from, to] = [apply(least), apply(most)]
    return finite(from - Math.abs(from) * LOG_ERROR, to + Math.abs(to) * LOG_ERROR)
  }
  if (apply === Math.abs) {
    const furthest = Math.max(Math.abs(least), Math.abs(most))
    return finite(least <= 0 && most >= 0 ? 0 : Math.min(Math.abs(least), Math.abs(most)), furthest)
  }
  if (apply === toInt && toInt(least) === Math.trunc(least) && toInt(most) === Math.trunc(most)) {
    return finite(toInt(least), toInt(most))
  }
  return undefined
}

const finite = (least: number, most: number): Bounds | undefined =>
  Number.isFinite(least) && Number.isFinite(most) ? { least, most } : undefined
