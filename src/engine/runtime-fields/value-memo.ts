/**
 * Runs a script once per combination of the values that it reads. Documents with the same combination get the same
 * emitted values.
 */
import { ApiError } from '../../base/api-error.ts'
import { exceededLimit } from '../painless/index.ts'
import { collectorMemory } from './column-memory.ts'
import type { ComputedDocValues } from './computed-doc-values.ts'
import { ComputedTerms } from './computed-terms.ts'
import type { DecidingColumns } from './deciding-columns.ts'
import { checkGuard } from './evaluation-guard.ts'
import type { ValueEvaluator } from './runtime-field.ts'
import type { AnyCollector, TermCollector } from './value-collector.ts'

const UNSEEN = -1
const FAILED = -2
/** The combination emits no value or several values. */
const NOT_ONE = -3

const BLOCK_DOCS = 4096
/** The cost of running the script for a block, in steps of the guard. */
const STEPS_PER_RUNS = 32

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

  /**
   * Numbers the combinations of all documents first, and then runs the script once for each. Undefined if a combination fails
   * or emits none or several values.
   */
  computeAll(docCount: number): ComputedDocValues | undefined {
    if (this.#into.kind !== 'term') return undefined
    const memory = collectorMemory.take(docCount * Int32Array.BYTES_PER_ELEMENT)
    const classes = new Int32Array(memory, 0, docCount)
    const { firstDocs, sizes } = this.#classify(docCount, classes)
    const emitsOne = this.#runOnce(firstDocs)
    const into = this.#into as TermCollector
    const values = emitsOne ? ComputedTerms.ofClasses(into, classes, sizes, docCount) : undefined
    into.keep(0)
    collectorMemory.give(memory)
    return values
  }

  /** Numbers the combinations in the order of their first documents. */
  #classify(docCount: number, classes: Int32Array): { firstDocs: Int32Array; sizes: Int32Array } {
    const classOf = new Int32Array(this.#columns.combinations).fill(UNSEEN)
    const firstDocs: number[] = []
    const docs = new Int32Array(Math.min(BLOCK_DOCS, docCount))
    for (let from = 0; from < docCount; from += BLOCK_DOCS) {
      checkGuard(1)
      const count = Math.min(BLOCK_DOCS, docCount - from)
      for (let i = 0; i < count; i++) docs[i] = from + i
      classifyBlock(this.#columns.numbersOf(docs, count), from, count, classOf, classes, firstDocs)
    }
    return { firstDocs: Int32Array.from(firstDocs), sizes: sizesOf(classes, firstDocs.length) }
  }

  /** Runs the script for these documents. Returns false if one fails or emits none or several values. */
  #runOnce(docs: Int32Array): boolean {
    const into = this.#into
    for (let i = 0; i < docs.length; i++) {
      if (i % BLOCK_DOCS === 0) checkGuard(STEPS_PER_RUNS)
      try {
        this.#evaluator.evaluate(docs[i]!)
      } catch (error) {
        if (!(error instanceof ApiError) || exceededLimit(error)) throw error
        into.dropDocument()
        return false
      }
      into.endDocument()
      if (into.kept !== i + 1) return false
    }
    return true
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

/** Writes the class of each document of a block. A combination that is new gets the next class. */
function classifyBlock(
  numbers: Int32Array,
  from: number,
  count: number,
  classOf: Int32Array,
  classes: Int32Array,
  firstDocs: number[],
): void {
  for (let i = 0; i < count; i++) {
    let own = classOf[numbers[i]!]!
    if (own === UNSEEN) {
      own = classOf[numbers[i]!] = firstDocs.length
      firstDocs.push(from + i)
    }
    classes[from + i] = own
  }
}

/** How many documents each class has. */
function sizesOf(classes: Int32Array, classCount: number): Int32Array {
  const sizes = new Int32Array(classCount)
  for (let doc = 0; doc < classes.length; doc++) {
    const own = classes[doc]!
    sizes[own] = sizes[own]! + 1
  }
  return sizes
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
