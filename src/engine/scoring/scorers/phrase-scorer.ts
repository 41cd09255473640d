/**
 * Phrases: first documents that contain all words, then their positions. If only the best hits are needed, positions
 * are read only for documents that would be competitive if every occurrence were part of the phrase.
 */
import { setBit } from '../../../base/bit-set.ts'
import { BLOCK_SIZE } from '../../kernels/block-size.ts'
import { NO_MORE_DOCS } from '../../segment/segment-reader-api.ts'
import type { SimScorer } from '../similarity.ts'
import { Scorer } from './scorer.ts'
import { sloppyFrequency } from './sloppy-phrase.ts'
import { MANY, type PhraseWord, WordCursor } from './word-cursor.ts'

export class PhraseScorer extends Scorer {
  readonly cost: number
  readonly #words: readonly WordCursor[]
  /** The same words, rarest first. */
  readonly #rarestFirst: readonly WordCursor[]
  readonly #phrase: readonly PhraseWord[]
  readonly #slop: number
  readonly #simScorer: SimScorer | undefined
  readonly #norms: Uint8Array | undefined
  readonly #isPair: boolean

  constructor(
    words: readonly PhraseWord[],
    slop: number,
    simScorer: SimScorer | undefined,
    norms: Uint8Array | undefined,
  ) {
    super()
    this.#phrase = words
    this.#words = words.map((word) => new WordCursor(word, simScorer, norms !== undefined))
    this.#slop = slop
    this.#simScorer = simScorer
    this.#norms = norms
    this.#rarestFirst = [...this.#words].sort((a, b) => a.cost - b.cost)
    this.cost = this.#rarestFirst[0]!.cost
    this.#isPair = slop === 0 && words.length === 2 && this.#words[0]!.canShare(this.#words[1]!)
  }

  override next(target: number): number {
    const words = this.#rarestFirst
    let doc = target
    for (let i = 0; i < words.length; ) {
      const next = words[i]!.advance(doc)
      if (next === NO_MORE_DOCS) return NO_MORE_DOCS
      i = next === doc || i === 0 ? i + 1 : 0
      doc = next
    }
    return doc
  }

  override nextAbove(target: number, floor: number): number {
    const norms = this.#norms
    // With slop an occurrence may count more often than the word occurs, so a sloppy phrase has no bounds.
    if (this.#slop > 0 || norms === undefined || this.#simScorer === undefined || !(floor > 0)) return this.next(target)
    const bars = this.#simScorer.barsAbove(floor)
    const words = this.#rarestFirst
    let doc = target
    for (let i = 0; i < words.length; ) {
      const next = words[i]!.advanceAbove(doc, floor, bars, norms)
      if (next === NO_MORE_DOCS) return NO_MORE_DOCS
      i = next === doc || i === 0 ? i + 1 : 0
      doc = next
    }
    return doc
  }

  override maxScore(base: number, limit: number): number {
    const most = this.#simScorer?.weight ?? 0
    if (this.#slop > 0) return most
    return this.#words.reduce((least, word) => Math.min(least, word.maxScore(base, limit)), most)
  }

  override match(base: number, limit: number, bits: Uint32Array): void {
    if (this.#isPair) {
      this.#matchPair(base, limit, bits, undefined)
      return
    }
    for (let doc = this.next(base); doc < limit; doc = this.next(doc + 1)) {
      if (this.#frequency() === 0) continue
      const at = doc - base
      setBit(bits, at)
    }
  }

  override matchScored(base: number, limit: number, bits: Uint32Array, scores: Float32Array): void {
    this.matchAbove(base, limit, bits, scores, Number.NEGATIVE_INFINITY)
  }

  override matchAbove(base: number, limit: number, bits: Uint32Array, scores: Float32Array, floor: number): void {
    if (this.#isPair && !(floor > 0)) {
      this.#matchPair(base, limit, bits, scores)
      return
    }
    for (let doc = this.nextAbove(base, floor); doc < limit; doc = this.nextAbove(doc + 1, floor)) {
      const freq = this.#frequency()
      if (freq === 0) continue
      const at = doc - base
      setBit(bits, at)
      scores[at] = this.#score(freq, doc)
    }
  }

  /** Two words of similar frequency: their common documents are found block by block. */
  #matchPair(base: number, limit: number, bits: Uint32Array, scores: Float32Array | undefined): void {
    const [a, b] = this.#rarestFirst as [WordCursor, WordCursor]
    for (let doc = this.next(base); doc < limit; doc = this.next(doc + 1)) {
      const shared = a.share(b, limit, ownEntries, otherEntries)
      if (shared >= MANY) a.countPairs(b, shared, ownEntries, otherEntries, sharedFreqs)
      for (let i = 0; i < shared; i++) {
        doc = a.docAt(ownEntries[i]!)
        const freq = shared >= MANY ? sharedFreqs[i]! : this.#pairFrequency(a, b, i)
        if (freq === 0) continue
        const at = doc - base
        setBit(bits, at)
        if (scores !== undefined) scores[at] = this.#score(freq, doc)
      }
    }
  }

  #pairFrequency(a: WordCursor, b: WordCursor, shared: number): number {
    a.readEntry(ownEntries[shared]!)
    b.readEntry(otherEntries[shared]!)
    return pairFrequency(a, b)
  }

  #score(freq: number, doc: number): number {
    return this.#simScorer?.score(freq, this.#norms === undefined ? 1 : this.#norms[doc]!) ?? 0
  }

  /** The frequency of the phrase in one document. */
  frequencyOf(doc: number): number {
    return this.next(doc) === doc ? this.#frequency() : 0
  }

  /** The frequency of the phrase in the current document; occurrences count less the further the words are apart. */
  #frequency(): number {
    const words = this.#words
    for (const word of words) word.readPositions()
    if (this.#slop === 0) return words.length === 2 ? pairFrequency(words[0]!, words[1]!) : exactFrequency(words)
    const positions = words.map(({ positions, from, end, shift }) =>
      Array.from(positions.subarray(from, end), (position) => position - shift),
    )
    return sloppyFrequency(this.#phrase, positions, this.#slop)
  }
}

/** Positions that all words have; the lists ascend, so each is read once. */
function exactFrequency(words: readonly WordCursor[]): number {
  const lead = words[0]!
  let freq = 0
  for (let i = lead.from; i < lead.end; i++) {
    const position = lead.positions[i]! - lead.shift
    let found = 1
    for (; found < words.length; found++) {
      const word = words[found]!
      const wanted = position + word.shift
      while (word.from < word.end && word.positions[word.from]! < wanted) word.from++
      if (word.from >= word.end) return freq
      if (word.positions[word.from] !== wanted) break
    }
    if (found === words.length) freq++
  }
  return freq
}

/** Most phrases have two words. */
function pairFrequency(a: WordCursor, b: WordCursor): number {
  const { positions: first, end: firstEnd } = a
  const { positions: second, end: secondEnd } = b
  const distance = b.shift - a.shift
  let freq = 0
  let at = b.from
  for (let i = a.from; i < firstEnd; i++) {
    const wanted = first[i]! + distance
    while (at < secondEnd && second[at]! < wanted) at++
    if (at === secondEnd) return freq
    if (second[at] === wanted) freq++
  }
  return freq
}

/** Shared scratch memory: a thread evaluates one block of a phrase at a time. */
const ownEntries = new Int32Array(BLOCK_SIZE + 1)
const otherEntries = new Int32Array(BLOCK_SIZE + 1)
const sharedFreqs = new Int32Array(BLOCK_SIZE)
