/**
 * The aggregations of a search on one shard.
 *
 * They see the documents that match the query, the filters and the minimum score, before the post filter: the walk of
 * the search passes them each block of matches (`search/walk/collector.ts`). Aggregations that ignore the query walk
 * separately afterwards.
 */

import type { Query, SearchExecutionContext } from '../scoring/query.ts'
import type { Scorer } from '../scoring/scorers/scorer.ts'
import { bitsToDocs, releaseScratch, takeScratch, WINDOW_SIZE } from '../scoring/window.ts'
import { planQuery } from '../search/plan-query.ts'
import { withQueryScores } from '../search/query-scores.ts'
import type { Collector, CollectorSharing } from '../search/walk/collector.ts'
import { maskDocuments } from '../search/walk/mask-documents.ts'
import { filterScorers } from '../search/walk/walked-segment.ts'
import { keepRange } from '../search/walk/window-documents.ts'
import type { SegmentView } from '../segment/segment-reader-api.ts'
import type { SegmentCollector, ShardAggregator } from './aggregation.ts'
import {
  type AggregationContext,
  type AggregationLimits,
  type IndexSortField,
  type InheritedHits,
  NOTHING_INHERITED,
} from './aggregation-context.ts'
import { type AggregationProfile, AggregationProfiler } from './aggregation-profile.ts'
import { type AggregationTree, allOf, type Results, ShardTree } from './aggregation-tree.ts'
import { selectionOf } from './selection.ts'
import type { AggregationMemory } from './state/aggregation-memory.ts'
import { AggregationScratch } from './state/aggregation-scratch.ts'

export interface ShardAggregationRequest {
  readonly query: Query
  readonly filters: readonly Query[]
  readonly minScore: number | undefined
  readonly terminateAfter: number | undefined
  readonly aggregations: AggregationTree
  readonly limits: AggregationLimits
  /** The memory of the whole search; results of one shard are kept while others are searched. */
  readonly memory: AggregationMemory
  readonly indexSort: readonly IndexSortField[]
  readonly profile?: boolean
  readonly inherited?: InheritedHits
}

export interface ShardAggregationResult {
  readonly results: Results
  /** Per aggregation, if requested. */
  readonly profiles: readonly AggregationProfile[] | undefined
}

/**
 * Runs a search with the aggregations as its collector. `answers` is false if another thread continues with the
 * collected state.
 */
export function aggregateDuring<Found>(
  shard: SearchExecutionContext,
  request: ShardAggregationRequest,
  search: (collector: Collector) => Found,
  answers = true,
): { readonly found: Found; readonly aggregated: ShardAggregationResult | undefined } {
  const aggregation = new ShardAggregation(shard, request)
  try {
    const found = search(aggregation)
    return { found, aggregated: answers ? aggregation.finish() : undefined }
  } finally {
    aggregation.release()
  }
}

/** Number of documents whose collection by one aggregation costs as much as matching a window. */
const DOCS_PER_STEP = 2048

/** At the top level all documents are in bucket 0. */
const BUCKET_ZERO = new Int32Array(WINDOW_SIZE)

class ShardAggregation implements Collector {
  readonly needsScores: boolean
  readonly #shard: SearchExecutionContext
  readonly #request: ShardAggregationRequest
  readonly #context: AggregationContext
  readonly #tree: ShardTree
  readonly #docsPerStep: number
  #collector: SegmentCollector | undefined

  constructor(shard: SearchExecutionContext, request: ShardAggregationRequest) {
    this.#shard = shard
    this.#request = request
    const selection = selectionOf(shard, request)
    this.#context = {
      shard: withQueryScores(shard, request.query),
      memory: request.memory,
      scratch: new AggregationScratch(),
      limits: request.limits,
      scores: { segment: undefined },
      parents: [],
      singleParent: true,
      seesAll: selection.matchesAll,
      query: request.query,
      filters: request.filters,
      inherited: request.inherited ?? NOTHING_INHERITED,
      profiler: request.profile === true ? new AggregationProfiler() : undefined,
      selection,
    }
    this.#tree = new ShardTree(request.aggregations, this.#context)
    this.needsScores = this.#tree.needsScores || this.#context.shard.queryScores?.isUsed === true
    this.#docsPerStep = DOCS_PER_STEP / sizeOf(request.aggregations)
  }

  begin(segment: number): boolean {
    const view = this.#shard.view.segments[segment]!
    this.#context.scores.segment = this.needsScores ? new Float32Array(view.reader.docCount) : undefined
    const collectors: SegmentCollector[] = []
    for (const aggregator of this.#tree.aggregators) {
      const collector = ignoresQuery(aggregator) ? undefined : aggregator.segment(view)
      if (collector !== undefined) collectors.push(collector)
    }
    this.#collector = collectors.length === 0 ? undefined : allOf(collectors)
    return this.#collector !== undefined
  }

  get isDone(): boolean {
    return this.#collector?.done === true
  }

  collect(docs: Int32Array, count: number, base: number, scores: Float32Array): number {
    if (count === 0) return 0
    const kept = this.#context.scores.segment
    if (kept !== undefined) kept.set(scores.subarray(0, Math.min(WINDOW_SIZE, kept.length - base)), base)
    this.#collector!.collect(docs, BUCKET_ZERO, count, isRun(docs, count))
    return count / this.#docsPerStep
  }

  end(): void {
    this.#collector?.end?.()
    this.#collector = undefined
  }

  /** How the aggregators of several threads are merged; undefined if one thread has to see all documents. */
  get sharing(): CollectorSharing | undefined {
    const { terminateAfter, profile } = this.#request
    if (terminateAfter || profile === true || this.#tree.aggregators.some(ignoresQuery)) return undefined
    const { sharing } = this.#tree
    return sharing && { give: () => sharing.give(), take: (found) => sharing.take(found, undefined) }
  }

  /** Called when the search is over. */
  finish(): ShardAggregationResult {
    const unqueried = this.#tree.aggregators.filter(ignoresQuery)
    if (unqueried.length > 0) this.#walkAll(unqueried)
    this.#tree.finish()
    return { results: this.#tree.results(0), profiles: this.#context.profiler?.top }
  }

  release(): void {
    this.#context.scratch.release()
    this.#context.memory.endShard()
  }

  /** Walks all documents that pass the filters, for aggregations that ignore the query. */
  #walkAll(aggregators: readonly ShardAggregator[]): void {
    const filters = this.#request.filters.map((filter) => planQuery(this.#shard, filter, false, 1))
    for (const aggregator of aggregators) {
      for (const view of this.#shard.view.segments) {
        const scorers = filterScorers(filters, view)
        const collector = scorers === undefined ? undefined : aggregator.segment(view)
        if (collector !== undefined) this.#walkSegment(view, scorers!, collector)
      }
    }
  }

  #walkSegment(view: SegmentView, filters: readonly Scorer[], collector: SegmentCollector): void {
    const { docCount } = view.reader
    const window = takeScratch()
    const { bits, docs } = window
    for (let base = 0; base < docCount; base += WINDOW_SIZE) {
      const limit = Math.min(base + WINDOW_SIZE, docCount)
      bits.fill(0xffffffff)
      maskDocuments(bits, view, base)
      for (const part of filters) part.narrow(base, limit, bits)
      if (limit - base < WINDOW_SIZE) keepRange(bits, 0, limit - base)
      const count = bitsToDocs(bits, base, docs)
      if (count > 0) collector.collect(docs, BUCKET_ZERO, count, isRun(docs, count))
      if (this.#shard.guard?.isOver(1 + count / this.#docsPerStep) === true) break
    }
    releaseScratch(window)
    collector.end?.()
  }
}

/** Whether no document is missing between the first and the last. The walk passes each once. */
function isRun(docs: Int32Array, count: number): boolean {
  return docs[count - 1]! - docs[0]! === count - 1
}

/** The number of aggregations at all levels. */
function sizeOf({ aggregations }: AggregationTree): number {
  return aggregations.reduce((sum, { children }) => sum + 1 + sizeOf(children), 0)
}

/** Aggregators that collect all documents and not only the query's matches. */
export interface UnqueriedAggregator extends ShardAggregator {
  readonly ignoresQuery: true
}

function ignoresQuery(aggregator: ShardAggregator): aggregator is UnqueriedAggregator {
  return 'ignoresQuery' in aggregator
}
