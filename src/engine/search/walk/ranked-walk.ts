/** A walk and its ranking, alone or as a part of a search that several threads share. */
import type { SegmentView } from '../../segment/segment-reader-api.ts'
import type { KeptHits } from '../../sort/top-hits-collector.ts'
import type { HitRanking } from '../ranking/hit-ranking.ts'
import type { Collector } from './collector.ts'
import type { SegmentShare } from './segment-share.ts'
import type { ShardWalk } from './shard-walk.ts'
import type { FoundByWalk } from './walk-tally.ts'

/** The result of a part, as plain data. */
interface FoundByPart {
  readonly walk: FoundByWalk
  readonly hits: KeptHits | undefined
  /** The state of the collector; absent if the same one sees the other segments too. */
  readonly seen?: unknown
}

/** From this many hits on, passing them to another thread costs more than finding them. */
const SHARED_WINDOW_MAX = 1_000

export class RankedWalk {
  readonly walk: ShardWalk
  readonly ranking: HitRanking | undefined
  readonly #segments: readonly SegmentView[]
  readonly #collector: Collector | undefined

  constructor(
    segments: readonly SegmentView[],
    walk: ShardWalk,
    ranking: HitRanking | undefined,
    collector: Collector | undefined,
  ) {
    this.#segments = segments
    this.walk = walk
    this.ranking = ranking
    this.#collector = collector
  }

  /**
   * Whether threads can search parts of the segments: hits are comparable across segments, and there are not too many
   * to pass on.
   */
  canShare(window: number): boolean {
    if (this.#collector !== undefined && this.#collector.sharing === undefined) return false
    return this.ranking === undefined || (this.ranking.sharing !== undefined && window <= SHARED_WINDOW_MAX)
  }

  run(isOwn?: (segment: number) => boolean): this {
    this.walk.run(this.#segments, isOwn)
    return this
  }

  give(): FoundByPart {
    return { ...this.#giveHits(), seen: this.#collector?.sharing?.give() }
  }

  #giveHits(): FoundByPart {
    return { walk: this.walk.tally.give(), hits: this.ranking?.sharing?.give() }
  }

  #take({ walk, hits, seen }: FoundByPart): void {
    this.walk.tally.take(walk)
    if (hits !== undefined) this.ranking?.sharing?.take(hits)
    if (seen !== undefined) this.#collector?.sharing?.take(seen)
  }

  /**
   * The search of the leader. A part that no thread has taken is searched here afterwards, as that thread would have:
   * each part has its segments in order.
   */
  runWith(share: SegmentShare, another: () => RankedWalk): void {
    this.run(share.isOwn)
    const found = share.take() as FoundByPart | undefined
    this.#take(
      found ??
        another()
          .run((segment) => !share.isOwn(segment))
          .#giveHits(),
    )
  }
}
