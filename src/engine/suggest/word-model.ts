/** The likelihood of a word sequence, from the frequencies of words and word groups in a field. */

import type { SmoothingModel } from '../request/suggest/phrase-request.ts'
import type { SegmentView } from '../segment/segment-reader-api.ts'

/** Avoids a division by zero for unseen words. */
const EPSILON = 1e-11

export class WordModel {
  readonly #segments: readonly SegmentView[]
  readonly #field: string
  readonly #model: SmoothingModel
  readonly #separator: string
  readonly #counts = new Map<string, number>()
  readonly #words: number
  readonly #terms: number

  constructor(segments: readonly SegmentView[], field: string, model: SmoothingModel, separator: string) {
    this.#segments = segments
    this.#field = field
    this.#model = model
    this.#separator = separator
    const readers = segments.map(({ reader }) => reader.terms(field)).filter((terms) => terms !== undefined)
    this.#words = readers.reduce((sum, terms) => sum + terms.sumTotalTermFreq, 0)
    // Over several segments the number of distinct terms is unknown and counts as Lucene's -1.
    this.#terms = readers.length === 1 ? readers[0]!.termCount : -1
  }

  /** Occurrences of a word, or of words joined as in the index. */
  count(...words: readonly string[]): number {
    const term = words.join(this.#separator)
    let count = this.#counts.get(term)
    if (count !== undefined) return count
    count = 0
    const bytes = Buffer.from(term)
    for (const { reader } of this.#segments) {
      const terms = reader.terms(this.#field)
      const ordinal = terms === undefined ? -1 : terms.find(bytes)
      if (ordinal >= 0) count += terms!.totalTermFreq(ordinal)
    }
    this.#counts.set(term, count)
    return count
  }

  /** The likelihood of the word at `at`, given up to `gramSize - 1` preceding words. */
  likelihood(words: readonly string[], at: number, gramSize: number): number {
    if (at === 0 || gramSize === 1) return this.#one(words[at]!)
    if (at === 1 || gramSize === 2) return this.#two(words[at]!, words[at - 1]!)
    return this.#three(words[at]!, words[at - 1]!, words[at - 2]!)
  }

  #one(word: string): number {
    const added = this.#model.kind === 'laplace' ? this.#model.alpha : 1
    return (added + this.count(word)) / (this.#words + added * this.#terms)
  }

  #two(word: string, before: string): number {
    const model = this.#model
    const together = this.count(before, word)
    switch (model.kind) {
      case 'stupid_backoff':
        return together < 1 ? model.discount * this.#one(word) : together / (this.count(before) + EPSILON)
      case 'laplace':
        return (model.alpha + together) / (this.count(before) + model.alpha * this.#terms)
      case 'linear_interpolation': {
        const single = model.unigramLambda * this.#one(word)
        return together < 1 ? single : model.bigramLambda * (together / (0.5 + this.count(before))) + single
      }
    }
  }

  #three(word: string, before: string, first: string): number {
    const model = this.#model
    const pair = this.count(before, word)
    switch (model.kind) {
      case 'stupid_backoff': {
        if (pair < 1) return model.discount * this.#one(word)
        const together = this.count(first, before, word)
        if (together < 1) return model.discount * (pair / (this.count(before) + EPSILON))
        return together / (pair + EPSILON)
      }
      case 'laplace':
        return (model.alpha + this.count(first, before, word)) / (model.alpha * this.#terms + pair)
      case 'linear_interpolation': {
        const together = this.count(first, before, word)
        const two = this.#two(word, before)
        return together < 1 ? two : model.trigramLambda * (together / (1 + this.count(first, before))) + two
      }
    }
  }
}
