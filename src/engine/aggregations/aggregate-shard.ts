/**
 * The aggregations of a search on one shard.
 *
 * They see what the query and the filters match and the minimum score lets through, before the post filter. This is a walk of its
 * own beside that for the hits: most searches with aggregations want no hits, and the count of matches falls out of it.
 */
import { countBits } from '../../base/bit-set.ts'
import { filterMatcher } from '../query/filter-cache.ts'
import type { Matcher } from '../query/matcher.ts'
import type { Query, ShardQuery, ShardQueryContext } from '../query/query.ts'
import { bitsToDocs, releaseScratch, type Scratch, takeScratch, WINDOW_SIZE, windowBase } from '../query/window.ts'
import { maskDocuments } from '../search/mask-documents.ts'
import { planQuery } from '../search/plan-query.ts'
import type { SegmentShare } from '../search/segment-share.ts'
import type { SegmentView } from '../segment/segment-reader-api.ts'
import type { SegmentCollector, ShardAggregator } from './aggregation.ts'
import type { AggregationContext, AggregationLimits, IndexSortField } from './aggregation-context.ts'
import type { AggregationMemory } from './aggregation-memory.ts'
import { type AggregationProfile, AggregationProfiler } from './aggregation-profile.ts'
import { AggregationScratch } from './aggregation-scratch.ts'
import { type AggregationTree, allOf, type Results, ShardTree } from './aggregation-tree.ts'
import type { PartSharing } from './part-sharing.ts'
import { selectionOf } from './selection.ts'

export interface ShardAggregationRequest {
  readonly query: Query
  readonly filters: readonly Query[]
  readonly postFilter: Query | undefined
  readonly minScore: number | undefined
  readonly boost: number
  readonly terminateAfter: number | undefined
  readonly aggregations: AggregationTree
  readonly limits: AggregationLimits
  /** Of the whole search; what one shard found stays while others are asked. */
  readonly memory: AggregationMemory
  readonly indexSort: readonly IndexSortField[]
  /** Whether the number of hits must be right; otherwise a walk may end when the aggregations have seen enough. */
  readonly countsHits: boolean
  readonly profile?: boolean
  /** Other threads look at some of the segments. */
  readonly share?: SegmentShare | undefined
}

export interface ShardAggregationResult {
  readonly results: Results
  /** Matches, the post filter included. */
  readonly total: number
  /** Per aggregation, where it was asked for. */
  readonly profiles: readonly AggregationProfile[] | undefined
}

export function aggregateShard(shard: ShardQueryContext, request: ShardAggregationRequest): ShardAggregationResult {
  return new ShardAggregation(shard, request).run()
}

/** What another thread found. */
interface FoundElsewhere {
  readonly total: number
  readonly state: unknown
}

/** The parts of a search on one segment. */
interface SegmentMatchers {
  readonly query: Matcher
  readonly filters: readonly Matcher[]
  readonly postFilters: readonly Matcher[]
}

/** Documents that cost one aggregation as much to collect as a window costs to match. */
const DOCS_PER_STEP = 2048

/** At the top all documents are in bucket 0. */
const BUCKET_ZERO = new Int32Array(WINDOW_SIZE)

class ShardAggregation {
  readonly #shard: ShardQueryContext
  readonly #request: ShardAggregationRequest
  readonly #context: AggregationContext
  readonly #tree: ShardTree
  readonly #scoring: boolean
  readonly #query: ShardQuery
  readonly #filters: readonly ShardQuery[]
  readonly #postFilters: readonly ShardQuery[]
  readonly #docsPerStep: number
  readonly #docs: Int32Array
  #allowed: number
  #total = 0

  constructor(shard: ShardQueryContext, request: ShardAggregationRequest) {
    this.#shard = shard
    this.#request = request
    const selection = selectionOf(shard, request)
    this.#context = {
      shard,
      memory: request.memory,
      scratch: new AggregationScratch(),
      limits: request.limits,
      scores: { segment: undefined },
      parents: [],
      singleParent: true,
      seesAll: selection.matchesAll,
      query: request.query,
      profiler: request.profile === true ? new AggregationProfiler() : undefined,
      selection,
    }
    this.#docs = this.#context.scratch.integers()
    this.#tree = new ShardTree(request.aggregations, this.#context)
    this.#scoring = this.#tree.needsScores || request.minScore !== undefined
    this.#query = planQuery(shard, request.query, this.#scoring, request.boost)
    this.#filters = request.filters.map((filter) => planQuery(shard, filter, false, 1))
    this.#postFilters = request.postFilter === undefined ? [] : [planQuery(shard, request.postFilter, false, 1)]
    this.#allowed = request.terminateAfter || Number.POSITIVE_INFINITY
    this.#docsPerStep = DOCS_PER_STEP / sizeOf(request.aggregations)
  }

  run(): ShardAggregationResult {
    try {
      return this.#aggregate()
    } finally {
      this.#context.scratch.release()
      this.#context.memory.endShard()
    }
  }

  #aggregate(): ShardAggregationResult {
    const { share } = this.#request
    const sharing = share === undefined ? undefined : this.#sharing()
    if (share?.leads === false) {
      if (sharing !== undefined) this.#walkSegments(share.isOwn)
      share.give(sharing && ({ total: this.#total, state: sharing.give() } satisfies FoundElsewhere))
      return { results: [], total: 0, profiles: undefined }
    }
    if (sharing === undefined) this.#walkSegments(() => true)
    else this.#walkShared(share!, sharing)
    for (const aggregator of this.#tree.aggregators) {
      if (!ignoresQuery(aggregator)) continue
      for (const view of this.#shard.view.segments) this.#walkAll(view, aggregator)
    }
    this.#tree.finish()
    const results = this.#tree.results(0)
    return { results, total: this.#total, profiles: this.#context.profiler?.top }
  }

  /** How the aggregators of several threads come together; undefined where one thread has to see all documents. */
  #sharing(): PartSharing | undefined {
    const { terminateAfter, profile } = this.#request
    if (terminateAfter || profile === true || this.#tree.aggregators.some(ignoresQuery)) return undefined
    return this.#tree.sharing
  }

  #walkShared(share: SegmentShare, sharing: PartSharing): void {
    this.#walkSegments(share.isOwn)
    const found = share.take() as FoundElsewhere | undefined
    if (found === undefined) {
      this.#walkSegments((segment) => !share.isOwn(segment))
      return
    }
    this.#total += found.total
    sharing.take(found.state, undefined)
  }

  #walkSegments(isOwn: (segment: number) => boolean): void {
    for (const [number, view] of this.#shard.view.segments.entries()) {
      if (!isOwn(number)) continue
      const collector = this.#collector(view)
      if (collector === undefined && this.#context.selection.matchesAll && this.#postFilters.length === 0) {
        this.#total += rootCount(view)
        continue
      }
      const matchers = this.#matchers(view)
      if (matchers !== undefined) this.#walk(view, matchers, collector)
      collector?.end?.()
    }
  }

  #collector(view: SegmentView): SegmentCollector | undefined {
    this.#context.scores.segment = this.#tree.needsScores ? new Float32Array(view.reader.docCount) : undefined
    const collectors: SegmentCollector[] = []
    for (const aggregator of this.#tree.aggregators) {
      const collector = ignoresQuery(aggregator) ? undefined : aggregator.segment(view)
      if (collector !== undefined) collectors.push(collector)
    }
    return collectors.length === 0 ? undefined : allOf(collectors)
  }

  /** Undefined when nothing of the segment matches. */
  #matchers(view: SegmentView): SegmentMatchers | undefined {
    const query = this.#scoring ? this.#query.matcher(view) : filterMatcher(this.#query, view)
    const filters = this.#narrowing(view, this.#filters)
    if (query === undefined || filters === undefined) return undefined
    return { query, filters, postFilters: this.#narrowing(view, this.#postFilters) ?? [NO_DOCUMENT] }
  }

  #narrowing(view: SegmentView, queries: readonly ShardQuery[]): Matcher[] | undefined {
    const matchers: Matcher[] = []
    for (const query of queries) {
      const matcher = filterMatcher(query, view)
      if (matcher === undefined) return undefined
      matchers.push(matcher)
    }
    return matchers
  }

  #walk(view: SegmentView, { query, filters, postFilters }: SegmentMatchers, collector?: SegmentCollector): void {
    const { docCount } = view.reader
    const counts = this.#request.countsHits
    const window = takeScratch()
    const { bits } = window
    let steps = 1
    for (let doc = query.next(0); doc < docCount; ) {
      const collects = collector !== undefined && collector.done !== true
      if ((!collects && !counts) || this.#shard.guard?.isOver(steps) === true) break
      const base = windowBase(doc)
      const limit = Math.min(base + WINDOW_SIZE, docCount)
      bits.fill(0)
      if (this.#scoring) query.matchScored(base, limit, bits, window.scores)
      else query.match(base, limit, bits)
      maskDocuments(bits, view, base)
      for (const part of filters) part.narrow(base, limit, bits)
      if (this.#request.minScore !== undefined) this.#dropLowScores(window, base)
      steps = 1 + (collects ? this.#collect(collector, window, base) / this.#docsPerStep : 0)
      for (const part of postFilters) part.narrow(base, limit, bits)
      this.#total += countBits(bits)
      doc = limit < docCount ? query.next(limit) : docCount
    }
    releaseScratch(window)
  }

  #dropLowScores({ bits, scores }: Scratch, base: number): void {
    const count = bitsToDocs(bits, base, this.#docs)
    bits.fill(0)
    for (let i = 0; i < count; i++) {
      const at = this.#docs[i]! - base
      if (scores[at]! >= this.#request.minScore!) bits[at >> 5] = bits[at >> 5]! | (1 << (at & 31))
    }
  }

  /** Returns how many documents were collected. */
  #collect(collector: SegmentCollector, { bits, scores }: Scratch, base: number): number {
    const count = Math.min(bitsToDocs(bits, base, this.#docs), this.#allowed)
    if (count === 0) return 0
    this.#allowed -= count
    const kept = this.#context.scores.segment
    if (kept !== undefined) kept.set(scores.subarray(0, Math.min(WINDOW_SIZE, kept.length - base)), base)
    collector.collect(this.#docs, BUCKET_ZERO, count)
    return count
  }

  /** All documents that the filters leave, for aggregations that do not care for the query. */
  #walkAll(view: SegmentView, aggregator: ShardAggregator): void {
    const filters = this.#narrowing(view, this.#filters)
    const collector = filters === undefined ? undefined : aggregator.segment(view)
    if (filters === undefined || collector === undefined) return
    const { docCount } = view.reader
    const window = takeScratch()
    for (let base = 0; base < docCount; base += WINDOW_SIZE) {
      const limit = Math.min(base + WINDOW_SIZE, docCount)
      window.bits.fill(0xffffffff)
      maskDocuments(window.bits, view, base)
      for (const part of filters) part.narrow(base, limit, window.bits)
      if (limit - base < WINDOW_SIZE) clearFrom(window.bits, limit - base)
      const count = bitsToDocs(window.bits, base, this.#docs)
      if (count > 0) collector.collect(this.#docs, BUCKET_ZERO, count)
      if (this.#shard.guard?.isOver(1 + count / this.#docsPerStep) === true) break
    }
    releaseScratch(window)
    collector.end?.()
  }
}

/** How many aggregations there are, at all levels. */
function sizeOf({ aggregations }: AggregationTree): number {
  return aggregations.reduce((sum, { children }) => sum + 1 + sizeOf(children), 0)
}

/** Live root documents. */
function rootCount({ live, reader }: SegmentView): number {
  if (live === undefined) return reader.rootCount
  if (reader.nested === undefined) return countBits(live)
  const roots = live.slice()
  for (let i = 0; i < roots.length; i++) roots[i] = roots[i]! & (reader.nested.roots[i] ?? 0)
  return countBits(roots)
}

/** Aggregators that look at all documents rather than the query's. */
export interface UnqueriedAggregator extends ShardAggregator {
  readonly ignoresQuery: true
}

function ignoresQuery(aggregator: ShardAggregator): aggregator is UnqueriedAggregator {
  return 'ignoresQuery' in aggregator
}

function clearFrom(bits: Uint32Array, from: number): void {
  const word = from >> 5
  bits[word] = bits[word]! & ((1 << (from & 31)) - 1)
  bits.fill(0, word + 1)
}

/** A post filter that matches nothing in a segment leaves no hits, but the aggregations still count. */
const NO_DOCUMENT = { narrow: (_base: number, _limit: number, bits: Uint32Array) => bits.fill(0) } as unknown as Matcher
