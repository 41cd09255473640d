/** Postings of documents that are listed in memory, for terms that were merged from several. Every frequency is 1. */
import { hasBit, nextSetBit, setBit, wordsFor } from '../../base/bit-set.ts'
import { NO_MORE_DOCS, type Postings, UNKNOWN_IMPACT } from '../segment/segment-reader-api.ts'

const BLOCK_DOCS = 128
const NO_NUMBERS = new Int32Array(0)

export class ListedPostings implements Postings {
  readonly docFreq: number
  readonly docs = new Int32Array(BLOCK_DOCS)
  readonly freqs = new Int32Array(BLOCK_DOCS).fill(1)
  readonly positions = NO_NUMBERS
  readonly blockPositions = NO_NUMBERS
  readonly positionStarts = NO_NUMBERS
  count = 0
  blockLastDoc = -1
  lazyFreqs = false
  readonly #all: Int32Array
  #next = 0

  /** The documents in order. */
  constructor(all: Int32Array) {
    this.#all = all
    this.docFreq = all.length
  }

  copy(): ListedPostings {
    return new ListedPostings(this.#all)
  }

  get blockCount(): number {
    return Math.ceil(this.#all.length / BLOCK_DOCS)
  }

  get upcoming(): number {
    return this.#next
  }

  skipTo(block: number): void {
    this.#next = block
    this.count = 0
    this.blockLastDoc = -1
  }

  nextBlock(): boolean {
    const from = this.#next * BLOCK_DOCS
    if (from >= this.#all.length) {
      this.count = 0
      this.blockLastDoc = NO_MORE_DOCS
      return false
    }
    const block = this.#all.subarray(from, from + BLOCK_DOCS)
    this.docs.set(block)
    this.count = block.length
    this.blockLastDoc = block[block.length - 1]!
    this.#next++
    return true
  }

  advanceBlock(target: number): boolean {
    if (this.count > 0 && this.blockLastDoc >= target) return true
    let block = this.#next
    while (block < this.blockCount && this.#lastOf(block) < target) block++
    this.#next = block
    return this.nextBlock()
  }

  #lastOf(block: number): number {
    return this.#all[Math.min((block + 1) * BLOCK_DOCS, this.#all.length) - 1]!
  }

  lastDocOf(block: number): number {
    return block >= this.blockCount - 1 ? NO_MORE_DOCS - 1 : this.#lastOf(block)
  }

  impactOf(_block: number): number {
    return UNKNOWN_IMPACT
  }

  keepShared(): number {
    return -1
  }

  loadFreqs(): void {}

  loadPositions(): void {}

  readPositions(_index: number): number {
    return 0
  }
}

/** The documents of any of the postings, in order. */
export function unionOfDocs(lists: Iterable<Postings>, docCount: number): Int32Array {
  const bits = new Uint32Array(wordsFor(docCount))
  let count = 0
  for (const postings of lists) {
    while (postings.nextBlock()) {
      for (let i = 0; i < postings.count; i++) {
        const doc = postings.docs[i]!
        if (hasBit(bits, doc)) continue
        setBit(bits, doc)
        count++
      }
    }
  }
  const docs = new Int32Array(count)
  let at = 0
  for (let doc = nextSetBit(bits, 0); doc >= 0; doc = nextSetBit(bits, doc + 1)) docs[at++] = doc
  return docs
}
