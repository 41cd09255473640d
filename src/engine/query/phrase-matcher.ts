/** Finds words in their order: documents that hold all of them first, then their positions. */
import type { Postings } from '../segment/segment-reader-api.ts'
import { NO_MORE_DOCS } from '../segment/segment-reader-api.ts'
import { Matcher } from './matcher.ts'
import type { TermScorer } from './similarity.ts'
import { sloppyFrequency } from './sloppy-phrase.ts'

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
    this.cost = Math.min(...this.#words.map((word) => word.cost))
  }

  override next(target: number): number {
    let doc = target
    for (;;) {
      const before = doc
      for (const word of this.#words) {
        const next = word.advance(doc)
        if (next === NO_MORE_DOCS) return NO_MORE_DOCS
        doc = Math.max(doc, next)
      }
      if (doc === before) return doc
    }
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

  /** How often the phrase occurs in the document all words stand on; each occurrence counts less the further it strays. */
  #frequency(): number {
    const positions = this.#words.map((word) => word.positions())
    return this.#slop === 0 ? exactFrequency(positions) : sloppyFrequency(this.#phrase, positions, this.#slop)
  }
}

/** One word of the phrase, with the union of its synonyms. */
class WordCursor {
  readonly cost: number
  readonly #offset: number
  readonly #postings: readonly Postings[]
  readonly #at: number[]
  #doc: number

  constructor(word: PhraseWord) {
    this.#offset = word.offset
    this.#postings = word.postings
    this.#at = word.postings.map((postings) => (postings.nextBlock() ? 0 : -1))
    this.cost = word.postings.reduce((sum, postings) => sum + postings.docFreq, 0)
    this.#doc = -1
  }

  /** The first document at or after `target` that has the word. */
  advance(target: number): number {
    if (this.#doc >= target) return this.#doc
    let first = NO_MORE_DOCS
    for (let i = 0; i < this.#postings.length; i++) {
      const postings = this.#postings[i]!
      let at = this.#at[i]!
      if (at < 0) continue
      if (postings.blockLastDoc < target) {
        at = postings.advanceBlock(target) ? 0 : -1
        this.#at[i] = at
        if (at < 0) continue
      }
      while (at < postings.count && postings.docs[at]! < target) at++
      this.#at[i] = at
      if (at < postings.count) first = Math.min(first, postings.docs[at]!)
    }
    this.#doc = first
    return first
  }

  /** Positions in the current document, less the word's place in the phrase, ascending. */
  positions(): number[] {
    const found: number[] = []
    for (let i = 0; i < this.#postings.length; i++) {
      const postings = this.#postings[i]!
      const at = this.#at[i]!
      if (at < 0 || at >= postings.count || postings.docs[at] !== this.#doc) continue
      const count = postings.readPositions(at)
      for (let k = 0; k < count; k++) found.push(postings.positions[k]! - this.#offset)
    }
    return this.#postings.length > 1 ? found.sort((a, b) => a - b) : found
  }
}

function exactFrequency(positions: readonly (readonly number[])[]): number {
  const [lead, ...others] = positions
  const sets = others.map((list) => new Set(list))
  let freq = 0
  for (const position of lead!) if (sets.every((set) => set.has(position))) freq++
  return freq
}
