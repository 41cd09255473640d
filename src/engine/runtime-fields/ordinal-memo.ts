/**
 * Runs a script once per distinct value of a keyword field if the script reads only that field. Documents with the same
 * value get the same emitted values.
 */
import type { ScriptTraits } from '../painless/index.ts'
import { newOrdinalBlock } from '../segment/doc-values/doc-values-block.ts'
import type { SortedSetDocValues } from '../segment/segment-reader-api.ts'
import type { ValueEvaluator } from './runtime-field.ts'
import type { AnyCollector } from './value-collector.ts'

const UNSEEN = -1
const FAILED = -2

/** The only field on which the output of a script depends; undefined if it depends on anything else. */
export function decidingField({ fields, deterministic, readsUnknownFields, readsSource }: ScriptTraits) {
  return deterministic && !readsUnknownFields && !readsSource && fields.length === 1 ? fields[0] : undefined
}

export class OrdinalMemo implements ValueEvaluator {
  failure: unknown
  readonly #evaluator: ValueEvaluator
  readonly #column: SortedSetDocValues
  readonly #into: AnyCollector
  readonly #block = newOrdinalBlock()
  /**
   * The slots of the emitted values of the first document with each ordinal. The first entry is for documents without a
   * value.
   */
  readonly #starts: Int32Array
  readonly #ends: Int32Array
  readonly #failures = new Map<number, unknown>()

  constructor(evaluator: ValueEvaluator, column: SortedSetDocValues, into: AnyCollector) {
    this.#evaluator = evaluator
    this.#column = column
    this.#into = into
    this.#starts = new Int32Array(column.termCount + 1).fill(UNSEEN)
    this.#ends = new Int32Array(column.termCount + 1)
  }

  /**
   * Whether the memo can be used: documents have at most one value, and there are fewer distinct values than documents.
   */
  static fits(column: SortedSetDocValues | undefined, docCount: number): column is SortedSetDocValues {
    return column !== undefined && !column.multiValued && column.termCount < docCount / 2
  }

  evaluate(doc: number): void {
    this.#evaluator.evaluate(doc)
  }

  evaluateBlock(docs: Int32Array, count: number): number {
    this.#column.readBlock(docs, count, this.#block)
    const { offsets, ordinals } = this.#block
    const into = this.#into
    const starts = this.#starts
    const ends = this.#ends
    for (let i = 0; i < count; i++) {
      const key = offsets[i] === offsets[i + 1] ? 0 : ordinals[offsets[i]!]! + 1
      const start = starts[key]!
      if (start >= 0) into.repeat(docs[i]!, start, ends[key]!)
      else if (start === FAILED || !this.#first(docs[i]!, key)) {
        this.failure = this.#failures.get(key)
        return i
      }
    }
    return count
  }

  #first(doc: number, key: number): boolean {
    const into = this.#into
    const start = into.kept
    try {
      this.#evaluator.evaluate(doc)
    } catch (error) {
      this.#starts[key] = FAILED
      this.#failures.set(key, error)
      return false
    }
    into.endDocument()
    this.#starts[key] = start
    this.#ends[key] = into.kept
    return true
  }
}
