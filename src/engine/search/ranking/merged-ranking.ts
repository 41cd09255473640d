/** Every segment ranks its own hits; the lists are merged by sort value. */
import { AfterFilter } from '../../sort/search-after.ts'
import { compareSortValues, type OrderedKey, type SegmentKeys, type SortValue } from '../../sort/sort-key.ts'
import { TopHitsCollector } from '../../sort/top-hits-collector.ts'
import { GroupCollector, groupName, groupReader } from './collapse.ts'
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

export class MergedRanking implements HitRanking {
  readonly floor = Number.NEGATIVE_INFINITY
  readonly firstDoc = 0
  readonly #options: RankingOptions
  #hits: ShardHit[] = []
  #segment = 0
  #sources: readonly SegmentKeys[] = []
  #stride = 0
  #groupOf: ((doc: number) => SortValue) | undefined
  #collector: TopHitsCollector | GroupCollector | undefined
  #after: AfterFilter | undefined

  constructor(options: RankingOptions) {
    this.#options = options
  }

  begin(segment: number): void {
    const { segments, sources, after, window, grouping } = this.#options
    const view = segments[segment]!
    this.#segment = segment
    this.#sources = sources[segment]!
    this.#stride = strideOf(this.#sources)
    this.#groupOf = grouping === undefined ? undefined : groupReader(grouping, view)
    this.#collector =
      this.#groupOf === undefined
        ? new TopHitsCollector(Math.min(window, view.reader.docCount), this.#stride)
        : new GroupCollector(this.#groupOf, this.#stride)
    if (this.#collector instanceof TopHitsCollector) this.#setBar(this.#collector)
    this.#after = after === undefined ? undefined : new AfterFilter(this.#sources, after, this.#stride)
  }

  /** Only documents before the worst hit so far are competitive. */
  #setBar(collector: TopHitsCollector): void {
    const worst = this.#hits[this.#options.window - 1]
    if (worst === undefined) return
    const bar = new Float64Array(this.#stride)
    let offset = 0
    for (const [i, source] of this.#sources.entries()) {
      source.bound(worst.sort[i]!, bar, offset)
      offset += source.width
    }
    collector.setBar(bar)
  }

  collect(docs: Int32Array, all: number, base: number, scores: Float32Array): void {
    const worst = this.#collector instanceof TopHitsCollector ? this.#collector.worstWanted : undefined
    const several = this.#sources.length > 1 && worst !== undefined
    const count = several ? keepPromising(this.#sources[0]!, worst, docs, all, base, scores) : all
    if (count === 0) return
    const keys = fillKeys(this.#sources, this.#stride, docs, count, base, scores)
    const kept = this.#after === undefined ? count : this.#after.keep(docs, count, keys)
    const collector = this.#collector!
    if (collector instanceof TopHitsCollector) collector.collect(docs, kept, base, scores, keys, 0)
    else collector.collect(docs, kept, base, scores, keys)
  }

  get isOrdered(): boolean {
    return this.#options.grouping === undefined && isOrderedBy(this.#options)
  }

  /** A group's best document may be far after the first ones. */
  get inOrder(): OrderedKey | undefined {
    return this.#groupOf === undefined ? this.#sources[0]?.inOrder : undefined
  }

  /** Documents ascend: if the first key is the only one, an equal one comes too late. */
  canWin(base: number, limit: number): boolean {
    const worst = this.#collector instanceof TopHitsCollector ? this.#collector.worstWanted : undefined
    const best = this.#sources[0]?.best?.(base, limit)
    if (worst === undefined || best === undefined) return true
    return this.#sources.length === 1 ? best < worst : best <= worst
  }

  end(): void {
    const { docs, scores } = this.#collector!.drain()
    const hits: ShardHit[] = []
    for (let i = 0; i < docs.length; i++) {
      const hit = hitOf(this.#options, this.#segment, docs[i]!, scores[i]!)
      hits.push(this.#groupOf === undefined ? hit : { ...hit, group: this.#groupOf(docs[i]!) })
    }
    this.#hits = this.#hits.length === 0 ? hits : this.#merge(hits)
  }

  hits(skip: number): ShardHit[] {
    const { grouping, window } = this.#options
    return (grouping === undefined ? this.#hits : firstOfGroups(this.#hits)).slice(skip, window)
  }

  /** Segments are in document order, so that a stable merge keeps the earlier document first for equal keys. */
  #merge(hits: readonly ShardHit[]): ShardHit[] {
    const { keys, grouping, window } = this.#options
    const merged: ShardHit[] = []
    let left = 0
    let right = 0
    const limit = grouping === undefined ? window : Number.POSITIVE_INFINITY
    while (merged.length < limit && (left < this.#hits.length || right < hits.length)) {
      const a = this.#hits[left]
      const b = hits[right]
      if (b === undefined || (a !== undefined && compareSortValues(keys, a.sort, b.sort) <= 0)) {
        merged.push(a!)
        left++
      } else {
        merged.push(b)
        right++
      }
    }
    return merged
  }
}

/** Hits are best first, so the first of a group is its best. */
function firstOfGroups(hits: readonly ShardHit[]): ShardHit[] {
  const seen = new Set<string>()
  return hits.filter((hit) => {
    const name = groupName(hit.group ?? null)
    if (seen.has(name)) return false
    seen.add(name)
    return true
  })
}
