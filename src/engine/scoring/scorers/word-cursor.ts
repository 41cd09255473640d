/** The cursor of one word of a phrase, as the union of its synonyms. */
import { NO_MORE_DOCS, type Postings } from '../../segment/segment-reader-api.ts'
import type { SimScorer } from '../similarity.ts'
import { BlockBounds } from './block-bounds.ts'
import { BARS } from './score-bars.ts'

/** Entries skipped at a time when searching a document in a block. */
const STRIDE = 16
/** Once this many documents of a block were read, the positions of the next block are decoded together. */
export const MANY = 12
/** A word with this many times the documents of another is looked up per document and not scanned. */
const FEW_TIMES = 8

export interface PhraseWord {
  /** Offset of the word in the phrase. */
  readonly offset: number
  /** The postings of the word and of its synonyms. */
  readonly postings: readonly Postings[]
  /** Ordinals of these terms: a term may occur at several places of a phrase. */
  readonly terms: readonly number[]
}

export class WordCursor {
  readonly cost: number
  readonly #offset: number
  readonly #postings: readonly Postings[]
  /** The postings of a word without synonyms. */
  readonly #only: Postings | undefined
  /** For a word without synonyms: the phrase is not more frequent in a document than the word. */
  readonly #bounds: BlockBounds | undefined
  readonly #at: number[]
  #doc: number
  /** Number of documents of the current and the previous block whose positions were read. */
  #reads: number
  #readsBefore: number
  #readBlock: number
  /**
   * Positions in the current document are [from, end) of these, ascending, each `shift` ahead of the phrase's start.
   */
  positions: Int32Array
  from: number
  end: number
  shift: number

  /** `simScorer` is the phrase's. */
  constructor(word: PhraseWord, simScorer: SimScorer | undefined, hasNorms: boolean) {
    const only = word.postings.length === 1 ? word.postings[0] : undefined
    this.#only = only
    this.#offset = word.offset
    this.#postings = word.postings
    this.#bounds =
      only === undefined || simScorer === undefined ? undefined : new BlockBounds(only, simScorer, hasNorms)
    for (const postings of word.postings) postings.lazyFreqs = true
    this.#at = word.postings.map(() => 0)
    this.cost = word.postings.reduce((sum, postings) => sum + postings.docFreq, 0)
    this.#doc = -1
    this.positions = NO_POSITIONS
    this.from = 0
    this.end = 0
    this.shift = 0
    this.#reads = 0
    this.#readsBefore = 0
    this.#readBlock = -1
  }

  /** No phrase of a document in [base, limit) scores more. */
  maxScore(base: number, limit: number): number {
    if (this.#at[0]! < 0 && this.#postings.length === 1) return 0
    return this.#bounds?.within(base, limit) ?? Number.POSITIVE_INFINITY
  }

  /** Like `advance`, but may skip documents in which the phrase scores `floor` or less; `bars` are for that floor. */
  advanceAbove(target: number, floor: number, bars: Uint16Array, norms: Uint8Array): number {
    const only = this.#only
    if (only === undefined || this.#doc >= target) return this.advance(target)
    let at = this.#at[0]!
    if (at < 0) return NO_MORE_DOCS
    for (let from = target; ; from = only.blockLastDoc + 1) {
      if (only.count === 0 || only.blockLastDoc < from) {
        only.skipTo(this.#bounds!.nextAbove(from, floor))
        at = only.advanceBlock(from) ? 0 : -1
        if (at < 0) break
      }
      only.loadFreqs()
      const { docs, freqs, count } = only
      while (at + STRIDE < count && docs[at + STRIDE]! < from) at += STRIDE
      for (; at < count; at++) {
        const freq = freqs[at]!
        if (norms[docs[at]!]! >= bars[freq < BARS ? freq : 0]! || docs[at]! < from) continue
        this.#at[0] = at
        this.#doc = docs[at]!
        return this.#doc
      }
    }
    this.#at[0] = -1
    this.#doc = NO_MORE_DOCS
    return NO_MORE_DOCS
  }

  /** The first document at or after `target` that has the word. */
  advance(target: number): number {
    if (this.#doc >= target) return this.#doc
    this.#doc = this.#only === undefined ? this.#advanceAny(target) : this.#advanceIn(this.#only, 0, target)
    return this.#doc
  }

  #advanceAny(target: number): number {
    let first = NO_MORE_DOCS
    for (let i = 0; i < this.#postings.length; i++) {
      const doc = this.#advanceIn(this.#postings[i]!, i, target)
      if (doc < first) first = doc
    }
    return first
  }

  #advanceIn(postings: Postings, synonym: number, target: number): number {
    let at = this.#at[synonym]!
    if (at < 0) return NO_MORE_DOCS
    if (postings.count === 0 || postings.blockLastDoc < target) {
      at = postings.advanceBlock(target) ? 0 : -1
      this.#at[synonym] = at
      if (at < 0) return NO_MORE_DOCS
    }
    const { docs, count } = postings
    while (at + STRIDE < count && docs[at + STRIDE]! < target) at += STRIDE
    while (docs[at]! < target) at++
    this.#at[synonym] = at
    return docs[at]!
  }

  /** Whether `share` may be called: both words have no synonyms and similar document counts. */
  canShare(other: WordCursor): boolean {
    const [rare, common] = this.cost <= other.cost ? [this, other] : [other, this]
    return rare.#only !== undefined && common.#only !== undefined && rare.cost * FEW_TIMES >= common.cost
  }

  /**
   * The common documents of both words, from the current one of both to the end of a block or to `limit`: writes their
   * entries in the blocks of each and returns their number. Both cursors are then after these documents.
   */
  share(other: WordCursor, limit: number, own: Int32Array, others: Int32Array): number {
    const a = this.#only!
    const b = other.#only!
    const end = Math.min(a.blockLastDoc, b.blockLastDoc, limit - 1)
    const { docs: aDocs, count: aCount } = a
    const { docs: bDocs, count: bCount } = b
    let i = this.#at[0]!
    let k = other.#at[0]!
    let shared = 0
    // Which document comes next is unpredictable: the signs of the differences decide it without a branch.
    while (i < aCount && k < bCount) {
      const x = aDocs[i]!
      const y = bDocs[k]!
      if (x > end && y > end) break
      own[shared] = i
      others[shared] = k
      shared += 1 + (((x - y) | (y - x)) >> 31)
      i += 1 + ((y - x) >> 31)
      k += 1 + ((x - y) >> 31)
    }
    this.#at[0] = i
    other.#at[0] = k
    this.#doc = end
    other.#doc = end
    return shared
  }

  /** The document of an entry of the current block. */
  docAt(entry: number): number {
    return this.#only!.docs[entry]!
  }

  /** Finds the positions in the current document. */
  readPositions(): void {
    const only = this.#only
    if (only === undefined) this.#joinPositions()
    else if (this.#isMuchRead(only)) this.#readLoaded(this.#at[0]!)
    else this.readEntry(this.#at[0]!)
  }

  /** Reads the positions of one entry of the current block. */
  readEntry(entry: number): void {
    const only = this.#only!
    this.shift = this.#offset
    this.end = only.readPositions(entry)
    this.positions = only.positions
    this.from = 0
  }

  /** As `readEntry`, but decodes the positions of all entries together. */
  #readLoaded(entry: number): void {
    const only = this.#only!
    this.shift = this.#offset
    only.loadPositions()
    this.positions = only.blockPositions
    this.from = only.positionStarts[entry]!
    this.end = this.from + only.freqs[entry]!
  }

  /** For documents shared with the other word (see `share`): how often both are in their places, per document. */
  countPairs(other: WordCursor, shared: number, own: Int32Array, others: Int32Array, freqs: Int32Array): void {
    const a = this.#only!
    const b = other.#only!
    a.loadPositions()
    b.loadPositions()
    countPairs(a, b, other.#offset - this.#offset, shared, own, others, freqs)
  }

  #isMuchRead({ upcoming }: Postings): boolean {
    if (upcoming !== this.#readBlock) {
      this.#readsBefore = upcoming === this.#readBlock + 1 ? this.#reads : 0
      this.#readBlock = upcoming
      this.#reads = 0
    }
    this.#reads++
    return this.#readsBefore >= MANY
  }

  #joinPositions(): void {
    const joined: number[] = []
    for (let i = 0; i < this.#postings.length; i++) {
      if (!this.#isOn(i)) continue
      const postings = this.#postings[i]!
      const count = postings.readPositions(this.#at[i]!)
      for (let k = 0; k < count; k++) joined.push(postings.positions[k]! - this.#offset)
    }
    this.positions = Int32Array.from(joined).sort()
    this.from = 0
    this.end = joined.length
  }

  #isOn(synonym: number): boolean {
    const postings = this.#postings[synonym]!
    const at = this.#at[synonym]!
    return at >= 0 && at < postings.count && postings.docs[at] === this.#doc
  }
}

/**
 * Counts the positions of each document that differ by `distance`. Which list goes on is unpredictable: the signs of the differences
 * decide it without a branch.
 */
function countPairs(
  { blockPositions: aPositions, positionStarts: aStarts, freqs: aFreqs }: Postings,
  { blockPositions: bPositions, positionStarts: bStarts, freqs: bFreqs }: Postings,
  distance: number,
  shared: number,
  own: Int32Array,
  others: Int32Array,
  freqs: Int32Array,
): void {
  for (let i = 0; i < shared; i++) {
    let at = aStarts[own[i]!]!
    let bAt = bStarts[others[i]!]!
    const end = at + aFreqs[own[i]!]!
    const bEnd = bAt + bFreqs[others[i]!]!
    let freq = 0
    while (at < end && bAt < bEnd) {
      const ahead = bPositions[bAt]! - aPositions[at]! - distance
      freq += 1 + ((ahead | -ahead) >> 31)
      at += 1 + (ahead >> 31)
      bAt += 1 + (-ahead >> 31)
    }
    freqs[i] = freq
  }
}

const NO_POSITIONS = new Int32Array(0)
