/** A batch of documents between a cursor and the page. */
import { hasBit } from '../../../../base/bit-set.ts'
import type { DocumentBlocks, SegmentView } from '../../../segment/segment-reader-api.ts'
import type { BlockRounding } from '../../values/block-rounding.ts'
import type { TakeDocuments } from './leading-walk.ts'

/**
 * Documents per batch: enough to justify a call for reading the other sources, and few enough that a page reads little
 * beyond its end.
 */
export const STEP_DOCS = 512

/** The documents of a step. All cursors of a thread share it, because one step ends before another starts. */
export const stepDocs = new Int32Array(STEP_DOCS * 2)
const stepCodes = new Float64Array(STEP_DOCS * 2)

/** Documents for a page, each with the code of its first source. */
export class Batch {
  readonly #take: TakeDocuments
  readonly #live: Uint32Array | undefined
  readonly #roots: Uint32Array | undefined
  readonly #sign: number
  readonly #rounding: BlockRounding | undefined
  #count = 0

  constructor(view: SegmentView, take: TakeDocuments, descending: boolean, rounding?: BlockRounding) {
    this.#live = view.live
    this.#roots = view.reader.nested?.roots
    this.#take = take
    this.#sign = descending ? -1 : 1
    this.#rounding = rounding
  }

  get isFull(): boolean {
    return this.#count >= STEP_DOCS
  }

  /** Adds a document unless it is deleted or nested. */
  add(doc: number, value: number): void {
    if (this.#live !== undefined && !hasBit(this.#live, doc)) return
    if (this.#roots !== undefined && !hasBit(this.#roots, doc)) return
    stepDocs[this.#count] = doc
    stepCodes[this.#count++] = value
  }

  /** Adds a block of documents with one value, at most `STEP_DOCS` of them. */
  addBlock({ docs, count }: DocumentBlocks, value: number): void {
    if (this.#live !== undefined || this.#roots !== undefined) {
      for (let i = 0; i < count; i++) this.add(docs[i]!, value)
      return
    }
    const at = this.#count
    for (let i = 0; i < count; i++) stepDocs[at + i] = docs[i]!
    stepCodes.fill(value, at, at + count)
    this.#count = at + count
  }

  flush(): void {
    const count = this.#count
    if (count === 0) return
    this.#rounding?.roundAll(stepCodes, count)
    if (this.#sign < 0) for (let i = 0; i < count; i++) stepCodes[i] = -stepCodes[i]!
    this.#take(stepDocs, count, stepCodes)
    this.#count = 0
  }
}
