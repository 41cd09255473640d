/**
 * Runs a script once per combination of the values that it reads. Documents with the same combination get the same
 * emitted values.
 */
import type { DecidingColumns } from './deciding-columns.ts'
import type { ValueEvaluator } from './runtime-field.ts'
import type { AnyCollector, TermCollector } from './value-collector.ts'

const UNSEEN = -1
const FAILED = -2
/** The combination emits none or several values. */
const NOT_ONE = -3

export class ValueMemo implements ValueEvaluator {
  failure: unknown
  readonly #evaluator: ValueEvaluator
  readonly #columns: DecidingColumns
  readonly #into: AnyCollector
  /** The slot of the value of the first document with each combination, or one of the marks above. */
  readonly #slots: Int32Array
  /** The slots of combinations that emit none or several values. */
  readonly #several = new Map<number, { readonly from: number; readonly to: number }>()
  readonly #failures = new Map<number, unknown>()

  constructor(evaluator: ValueEvaluator, columns: DecidingColumns, into: AnyCollector) {
    this.#evaluator = evaluator
    this.#columns = columns
    this.#into = into
    this.#slots = new Int32Array(columns.combinations).fill(UNSEEN)
  }

  evaluate(doc: number): void {
    this.#evaluator.evaluate(doc)
  }

  evaluateBlock(docs: Int32Array, count: number): number {
    const numbers = this.#columns.numbersOf(docs, count)
    const into = this.#into
    const slots = this.#slots
    for (let i = 0; i < count; ) {
      if (into.kind === 'term') i = repeatTerms(into as TermCollector, docs, numbers, i, count, slots)
      if (i === count) break
      const number = numbers[i]!
      const slot = slots[number]!
      if (slot >= 0) into.repeat(docs[i]!, slot, slot + 1)
      else if (slot === NOT_ONE) {
        const { from, to } = this.#several.get(number)!
        into.repeat(docs[i]!, from, to)
      } else if (slot === FAILED || !this.#first(docs[i]!, number)) {
        this.failure = this.#failures.get(number)
        return i
      }
      i++
    }
    return count
  }

  #first(doc: number, number: number): boolean {
    const into = this.#into
    const from = into.kept
    try {
      this.#evaluator.evaluate(doc)
    } catch (error) {
      this.#slots[number] = FAILED
      this.#failures.set(number, error)
      return false
    }
    into.endDocument()
    const to = into.kept
    this.#slots[number] = to - from === 1 ? from : NOT_ONE
    if (to - from !== 1) this.#several.set(number, { from, to })
    return true
  }
}

/** Adds documents whose combination has one known term, and returns the place of the first other document. */
function repeatTerms(
  into: TermCollector,
  docs: Int32Array,
  numbers: Int32Array,
  from: number,
  count: number,
  slots: Int32Array,
): number {
  into.room(into.kept + count - from)
  const terms = into.valueArray
  const own = into.docArray
  let at = into.kept
  let i = from
  for (; i < count; i++) {
    const slot = slots[numbers[i]!]!
    if (slot < 0) break
    own[at] = docs[i]!
    terms[at++] = terms[slot]!
  }
  into.keep(at)
  return i
}
