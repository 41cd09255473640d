/** Finds words in their order: documents that hold all of them first, then their positions. */
import type { Postings } from '../segment/segment-reader-api.ts'
import { NO_MORE_DOCS } from '../segment/segment-reader-api.ts'
import { Matcher } from './matcher.ts'
import type { TermScorer } from './similarity.ts'
import { sloppyFrequency } from './sloppy-phrase.ts'

/** Entries passed over at a time when looking for a document in a block. */
const STRIDE = 16

export interface PhraseWord {
  /** Place of the word in the phrase. */
  readonly offset: number
  /** The postings of the word and of its synonyms. */
  readonly postings: readonly Postings[]
  /** Ordinals of these terms: a term may stand at several places of a phrase. */
  readonly terms: readonly number[]
}

export class PhraseMatcher extends Matcher {
  readonly cost: number
  readonly #words: readonly WordCursor[]
  /** The same words, the rarest first. */
  readonly #rarestFirst: readonly WordCursor[]
  readonly #phrase: readonly PhraseWord[]
  readonly #slop: number
  readonly #scorer: TermScorer | undefined
  readonly #norms: Uint8Array | undefined

  constructor(
    words: readonly PhraseWord[],
    slop: number,
    scorer: TermScorer | undefined,
    norms: Uint8Array | undefined,
  ) {
    super()
    this.#phrase = words
    this.#words = words.map((word) => new WordCursor(word))
    this.#slop = slop
    this.#scorer = scorer
    this.#norms = norms
    this.#rarestFirst = [...this.#words].sort((a, b) => a.cost - b.cost)
    this.cost = this.#rarestFirst[0]!.cost
  }

  override next(target: number): number {
    const words = this.#rarestFirst
    let doc = words[0]!.advance(target)
    for (let i = 1; i < words.length && doc !== NO_MORE_DOCS; i++) {
      const next = words[i]!.advance(doc)
      if (next === doc) continue
      if (next === NO_MORE_DOCS) return NO_MORE_DOCS
      doc = words[0]!.advance(next)
      i = 0
    }
    return doc
  }

  override match(base: number, limit: number, bits: Uint32Array): void {
    for (let doc = this.next(base); doc < limit; doc = this.next(doc + 1)) {
      if (this.#frequency() === 0) continue
      const at = doc - base
      bits[at >> 5] = bits[at >> 5]! | (1 << (at & 31))
    }
  }

  override matchScored(base: number, limit: number, bits: Uint32Array, scores: Float32Array): void {
    for (let doc = this.next(base); doc < limit; doc = this.next(doc + 1)) {
      const freq = this.#frequency()
      if (freq === 0) continue
      const at = doc - base
      bits[at >> 5] = bits[at >> 5]! | (1 << (at & 31))
      scores[at] = this.#scorer?.score(freq, this.#norms === undefined ? 1 : this.#norms[doc]!) ?? 0
    }
  }

  /** How often the phrase occurs in one document. */
  frequencyOf(doc: number): number {
    return this.next(doc) === doc ? this.#frequency() : 0
  }

  /** How often the phrase occurs in the document all words stand on; each occurrence counts less the further it strays. */
  #frequency(): number {
    for (const word of this.#words) word.readPositions()
    if (this.#slop === 0) return exactFrequency(this.#words)
    const positions = this.#words.map((word) => Array.from(word.positions.subarray(0, word.count)))
    return sloppyFrequency(this.#phrase, positions, this.#slop)
  }
}

/** One word of the phrase, with the union of its synonyms. */
class WordCursor {
  readonly cost: number
  readonly #offset: number
  readonly #postings: readonly Postings[]
  readonly #at: number[]
  #doc: number
  positions: Int32Array
  /** How many of `positions` are of the current document, and how far they were looked at. */
  count: number
  next: number

  constructor(word: PhraseWord) {
    this.#offset = word.offset
    this.#postings = word.postings
    for (const postings of word.postings) postings.lazyFreqs = true
    this.#at = word.postings.map(() => 0)
    this.cost = word.postings.reduce((sum, postings) => sum + postings.docFreq, 0)
    this.#doc = -1
    this.positions = new Int32Array(16)
    this.count = 0
    this.next = 0
  }

  /** The first document at or after `target` that has the word. */
  advance(target: number): number {
    if (this.#doc >= target) return this.#doc
    let first = NO_MORE_DOCS
    for (let i = 0; i < this.#postings.length; i++) {
      const postings = this.#postings[i]!
      let at = this.#at[i]!
      if (at < 0) continue
      if (postings.count === 0 || postings.blockLastDoc < target) {
        at = postings.advanceBlock(target) ? 0 : -1
        this.#at[i] = at
        if (at < 0) continue
      }
      const { docs, count } = postings
      while (at + STRIDE < count && docs[at + STRIDE]! < target) at += STRIDE
      while (docs[at]! < target) at++
      this.#at[i] = at
      if (docs[at]! < first) first = docs[at]!
    }
    this.#doc = first
    return first
  }

  /** Fills `positions` for the current document: less the word's place in the phrase, ascending. */
  readPositions(): void {
    this.count = 0
    this.next = 0
    for (let i = 0; i < this.#postings.length; i++) {
      const postings = this.#postings[i]!
      const at = this.#at[i]!
      if (at < 0 || at >= postings.count || postings.docs[at] !== this.#doc) continue
      const more = postings.readPositions(at)
      this.#reserve(this.count + more)
      const from = postings.positions
      for (let k = 0; k < more; k++) this.positions[this.count + k] = from[k]! - this.#offset
      this.count += more
    }
    if (this.#postings.length > 1) this.positions.subarray(0, this.count).sort()
  }

  #reserve(length: number): void {
    if (length <= this.positions.length) return
    const grown = new Int32Array(length * 2)
    grown.set(this.positions.subarray(0, this.count))
    this.positions = grown
  }
}

/** Positions that all words have; the lists are ascending, so each is walked once. */
function exactFrequency(words: readonly WordCursor[]): number {
  const lead = words[0]!
  let freq = 0
  for (let i = 0; i < lead.count; i++) {
    const position = lead.positions[i]!
    let found = 1
    for (; found < words.length; found++) {
      const word = words[found]!
      while (word.next < word.count && word.positions[word.next]! < position) word.next++
      if (word.next >= word.count) return freq
      if (word.positions[word.next] !== position) break
    }
    if (found === words.length) freq++
  }
  return freq
}
