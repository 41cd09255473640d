/** One heap for all segments of a shard: its worst hit limits what follows. */
import { ScoreKey } from '../../sort/score-key.ts'
import { AfterFilter } from '../../sort/search-after.ts'
import type { OrderedKey, SegmentKeys } from '../../sort/sort-key.ts'
import { TopHitsCollector } from '../../sort/top-hits-collector.ts'
import {
  fillKeys,
  type HitRanking,
  hitOf,
  isOrderedBy,
  keepPromising,
  type RankingOptions,
  type ShardHit,
  strideOf,
} from './hit-ranking.ts'

export class SharedRanking implements HitRanking {
  readonly firstDoc = 0
  readonly #options: RankingOptions
  readonly #stride: number
  readonly #heap: TopHitsCollector
  readonly #byScore: boolean
  readonly order: readonly number[] | undefined
  #sources: readonly SegmentKeys[] = []
  #docBase = 0
  #after: AfterFilter | undefined

  constructor(options: RankingOptions) {
    const { segments, keys, window, sources } = options
    this.#options = options
    this.#stride = strideOf(sources[0] ?? [])
    const last = segments.at(-1)
    const docCount = last === undefined ? 0 : last.docBase + last.reader.docCount
    this.#heap = new TopHitsCollector(Math.min(window, docCount), this.#stride)
    this.order = bestFirst(options)
    // After the score, the document order adds nothing.
    const [first, ...others] = keys
    this.#byScore = first instanceof ScoreKey && first.descending && others.every(({ isDocOrder }) => isDocOrder)
  }

  begin(segment: number): void {
    const { segments, sources, after } = this.#options
    this.#sources = sources[segment]!
    this.#docBase = segments[segment]!.docBase
    this.#after = after === undefined ? undefined : new AfterFilter(this.#sources, after, this.#stride)
  }

  collect(docs: Int32Array, all: number, base: number, scores: Float32Array): void {
    const heap = this.#heap
    const several = this.#sources.length > 1 && heap.isFull
    const count = several ? keepPromising(this.#sources[0]!, heap.worstKey, docs, all, base, scores) : all
    if (count === 0) return
    const keys = fillKeys(this.#sources, this.#stride, docs, count, base, scores)
    const kept = this.#after === undefined ? count : this.#after.keep(docs, count, keys)
    heap.collect(docs, kept, base, scores, keys, this.#docBase)
  }

  get hasFloor(): boolean {
    return this.#byScore
  }

  get floor(): number {
    return this.#byScore && this.#heap.isFull ? -this.#heap.worstKey : Number.NEGATIVE_INFINITY
  }

  /** Equal first keys may still be competitive, by the other keys or as the earlier document. */
  canWin(base: number, limit: number): boolean {
    if (!this.#heap.isFull) return true
    const best = this.#sources[0]?.best?.(base, limit)
    return best === undefined || best <= this.#heap.worstKey
  }

  get isOrdered(): boolean {
    return isOrderedBy(this.#options)
  }

  get inOrder(): OrderedKey | undefined {
    return this.#sources[0]?.inOrder
  }

  get sharing(): NonNullable<HitRanking['sharing']> {
    return { give: () => this.#heap.kept, take: (found) => this.#heap.add(found) }
  }

  end(): void {}

  hits(skip: number): ShardHit[] {
    const { segments } = this.#options
    const { docs, scores } = this.#heap.drain(skip)
    const hits: ShardHit[] = []
    for (let i = 0; i < docs.length; i++) {
      const shardDoc = docs[i]!
      let segment = segments.length - 1
      while (segments[segment]!.docBase > shardDoc) segment--
      hits.push(hitOf(this.#options, segment, shardDoc - segments[segment]!.docBase, scores[i]!))
    }
    return hits
  }
}

/**
 * Segments with the best first keys come first, so that the others have a high limit to pass. Undefined if bounds are
 * unknown.
 */
function bestFirst({ segments, sources }: RankingOptions): number[] | undefined {
  if (segments.length < 2) return undefined
  const best = segments.map(({ reader }, i) => sources[i]![0]?.best?.(0, reader.docCount))
  if (best.includes(undefined)) return undefined
  return [...segments.keys()].sort((a, b) => best[a]! - best[b]! || a - b)
}
