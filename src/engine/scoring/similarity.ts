/**
 * BM25 as Lucene computes it: in single precision, in its order of operations, with one-byte field lengths.
 * Applications that compare or store scores see the same numbers as with Elasticsearch.
 */
import type { FieldSimilarity } from '../mapping/similarities.ts'
import { ScriptedScorer } from '../scripts/scripted-similarity.ts'
import { USES_FREQUENCIES } from '../segment/field-usage.ts'
import { highFreq, highNorm, isBeyond, lowFreq, lowNorm } from '../segment/postings/block-impact.ts'
import { LENGTHS } from '../segment/postings/norm-encoding.ts'
import { type SegmentView, UNKNOWN_IMPACT } from '../segment/segment-reader-api.ts'
import { ScoreBars } from './scorers/score-bars.ts'

const FLOAT_MAX = 3.4028234663852886e38

export interface FieldStatistics {
  /** Documents with the field, including deleted ones until a merge drops them. */
  readonly docCount: number
  readonly sumTotalTermFreq: number
  /** Documents of each term of the field, added up. */
  readonly sumDocFreq?: number
}

const f = Math.fround

const ALWAYS_FULL: Float32Array = new Float32Array(256).fill(Number.POSITIVE_INFINITY)

/** Field length of each norm byte: exact up to 39, then four significant bits. */
export const LENGTH_OF_NORM: Float32Array = Float32Array.from(LENGTHS)

/** Documents and terms of a field over the segments used for statistics. */
export function fieldStatistics(segments: readonly SegmentView[], field: string): FieldStatistics {
  let docCount = 0
  let sumTotalTermFreq = 0
  let sumDocFreq = 0
  for (const { reader } of segments) {
    const terms = reader.terms(field)
    if (terms === undefined) continue
    reader.usage?.mark(field, USES_FREQUENCIES)
    docCount += terms.docCount
    sumTotalTermFreq += terms.sumTotalTermFreq
    sumDocFreq += terms.sumDocFreq
  }
  return { docCount, sumTotalTermFreq, sumDocFreq }
}

export function inverseDocumentFrequency(docFreq: number, docCount: number): number {
  return f(Math.log(1 + (docCount - docFreq + 0.5) / (docFreq + 0.5)))
}

/** Recently used tables: the words of a query share one, and so do most queries. */
const recentTables: { readonly k1: number; readonly b: number; readonly average: number; table: Float32Array }[] = []
const RECENT_MAX = 8

function inverseNorms(k1: number, b: number, average: number): Float32Array {
  const known = recentTables.find((each) => each.k1 === k1 && each.b === b && each.average === average)
  if (known !== undefined) return known.table
  const table = new Float32Array(256)
  for (let norm = 0; norm < 256; norm++) {
    table[norm] = f(1 / f(k1 * f(f(1 - b) + f(f(b * LENGTH_OF_NORM[norm]!) / average))))
  }
  if (recentTables.length === RECENT_MAX) recentTables.shift()
  recentTables.push({ k1, b, average, table })
  return table
}

/** The score of a term or phrase by its frequency and the document's norm byte. */
export class SimScorer {
  /** boost * (k1 + 1) * idf, in Lucene's own BM25 without k1 + 1 */
  readonly weight: number
  /** 1 / (k1 * (1 - b + b * length / average)) of every norm byte. */
  readonly inverseNorm: Float32Array
  readonly boost: number
  /** The document frequency of each term. */
  readonly docFreqs: readonly number[]
  readonly statistics: FieldStatistics
  readonly similarity: FieldSimilarity
  /** Scores by a script, instead of the formula. */
  readonly scripted: ScriptedScorer | undefined
  #bars: ScoreBars | undefined

  /** The idfs of the terms of a phrase add up. `totalTermFreqs` are for scripts: how often the shard has each term. */
  constructor(
    boost: number,
    docFreqs: readonly number[],
    statistics: FieldStatistics,
    similarity: FieldSimilarity,
    totalTermFreqs: readonly number[] = docFreqs,
  ) {
    this.boost = f(boost)
    this.docFreqs = docFreqs
    this.statistics = statistics
    this.similarity = similarity
    this.#bars = undefined
    this.scripted = undefined
    if (similarity.scripted !== undefined) {
      const { docCount, sumTotalTermFreq, sumDocFreq = sumTotalTermFreq } = statistics
      const terms = docFreqs.map((docFreq, i) => ({ docFreq, totalTermFreq: totalTermFreqs[i] ?? docFreq }))
      this.scripted = new ScriptedScorer(
        similarity.scripted,
        f(boost),
        { docCount, sumDocFreq, sumTotalTermFreq },
        terms,
      )
      // Nothing is known of the best score a script can give.
      this.weight = Number.POSITIVE_INFINITY
      this.inverseNorm = ALWAYS_FULL
      return
    }
    if (similarity.isConstant === true) {
      // With such a norm the formula below gives the weight itself.
      this.weight = f(boost)
      this.inverseNorm = ALWAYS_FULL
      return
    }
    const k1 = f(similarity.k1)
    const b = f(similarity.b)
    let idf = 0
    for (const docFreq of docFreqs) idf += inverseDocumentFrequency(docFreq, statistics.docCount)
    // A boost may exceed all floats, where scores would no longer be numbers.
    const factor = similarity.isPlain === true ? 1 : f(1 + k1)
    this.weight = Math.min(f(f(f(boost) * factor) * f(idf)), FLOAT_MAX)
    this.inverseNorm = inverseNorms(k1, b, f(statistics.sumTotalTermFreq / statistics.docCount))
  }

  /** `norm` is 1 for fields without norms. */
  score(freq: number, norm: number): number {
    if (this.scripted !== undefined) return this.scripted.score(freq, LENGTH_OF_NORM[norm]!)
    return f(this.weight - f(this.weight / f(1 + f(freq * this.inverseNorm[norm]!))))
  }

  /** The `ScoreBars` of a floor above 0. */
  barsAbove(floor: number): Uint16Array {
    this.#bars ??= new ScoreBars(this)
    return this.#bars.above(floor)
  }

  /** No document of a postings block with this impact scores more. */
  bound(impact: number, hasNorms: boolean): number {
    if (this.scripted !== undefined) return this.weight
    const largest = highFreq(impact)
    if (impact === UNKNOWN_IMPACT || isBeyond(impact, largest)) return this.weight
    if (!hasNorms) return this.score(largest, 1)
    const high = this.score(largest, highNorm(impact))
    const low = this.score(lowFreq(impact), lowNorm(impact))
    return Math.max(high, low)
  }
}
