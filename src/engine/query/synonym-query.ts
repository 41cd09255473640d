/** Words that stand for each other count as one word: as often as all of them occur, as rare as the commonest. */
import type { Postings } from '../segment/segment-reader-api.ts'
import { NO_MORE_DOCS } from '../segment/segment-reader-api.ts'
import { explainWeight } from './explain-weight.ts'
import { explained, notMatched } from './explanation.ts'
import { Matcher } from './matcher.ts'
import type { ShardQuery, ShardQueryContext } from './query.ts'
import { fieldStatistics, TermScorer } from './similarity.ts'
import { documentFrequency, termFrequency, termQuery } from './term-query.ts'
import { termText } from './term-text.ts'
import { releaseScratch, takeScratch, WINDOW_WORDS } from './window.ts'

export function synonymQuery(
  context: ShardQueryContext,
  field: string,
  terms: readonly Uint8Array[],
  options: { readonly scoring: boolean; readonly boost: number },
): ShardQuery {
  if (terms.length === 1) return termQuery(context, field, terms[0]!, options)
  const statistics = fieldStatistics(context.counted, field)
  const docFreq = Math.max(...terms.map((term) => documentFrequency(context, field, term)))
  const scorer =
    options.scoring && docFreq > 0
      ? new TermScorer(options.boost, [docFreq], statistics, context.similarity(field))
      : undefined
  const text = () => `Synonym(${terms.map((term) => `${field}:${termText(term)}`).join(' ')})`
  return {
    matcher({ reader }) {
      const inverted = reader.terms(field)
      if (inverted === undefined) return undefined
      const ordinals = terms.map((term) => inverted.find(term)).filter((ordinal) => ordinal >= 0)
      if (ordinals.length === 0) return undefined
      const postings = ordinals.map((ordinal) => inverted.postings(ordinal, false))
      return new SynonymMatcher(postings, scorer, scorer === undefined ? undefined : reader.norms(field))
    },
    words(visitor) {
      for (const term of terms) visitor.term(field, term, options.boost)
    },
    text,
    explain({ reader }, doc) {
      const freq = terms.reduce((sum, term) => sum + termFrequency(reader, field, term, doc), 0)
      if (freq === 0 || scorer === undefined) return notMatched('no matching term')
      return explainWeight(text(), doc, scorer, explained(freq, `termFreq=${freq}.0`), reader.norms(field)?.[doc] ?? 1)
    },
  }
}

class SynonymMatcher extends Matcher {
  readonly cost: number
  readonly #postings: readonly Postings[]
  readonly #at: number[]
  readonly #scorer: TermScorer | undefined
  readonly #norms: Uint8Array | undefined

  constructor(postings: readonly Postings[], scorer: TermScorer | undefined, norms: Uint8Array | undefined) {
    super()
    this.#postings = postings
    this.#at = postings.map((part) => (part.nextBlock() ? 0 : -1))
    this.#scorer = scorer
    this.#norms = norms
    this.cost = postings.reduce((sum, part) => sum + part.docFreq, 0)
  }

  override next(target: number): number {
    let first = NO_MORE_DOCS
    for (let i = 0; i < this.#postings.length; i++) first = Math.min(first, this.#seek(i, target))
    return first
  }

  override match(base: number, limit: number, bits: Uint32Array): void {
    this.#count(base, limit, bits, undefined)
  }

  override matchScored(base: number, limit: number, bits: Uint32Array, scores: Float32Array): void {
    const scratch = takeScratch()
    scratch.sums.fill(0)
    this.#count(base, limit, bits, scratch.sums)
    for (let i = 0; i < WINDOW_WORDS; i++) {
      let word = bits[i]!
      while (word !== 0) {
        const lowest = word & -word
        const at = (i << 5) + (31 - Math.clz32(lowest))
        scores[at] = this.#scorer?.score(scratch.sums[at]!, this.#norms?.[base + at] ?? 1) ?? 0
        word ^= lowest
      }
    }
    releaseScratch(scratch)
  }

  /** Sets the bits of the window's documents, and adds up how often each has one of the words. */
  #count(base: number, limit: number, bits: Uint32Array, freqs: Float64Array | undefined): void {
    for (let i = 0; i < this.#postings.length; i++) {
      const postings = this.#postings[i]!
      for (let doc = this.#seek(i, base); doc < limit; doc = this.#seek(i, doc + 1)) {
        const at = doc - base
        bits[at >> 5] = bits[at >> 5]! | (1 << (at & 31))
        if (freqs !== undefined) freqs[at] = freqs[at]! + postings.freqs[this.#at[i]!]!
      }
    }
  }

  #seek(i: number, target: number): number {
    const postings = this.#postings[i]!
    let at = this.#at[i]!
    if (at < 0) return NO_MORE_DOCS
    if (postings.blockLastDoc < target) at = postings.advanceBlock(target) ? 0 : -1
    while (at >= 0 && at < postings.count && postings.docs[at]! < target) at++
    this.#at[i] = at
    return at >= 0 && at < postings.count ? postings.docs[at]! : NO_MORE_DOCS
  }
}
