/**
 * Arithmetic on blocks of values. Every operation is a loop over a block that all scripts share, so that it is compiled once per
 * thread.
 */
import {
  type Arithmetic,
  type Comparison,
  isComparison,
  OPERATIONS,
  type Operand,
  VECTOR_VALUES,
  VECTORS,
  type Vector,
  vectorKernel,
} from '../../../../kernels/vector-kernel.ts'
import type { BlockResults, EmitBlock } from '../../../contract.ts'
import * as parts from '../date-parts.ts'
import { type Bounds, boundsOf } from './column-bounds.ts'
import { applyEach, CALLS, toInt, VECTOR_CALLS } from './column-calls.ts'

/** A value of each document. */
export type ColumnTerm =
  | { readonly op: 'column'; readonly column: number }
  | { readonly op: 'param'; readonly param: number }
  | { readonly op: 'constant'; readonly value: number }
  | { readonly op: 'score' }
  | { readonly op: 'call'; readonly apply: (value: number) => number; readonly child: ColumnTerm }
  | { readonly op: Arithmetic | Comparison; readonly left: ColumnTerm; readonly right: ColumnTerm }
  /** `left` where the condition is not 0. */
  | { readonly op: '?'; readonly condition: ColumnTerm; readonly left: ColumnTerm; readonly right: ColumnTerm }

interface NumberColumn {
  readonly numbers: Float64Array
  /** Bounds of the values, if they were found without the values. */
  readonly known?: Bounds | undefined
  /** The smallest and largest value of each block of documents, side by side, if they are known. */
  rangesOf?(from: number, count: number): Float64Array | undefined
}

/** A term whose parameters have values: a number, or something with a value per document. */
export type Bound =
  | number
  | { readonly op: 'column'; readonly column: NumberColumn }
  | { readonly op: 'score' }
  | { readonly op: 'call'; readonly apply: (value: number) => number; readonly child: Bound }
  | { readonly op: Arithmetic | Comparison; readonly left: Bound; readonly right: Bound }
  | { readonly op: '?'; readonly condition: Exclude<Bound, number>; readonly left: Bound; readonly right: Bound }

const NO_SCORES = new Float64Array(0)

export class ColumnProgram {
  readonly #root: Exclude<Bound, number>
  /** Programs do not run inside others, so they share its vectors. */
  readonly #kernel = vectorKernel()
  /** The first value of the current vectors in the loaded columns. */
  #from = 0
  #scores: Float64Array = NO_SCORES
  readonly #readsScores: boolean
  /** The only column, if results never fall or never rise with its values. */
  readonly #monotone: NumberColumn | undefined
  /** What is read instead of its values. */
  #instead: Float64Array | undefined
  #ranges = new Float64Array(0)

  constructor(root: Exclude<Bound, number>) {
    this.#root = root
    this.#readsScores = readsScores(root)
    this.#monotone = monotoneColumn(root)
  }

  /**
   * Binds columns by number and parameters by place. Undefined if the term is the same for all documents, or needs more vectors than
   * there are.
   */
  static bind(
    term: ColumnTerm,
    columns: ReadonlyMap<number, NumberColumn>,
    params: readonly number[],
  ): ColumnProgram | undefined {
    const root = bound(term, columns, params)
    return typeof root === 'number' || vectorsOf(root) > VECTORS ? undefined : new ColumnProgram(root)
  }

  /**
   * Writes the value of each document of the loaded columns to an array or emits it. Returns false if the arrays are not those
   * of doubles.
   */
  run(
    docs: Int32Array,
    count: number,
    into: BlockResults | EmitBlock | undefined,
    scores: Float32Array | Float64Array | undefined,
  ): boolean {
    if (scores instanceof Float64Array) this.#scores = scores
    else if (this.#readsScores) return false
    if (into instanceof Float64Array) {
      this.#write(count, into, 0)
      return true
    }
    if (into === undefined || !('keepEach' in into)) return false
    into.room(into.kept + count)
    const { valueArray } = into
    if (!(valueArray instanceof Float64Array)) return false
    this.#write(count, valueArray, into.kept)
    into.keepEach(docs, count)
    return true
  }

  /** Emits the values of `count` documents from `from` on, for which the columns are loaded. Returns false as `run` does. */
  emitRange(from: number, count: number, into: EmitBlock): boolean {
    if (this.#readsScores) return false
    into.room(into.kept + count)
    const { valueArray } = into
    if (!(valueArray instanceof Float64Array)) return false
    this.#write(count, valueArray, into.kept)
    into.keepRange(from, count, this.#rangesOf(from, count))
    return true
  }

  /** The smallest and largest result of each block of documents, from those of the column. */
  #rangesOf(from: number, count: number): Float64Array | undefined {
    const ofColumn = this.#monotone?.rangesOf?.(from, count)
    if (ofColumn === undefined) return undefined
    const { length } = ofColumn
    if (this.#ranges.length !== length) this.#ranges = new Float64Array(length)
    const ranges = this.#ranges
    this.#instead = ofColumn
    this.#write(length, ranges, 0)
    this.#instead = undefined
    for (let i = 0; i < length; i += 2) {
      const [first, second] = [ranges[i]!, ranges[i + 1]!]
      // Between two finite results all are finite.
      if (!Number.isFinite(first) || !Number.isFinite(second)) return undefined
      ranges[i] = Math.min(first, second)
      ranges[i + 1] = Math.max(first, second)
    }
    return ranges
  }

  /** Whether every result for the loaded columns is known to be from 0 to `limit`. */
  isWithin(limit: number, count: number, scores: Float32Array | Float64Array | undefined): boolean {
    if (this.#readsScores && !(scores instanceof Float64Array)) return false
    const bounds = boundsOf(this.#root, count, scores instanceof Float64Array ? scores : NO_SCORES)
    return bounds !== undefined && bounds.least >= 0 && bounds.most <= limit
  }

  /** Writes the results of `count` documents to `out` from `at` on. */
  #write(count: number, out: Float64Array, at: number): void {
    const { vectors } = this.#kernel
    for (let from = 0; from < count; from += VECTOR_VALUES) {
      const end = Math.min(count, from + VECTOR_VALUES)
      this.#from = from
      this.#compute(this.#root, end - from, 0)
      out.set(vectors[0]!.values.subarray(0, end - from), at + from)
    }
  }

  /** Computes a term in the vector of the given number. Later vectors are free. */
  #compute(term: Exclude<Bound, number>, count: number, number: number): Vector {
    const kernel = this.#kernel
    const out = kernel.vectors[number]!
    switch (term.op) {
      case 'column':
        return this.#copy(this.#instead ?? term.column.numbers, count, out)
      case 'score':
        return this.#copy(this.#scores, count, out)
      case 'call': {
        this.#operand(term.child, count, number)
        const call = VECTOR_CALLS.get(term.apply)
        if (call !== undefined) kernel.apply(call, out, count, out)
        else (CALLS.get(term.apply) ?? applyEach)(out.values, count, term.apply)
        return out
      }
      case '?': {
        const { condition } = term
        const decides = comparesWithNumber(condition) ? condition : undefined
        const left = this.#compute(decides?.left ?? condition, count, number)
        const whenTrue = this.#operand(term.left, count, number + 1)
        const whenFalse = this.#operand(term.right, count, number + 2)
        kernel.select(decides?.op ?? '!=', left, decides?.right ?? 0, whenTrue, whenFalse, count, out)
        return out
      }
    }
    const { left, right } = term
    if (term.op === '+' && typeof right === 'number' && isScaled(left)) {
      kernel.scale(this.#compute(left.left, count, number), left.right, right, count, out)
    } else {
      const first = this.#operand(left, count, number)
      kernel.combine(term.op, first, this.#operand(right, count, number + 1), count, out)
    }
    return out
  }

  #operand(term: Bound, count: number, number: number): Operand {
    return typeof term === 'number' ? term : this.#compute(term, count, number)
  }

  #copy(values: Float64Array, count: number, out: Vector): Vector {
    out.values.set(values.subarray(this.#from, this.#from + count))
    return out
  }
}

/** How many vectors the computation of a term takes. */
function vectorsOf(term: Bound): number {
  if (typeof term === 'number' || term.op === 'column' || term.op === 'score') return 1
  if (term.op === 'call') return vectorsOf(term.child)
  if (term.op !== '?') return Math.max(vectorsOf(term.left), vectorsOf(term.right) + 1)
  return Math.max(vectorsOf(term.condition), vectorsOf(term.left) + 1, vectorsOf(term.right) + 2)
}

/** Whether a condition is a comparison of values with a number. */
const comparesWithNumber = (term: Bound): term is { op: Comparison; left: Exclude<Bound, number>; right: number } =>
  typeof term !== 'number' &&
  isComparison(term.op) &&
  'right' in term &&
  typeof term.left !== 'number' &&
  typeof term.right === 'number'

/** Parts of dates, which are far from the largest int. */
const PARTS: ReadonlySet<unknown> = new Set([
  parts.part_hour,
  parts.part_minute,
  parts.part_second,
  parts.part_year,
  parts.part_month,
  parts.part_day,
  parts.part_dayOfYear,
])
const SMALL = 2 ** 30

/** Whether a term is the sum or difference of a part of a date and a number, and never beyond the ints. */
const isSmallSum = (term: Exclude<Bound, number>): boolean =>
  (term.op === '+' || term.op === '-') &&
  typeof term.left !== 'number' &&
  term.left.op === 'call' &&
  PARTS.has(term.left.apply) &&
  typeof term.right === 'number' &&
  Math.abs(term.right) < SMALL

/** Whether a term is a product with a number. */
const isScaled = (term: Bound): term is { op: '*'; left: Exclude<Bound, number>; right: number } =>
  typeof term !== 'number' && term.op === '*' && typeof term.left !== 'number' && typeof term.right === 'number'

/**
 * The column of a term that never falls or never rises with its values: operations with numbers do neither, also when they round. Of a
 * quotient, the number must be the divisor.
 */
function monotoneColumn(term: Bound): NumberColumn | undefined {
  if (typeof term === 'number') return undefined
  switch (term.op) {
    case 'column':
      return term.column
    case 'call':
      return term.apply === Math.sqrt ? monotoneColumn(term.child) : undefined
    case '+':
    case '-':
    case '*':
      if (typeof term.left === 'number') return monotoneColumn(term.right)
      return typeof term.right === 'number' ? monotoneColumn(term.left) : undefined
    case '/':
      return typeof term.right === 'number' ? monotoneColumn(term.left) : undefined
    default:
      return undefined
  }
}

function readsScores(term: Bound): boolean {
  if (typeof term === 'number' || term.op === 'column') return false
  if (term.op === 'score') return true
  if (term.op === 'call') return readsScores(term.child)
  return readsScores(term.left) || readsScores(term.right) || (term.op === '?' && readsScores(term.condition))
}

function bound(term: ColumnTerm, columns: ReadonlyMap<number, NumberColumn>, params: readonly number[]): Bound {
  switch (term.op) {
    case 'column':
      return { op: 'column', column: columns.get(term.column)! }
    case 'param':
      return params[term.param]!
    case 'constant':
      return term.value
    case 'score':
      return term
    case 'call': {
      const child = bound(term.child, columns, params)
      if (typeof child === 'number') return term.apply(child)
      return term.apply === toInt && isSmallSum(child) ? child : { op: 'call', apply: term.apply, child }
    }
    case '?': {
      const condition = bound(term.condition, columns, params)
      const left = bound(term.left, columns, params)
      const right = bound(term.right, columns, params)
      if (typeof condition === 'number') return condition !== 0 ? left : right
      return { op: '?', condition, left, right }
    }
    default: {
      const left = bound(term.left, columns, params)
      const right = bound(term.right, columns, params)
      if (typeof left !== 'number' || typeof right !== 'number') return { op: term.op, left, right }
      return OPERATIONS[term.op](left, right)
    }
  }
}
