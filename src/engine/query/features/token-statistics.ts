/** How frequent the tokens of a sparse vector are in a shard, in single precision as in Elasticsearch. */
import type { SegmentView } from '../../segment/segment-reader-api.ts'
import type { Pruning } from '../../vectors/pruning.ts'

const f = Math.fround

export class TokenStatistics {
  /** The part of the documents that has a token, on average; 0 without documents. */
  readonly averageRatio: number
  readonly #segments: readonly SegmentView[]
  readonly #field: string
  readonly #docCount: number

  constructor(segments: readonly SegmentView[], field: string) {
    this.#segments = segments
    this.#field = field
    let docCount = 0
    let sumDocFreq = 0
    let most = 0
    for (const { reader } of segments) {
      const terms = reader.terms(field)
      if (terms === undefined) continue
      docCount += terms.docCount
      sumDocFreq += terms.sumDocFreq
      // Which tokens segments share is not known.
      most = Math.max(most, terms.termCount)
    }
    this.#docCount = docCount
    this.averageRatio = most === 0 ? 0 : f(f(f(sumDocFreq) / docCount) / most)
  }

  /** Whether a query scores the token: it is rare, or weighs much. */
  keeps(token: string, weight: number, largest: number, rules: Pruning): boolean {
    const docFreq = this.#docFreq(token)
    if (docFreq === 0) return false
    const ratio = f(docFreq / this.#docCount)
    return (
      ratio < f(rules.tokens_freq_ratio_threshold * this.averageRatio) ||
      weight > f(rules.tokens_weight_threshold * largest)
    )
  }

  #docFreq(token: string): number {
    const term = Buffer.from(token)
    let docFreq = 0
    for (const { reader } of this.#segments) {
      const terms = reader.terms(this.#field)
      const ordinal = terms === undefined ? -1 : terms.find(term)
      if (terms !== undefined && ordinal >= 0) docFreq += terms.docFreq(ordinal)
    }
    return docFreq
  }
}
