/** Hits in document order: the first ones are the best, and when there are enough the search is over. */
import { FirstHitsCollector } from '../../sort/first-hits-collector.ts'
import { AfterFilter } from '../../sort/search-after.ts'
import { type HitRanking, hitOf, type RankingOptions, type ShardHit, strideOf } from './hit-ranking.ts'

export class FirstHitsRanking implements HitRanking {
  readonly floor = Number.NEGATIVE_INFINITY
  readonly #options: RankingOptions
  readonly #hits: ShardHit[] = []
  #segment = 0
  #collector: FirstHitsCollector | undefined
  #firstDoc = 0

  constructor(options: RankingOptions) {
    this.#options = options
  }

  begin(segment: number): void {
    const { segments, sources, after, window } = this.#options
    const own = sources[segment]!
    this.#segment = segment
    const { docBase, reader } = segments[segment]!
    this.#firstDoc = after === undefined ? 0 : new AfterFilter(own, after, strideOf(own)).firstDoc(own, docBase)
    this.#collector = new FirstHitsCollector(Math.min(window - this.#hits.length, reader.docCount))
  }

  get firstDoc(): number {
    return this.#firstDoc
  }

  collect(docs: Int32Array, count: number, base: number, scores: Float32Array): void {
    this.#collector!.collect(docs, behindDoc(docs, count, this.#firstDoc), base, scores)
  }

  canWin(_base: number, limit: number): boolean {
    return limit > this.#firstDoc && !this.#collector!.isFull
  }

  end(): void {
    const { docs, scores } = this.#collector!.drain()
    for (let i = 0; i < docs.length; i++) this.#hits.push(hitOf(this.#options, this.#segment, docs[i]!, scores[i]!))
  }

  hits(skip: number): ShardHit[] {
    return skip === 0 ? this.#hits : this.#hits.slice(skip)
  }
}

/** Drops the documents before `firstDoc` if a search continues in document order; returns the number left. */
function behindDoc(docs: Int32Array, count: number, firstDoc: number): number {
  if (count === 0 || docs[0]! >= firstDoc) return count
  let skipped = 0
  while (skipped < count && docs[skipped]! < firstDoc) skipped++
  docs.copyWithin(0, skipped, count)
  return count - skipped
}
