/**
 * The query phase of one search on one shard: which documents match, how many, and which are the best.
 *
 * Every segment is walked window by window. A window's matches are masked by what is alive and what is a root document,
 * counted, and handed to the collector as a block.
 */
import { illegalArgument } from '../../base/api-error.ts'
import { countBits } from '../../base/bit-set.ts'
import type { FieldType } from '../mapping/field-type.ts'
import type { Matcher } from '../query/matcher.ts'
import type { Query, ShardQuery, ShardQueryContext } from '../query/query.ts'
import { bitsToDocs, releaseScratch, takeScratch, WINDOW_SIZE, WINDOW_WORDS, windowBase } from '../query/window.ts'
import type { SegmentView } from '../segment/segment-reader-api.ts'
import { bindSort } from '../sort/bind-sort.ts'
import { FirstHitsCollector } from '../sort/first-hits-collector.ts'
import { ScoreKey } from '../sort/score-key.ts'
import { AfterFilter, type AfterValue, collapseAfter, readAfter, sortNeeded } from '../sort/search-after.ts'
import { compareSortValues, type SegmentKeys, type SortKey, type SortValue } from '../sort/sort-key.ts'
import type { SortSpec } from '../sort/sort-spec.ts'
import { TopHitsCollector } from '../sort/top-hits-collector.ts'
import { collapseField, GroupCollector, groupName, groupReader } from './collapse.ts'
import { planQuery } from './plan-query.ts'
import { type Rescore, rescoreHits } from './rescore.ts'
import { ShardSlice, type Slice, type SlicedSegment } from './slice.ts'

export interface ShardSearchRequest {
  readonly query: Query
  /** Narrow the documents without a say in their scores: alias filters. */
  readonly filters: readonly Query[]
  readonly postFilter: Query | undefined
  readonly minScore: number | undefined
  /** How many of the best hits are wanted: `from + size`. */
  readonly window: number
  /** Number of the shard among those the request reaches: part of `_shard_doc`. */
  readonly shardIndex?: number
  readonly shardCount?: number
  /** One of several parts the documents are divided into. */
  readonly slice?: Slice | undefined
  /** Only what comes behind these values of the sort. */
  readonly after?: readonly AfterValue[] | undefined
  /** The same, as values of an earlier hit. */
  readonly behind?: readonly SortValue[] | undefined
  /** Whether the number of matches is asked for: without it a search may end when it has its hits. */
  readonly wantsTotal?: boolean
  /** Undefined sorts by score. */
  readonly sort: readonly SortSpec[] | undefined
  readonly trackScores: boolean
  readonly boost: number
  /** Look at no more than so many documents; those beyond are counted, not ranked. */
  readonly terminateAfter: number | undefined
  readonly rescores: readonly Rescore[]
  /** Keep only the best document of each value of a field. */
  readonly collapse: { readonly field: string | undefined } | undefined
}

export interface ShardHit {
  readonly segment: number
  /** Document number inside the segment. */
  readonly doc: number
  /** Document number inside the view. */
  readonly shardDoc: number
  /** NaN when scores were not computed. */
  readonly score: number
  readonly sort: readonly SortValue[]
  /** The value the hit stands for, when hits are collapsed. */
  readonly group?: SortValue
}

export interface ShardSearchResult {
  readonly total: number
  readonly maxScore: number
  /** Whether there was more than `terminateAfter`. */
  readonly terminatedEarly: boolean
  readonly hits: readonly ShardHit[]
  /** The keys of the sort, for merging with other shards and for printing. */
  readonly keys: readonly SortKey[]
}

export function executeSearch(context: ShardQueryContext, request: ShardSearchRequest): ShardSearchResult {
  const keys =
    request.sort === undefined ? [new ScoreKey(true)] : bindSort(context, request.sort, request.shardIndex ?? 0)
  const scoring = request.trackScores || request.minScore !== undefined || keys.some((key) => key.needsScores)
  const after = request.after === undefined ? request.behind : boundOf(keys, request)
  const slice =
    request.slice && new ShardSlice(context, request.slice, request.shardIndex ?? 0, request.shardCount ?? 1)
  const query = planQuery(context, request.query, scoring, request.boost)
  const filters = request.filters.map((filter) => planQuery(context, filter, false, 1))
  const postFilter = request.postFilter === undefined ? [] : [planQuery(context, request.postFilter, false, 1)]
  if (request.rescores.length > 0 && request.sort !== undefined) {
    throw illegalArgument('Cannot use [sort] option in conjunction with [rescore].')
  }
  const wanted = Math.max(request.window, ...request.rescores.map(({ windowSize }) => windowSize))
  const grouping = request.collapse === undefined ? undefined : collapseField(context, request.collapse.field)
  const window = request.window === 0 ? 0 : wanted
  const search = new ShardSearch(keys, scoring, { ...request, window }, grouping, after, slice)
  context.view.segments.forEach((segment, index) => {
    search.run(segment, index, query, filters, postFilter)
  })
  return rescored(context, request, search.result())
}

/** The values a page continues behind. */
function boundOf(keys: readonly SortKey[], { after, sort, collapse }: ShardSearchRequest): SortValue[] {
  if (sort === undefined) throw sortNeeded()
  const bound = readAfter(keys, after!)
  if (collapse !== undefined && !isSortedBy(sort, collapse.field)) throw collapseAfter()
  return bound
}

function isSortedBy(sort: readonly SortSpec[], field: string | undefined): boolean {
  const [first] = sort
  return sort.length === 1 && first?.kind === 'field' && first.field === field
}

function rescored(
  context: ShardQueryContext,
  request: ShardSearchRequest,
  result: ShardSearchResult,
): ShardSearchResult {
  if (request.rescores.length === 0) return result
  let { hits } = result
  for (const rescore of request.rescores) hits = rescoreHits(context, rescore, hits)
  return { ...result, hits: hits.slice(0, request.window), maxScore: hits[0]?.score ?? Number.NaN }
}

/** How many documents match; no hits, no scores unless a minimum is set. */
export function countMatches(context: ShardQueryContext, request: ShardSearchRequest): number {
  return executeSearch(context, { ...request, window: 0, sort: [], trackScores: false }).total
}

class ShardSearch {
  readonly #keys: readonly SortKey[]
  readonly #scoring: boolean
  readonly #window: number
  readonly #minScore: number | undefined
  readonly #terminateAfter: number
  readonly #docs: Int32Array
  readonly #grouping: FieldType | undefined
  readonly #after: readonly SortValue[] | undefined
  readonly #slice: ShardSlice | undefined
  readonly #wantsTotal: boolean
  readonly #inDocOrder: boolean
  #hits: ShardHit[]
  #total: number
  #maxScore: number

  constructor(
    keys: readonly SortKey[],
    scoring: boolean,
    request: ShardSearchRequest,
    grouping: FieldType | undefined,
    after: readonly SortValue[] | undefined,
    slice: ShardSlice | undefined,
  ) {
    this.#after = after
    this.#slice = slice
    this.#wantsTotal = request.wantsTotal ?? true
    this.#inDocOrder = keys[0]?.isDocOrder === true && grouping === undefined
    this.#grouping = grouping
    this.#keys = keys
    this.#scoring = scoring
    this.#window = request.window
    this.#minScore = request.minScore
    this.#terminateAfter = request.terminateAfter || Number.POSITIVE_INFINITY
    this.#docs = new Int32Array(WINDOW_SIZE)
    this.#hits = []
    this.#total = 0
    this.#maxScore = Number.NaN
  }

  run(
    segment: SegmentView,
    index: number,
    query: ShardQuery,
    filters: readonly ShardQuery[],
    postFilters: readonly ShardQuery[],
  ): void {
    if (this.#inDocOrder && !this.#wantsTotal && this.#window > 0 && this.#hits.length >= this.#window) return
    const matcher = query.matcher(segment)
    if (matcher === undefined) return
    const sliced = this.#slice?.of(segment)
    if (sliced !== undefined && sliced.from === sliced.to) return
    const narrowing: Matcher[] = sliced?.matcher === undefined ? [] : [sliced.matcher]
    for (const filter of [...filters, ...postFilters]) {
      const part = filter.matcher(segment)
      if (part === undefined) return
      narrowing.push(part)
    }
    const collector = new SegmentCollector(segment, this.#keys, this.#window, this.#grouping, this.#after)
    this.#walk(segment, matcher, narrowing, collector, sliced)
    this.#merge(collector.hits(index, this.#scoring))
  }

  #walk(
    segment: SegmentView,
    matcher: Matcher,
    narrowing: readonly Matcher[],
    collector: SegmentCollector,
    slice: SlicedSegment | undefined,
  ): void {
    const { nested } = segment.reader
    const from = Math.max(slice?.from ?? 0, this.#wantsTotal ? 0 : collector.firstDoc)
    const docCount = slice?.to ?? segment.reader.docCount
    const window = takeScratch()
    const { bits, scores } = window
    const onlyCounts = this.#window === 0 && this.#minScore === undefined
    const endsEarly = !this.#wantsTotal && this.#window > 0
    for (let doc = matcher.next(from); doc < docCount; ) {
      const base = windowBase(doc)
      const limit = Math.min(base + WINDOW_SIZE, docCount)
      bits.fill(0)
      if (this.#scoring && !onlyCounts) matcher.matchScored(base, limit, bits, scores)
      else matcher.match(base, limit, bits)
      if (segment.live !== undefined) mask(bits, segment.live, base)
      if (nested !== undefined) mask(bits, nested.roots, base)
      if (base < from || limit < base + WINDOW_SIZE) keepRange(bits, from - base, limit - base)
      for (const part of narrowing) part.narrow(base, limit, bits)
      if (onlyCounts) {
        this.#total += countBits(bits)
        doc = limit < docCount ? matcher.next(limit) : docCount
        continue
      }
      const allowed = Math.max(0, this.#terminateAfter - this.#total)
      const count = Math.min(this.#count(bits, base, scores), allowed)
      if (count > 0) collector.collect(this.#docs, count, base, scores)
      if (endsEarly && collector.isFull) break
      doc = limit < docCount ? matcher.next(limit) : docCount
    }
    releaseScratch(window)
  }

  /** Lists and counts the window's documents, dropping those below the minimum score. */
  #count(bits: Uint32Array, base: number, scores: Float32Array): number {
    const docs = this.#docs
    let count = bitsToDocs(bits, base, docs)
    if (this.#minScore !== undefined) {
      let kept = 0
      for (let i = 0; i < count; i++) if (scores[docs[i]! - base]! >= this.#minScore) docs[kept++] = docs[i]!
      count = kept
    }
    this.#total += count
    if (this.#scoring) {
      let best = this.#maxScore
      for (let i = 0; i < count; i++) {
        const score = scores[docs[i]! - base]!
        if (!(score <= best)) best = score
      }
      this.#maxScore = best
    }
    return count
  }

  #merge(hits: readonly ShardHit[]): void {
    if (hits.length === 0) return
    if (this.#hits.length === 0) {
      this.#hits = [...hits]
      return
    }
    // Segments come in document order, so that a stable merge keeps the earlier document first on equal keys.
    const merged: ShardHit[] = []
    let left = 0
    let right = 0
    const limit = this.#grouping === undefined ? this.#window : Number.POSITIVE_INFINITY
    while (merged.length < limit && (left < this.#hits.length || right < hits.length)) {
      const a = this.#hits[left]
      const b = hits[right]
      if (b === undefined || (a !== undefined && compareSortValues(this.#keys, a.sort, b.sort) <= 0)) {
        merged.push(a!)
        left++
      } else {
        merged.push(b)
        right++
      }
    }
    this.#hits = merged
  }

  result(): ShardSearchResult {
    const terminatedEarly = this.#window > 0 && this.#total > this.#terminateAfter
    const hits = this.#grouping === undefined ? this.#hits : firstOfGroups(this.#hits).slice(0, this.#window)
    return { total: this.#total, maxScore: this.#maxScore, terminatedEarly, hits, keys: this.#keys }
  }
}

/** Hits come best first, so the first of a group is its best. */
function firstOfGroups(hits: readonly ShardHit[]): ShardHit[] {
  const seen = new Set<string>()
  return hits.filter((hit) => {
    const name = groupName(hit.group ?? null)
    if (seen.has(name)) return false
    seen.add(name)
    return true
  })
}

/** The best hits of one segment. */
class SegmentCollector {
  readonly #segment: SegmentView
  readonly #sources: readonly SegmentKeys[]
  readonly #stride: number
  readonly #heap: TopHitsCollector | GroupCollector | FirstHitsCollector | undefined
  readonly #groupOf: ((doc: number) => SortValue) | undefined
  readonly #keys: Float64Array
  readonly #after: AfterFilter | undefined
  /** No document before it can be a hit: only known when hits come in document order. */
  readonly firstDoc: number

  constructor(
    segment: SegmentView,
    keys: readonly SortKey[],
    window: number,
    grouping: FieldType | undefined,
    after: readonly SortValue[] | undefined,
  ) {
    this.#segment = segment
    this.#sources = keys.map((key) => key.segment(segment))
    this.#stride = this.#sources.reduce((sum, source) => sum + source.width, 0)
    this.#groupOf = grouping === undefined ? undefined : groupReader(grouping, segment)
    const size = Math.min(window, segment.reader.docCount)
    if (window === 0) this.#heap = undefined
    else if (this.#groupOf !== undefined) this.#heap = new GroupCollector(this.#groupOf, this.#stride)
    else if (keys[0]?.isDocOrder === true) this.#heap = new FirstHitsCollector(size)
    else this.#heap = new TopHitsCollector(size, this.#stride)
    this.#keys = new Float64Array(window === 0 ? 0 : WINDOW_SIZE * this.#stride)
    this.#after = after === undefined ? undefined : new AfterFilter(this.#sources, after, this.#stride)
    const inDocOrder = this.#heap instanceof FirstHitsCollector
    this.firstDoc = inDocOrder && this.#after !== undefined ? this.#after.firstDoc(this.#sources) : 0
  }

  /** Nothing that comes later can be a hit. */
  get isFull(): boolean {
    return this.#heap instanceof FirstHitsCollector && this.#heap.isFull
  }

  collect(docs: Int32Array, count: number, base: number, scores: Float32Array): void {
    const heap = this.#heap
    if (heap === undefined) return
    if (heap instanceof FirstHitsCollector) {
      heap.collect(docs, behindDoc(docs, count, this.firstDoc), base, scores)
      return
    }
    let offset = 0
    for (const source of this.#sources) {
      source.fill(docs, count, base, scores, this.#keys, this.#stride, offset)
      offset += source.width
    }
    const kept = this.#after === undefined ? count : this.#after.keep(docs, count, this.#keys)
    heap.collect(docs, kept, base, scores, this.#keys)
  }

  hits(index: number, scored: boolean): ShardHit[] {
    if (this.#heap === undefined) return []
    const { docs, scores } = this.#heap.drain()
    const hits: ShardHit[] = []
    for (let i = 0; i < docs.length; i++) {
      const doc = docs[i]!
      const score = scored ? scores[i]! : Number.NaN
      const sort = this.#sources.map((source) => source.value(doc, score))
      const hit = { segment: index, doc, shardDoc: this.#segment.docBase + doc, score, sort }
      hits.push(this.#groupOf === undefined ? hit : { ...hit, group: this.#groupOf(doc) })
    }
    return hits
  }
}

/** Drops the documents before `firstDoc` when a search continues in document order; returns how many are left. */
function behindDoc(docs: Int32Array, count: number, firstDoc: number): number {
  if (count === 0 || docs[0]! >= firstDoc) return count
  let skipped = 0
  while (skipped < count && docs[skipped]! < firstDoc) skipped++
  docs.copyWithin(0, skipped, count)
  return count - skipped
}

/** Clears the bits of a window outside [from, to). */
function keepRange(bits: Uint32Array, from: number, to: number): void {
  for (let i = 0; i < WINDOW_WORDS; i++) {
    const first = i << 5
    if (first + 32 <= from || first >= to) bits[i] = 0
    else {
      if (first < from) bits[i] = bits[i]! & (-1 << (from - first))
      if (first + 32 > to) bits[i] = bits[i]! & (-1 >>> (32 - (to - first)))
    }
  }
}

function mask(bits: Uint32Array, by: Uint32Array, base: number): void {
  const from = base >> 5
  for (let i = 0; i < WINDOW_WORDS; i++) bits[i] = bits[i]! & (by[from + i] ?? 0)
}
