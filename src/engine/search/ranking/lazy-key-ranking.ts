/**
 * Ranks by keys whose values may fail to be read (a date outside the range of nanoseconds). Elasticsearch reads a key
 * of a document only if the previous keys do not decide, so a shard may fail on one page and answer on the next.
 * Documents are compared one by one and read no further than necessary.
 */
import { compareSortValues, type SortValue } from '../../sort/sort-key.ts'
import type { HitRanking, RankingOptions, ShardHit } from './hit-ranking.ts'

export class LazyKeyRanking implements HitRanking {
  readonly floor = Number.NEGATIVE_INFINITY
  readonly firstDoc = 0
  readonly #options: RankingOptions
  /** Best first. */
  readonly #hits: ShardHit[] = []
  #segment = 0

  constructor(options: RankingOptions) {
    this.#options = options
  }

  begin(segment: number): void {
    this.#segment = segment
  }

  collect(docs: Int32Array, count: number, base: number, scores: Float32Array): void {
    const { window, after, scored } = this.#options
    for (let i = 0; i < count; i++) {
      const doc = docs[i]!
      const score = scored ? scores[doc - base]! : Number.NaN
      const sort: SortValue[] = []
      const worst = this.#hits[window - 1]
      if (worst !== undefined && this.#compare(doc, score, sort, worst.sort) >= 0) continue
      if (after !== undefined && this.#compare(doc, score, sort, after) <= 0) continue
      this.#read(doc, score, sort, this.#options.keys.length)
      this.#insert({ segment: this.#segment, doc, shardDoc: this.#docBase + doc, score, sort })
    }
  }

  canWin(): boolean {
    return true
  }

  end(): void {}

  hits(skip: number): ShardHit[] {
    return this.#hits.slice(skip)
  }

  get #docBase(): number {
    return this.#options.segments[this.#segment]!.docBase
  }

  /** Reads the values up to the first `count`. */
  #read(doc: number, score: number, sort: SortValue[], count: number): void {
    const sources = this.#options.sources[this.#segment]!
    while (sort.length < count) sort.push(sources[sort.length]!.value(doc, score))
  }

  /** Reads a document's values until they differ from others. */
  #compare(doc: number, score: number, sort: SortValue[], others: readonly SortValue[]): number {
    const { keys } = this.#options
    for (let i = 0; i < keys.length; i++) {
      this.#read(doc, score, sort, i + 1)
      const order = keys[i]!.compare(sort[i]!, others[i]!)
      if (order !== 0) return order
    }
    return 0
  }

  /** Inserts after equal hits, which are earlier documents. */
  #insert(hit: ShardHit): void {
    const { keys, window } = this.#options
    let low = 0
    let high = this.#hits.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (compareSortValues(keys, this.#hits[middle]!.sort, hit.sort) <= 0) low = middle + 1
      else high = middle
    }
    this.#hits.splice(low, 0, hit)
    if (this.#hits.length > window) this.#hits.pop()
  }
}
