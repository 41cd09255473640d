/**
 * A composite aggregation on one shard: the documents it reads, the keys of their buckets, and the children of the
 * page's buckets.
 */
import type { SegmentView } from '../../segment/segment-reader-api.ts'
import type { Aggregation, SegmentCollector, ShardAggregator } from '../aggregation.ts'
import { type AggregationContext, isTopLevel, within } from '../aggregation-context.ts'
import { ShardTree } from '../aggregation-tree.ts'
import { DeferredChildren } from '../state/deferred-children.ts'
import { documentWeights, weightOf } from '../values/document-weights.ts'
import { globalOrdinals } from '../values/global-ordinals.ts'
import { type BoundSource, keyValue } from './bound-source.ts'
import { CompositePage } from './composite-page.ts'
import type { CompositeBucket, CompositeResult } from './composite-result.ts'
import { CompositeRows, RowsResult } from './composite-rows.ts'
import { sortedSources } from './index-sort-prefix.ts'
import { KeyCount } from './key-count.ts'
import type { KeyValue } from './key-value.ts'
import { SegmentKeys, type UseDocuments } from './segment-keys.ts'
import { KeySlice, type Slice } from './slice.ts'
import { isMissingFirst } from './source-settings.ts'
import { type LeadingCursor, type TakeDocuments, walkTogether } from './walk/leading-walk.ts'
import { numberCursor } from './walk/number-cursor.ts'
import { isBeyond, SortedCursor } from './walk/sorted-cursor.ts'
import { termCursor } from './walk/term-cursor.ts'

export interface CompositeOptions {
  readonly sources: readonly BoundSource[]
  readonly size: number
  readonly after: Float64Array | undefined
  readonly slice: Slice | undefined
  readonly countsAll: boolean
}

export class CompositeAggregator implements ShardAggregator<CompositeResult> {
  readonly needsScores: boolean
  readonly #context: AggregationContext
  readonly #options: CompositeOptions
  readonly #children: ShardTree
  readonly #page: CompositePage
  /** The documents of the page, recorded for the children. */
  readonly #deferred: DeferredChildren | undefined
  /** Segments whose documents are found by the first source, once all of them are known. */
  readonly #cursors: LeadingCursor[] = []
  readonly #slice: KeySlice | undefined
  readonly #all: KeyCount | undefined
  /** How the documents of each segment were found, and why, for `profile`. */
  readonly #ways = new Map<string, number>()

  constructor(context: AggregationContext, aggregation: Aggregation, options: CompositeOptions) {
    const { sources, size, after, slice } = options
    this.#context = context
    this.#options = options
    this.#children = new ShardTree(aggregation.children, within(context, aggregation, { manyBuckets: true }))
    this.needsScores = this.#children.needsScores
    this.#deferred = this.#children.isEmpty ? undefined : new DeferredChildren(this.#children, context)
    this.#page = new CompositePage(sources.length, size, after, context.memory, context.scratch)
    this.#slice = slice === undefined ? undefined : new KeySlice(slice, sources)
    this.#all = options.countsAll ? new KeyCount(sources, context.memory) : undefined
  }

  segment(view: SegmentView): SegmentCollector | undefined {
    const keys = SegmentKeys.open(this.#options.sources, view, this.#context.shard.guard)
    if (keys === undefined) return undefined
    const use = this.#user(view, keys)
    const take: TakeDocuments = (docs, count, leading) => keys.each(docs, count, use, leading)
    const sorted = this.#sortedBy(view, keys)
    const cursor = this.#cursor(view, keys, sorted, take)
    if (cursor === undefined) return this.#collector(keys, sorted, take)
    this.#cursors.push(cursor)
    return undefined
  }

  /** What is done with each key: adding it to the page, and counting all keys if requested. */
  #user(view: SegmentView, { key }: SegmentKeys): UseDocuments {
    const page = this.#page
    const slice = this.#slice
    const all = this.#all
    const deferred = this.#deferred?.segment(view)
    const weights = documentWeights(view)
    if (deferred === undefined && slice === undefined && all === undefined && weights === undefined) {
      return (_docs, from, to) => void page.add(key, to - from)
    }
    return (docs, from, to) => {
      if (slice !== undefined && !slice.has(key)) return
      all?.add(key)
      const id = page.add(key, weights === undefined ? to - from : weightOf(weights, docs, from, to))
      if (id >= 0) deferred?.add(docs, from, to, id)
    }
  }

  /** The number of leading sources by which the segment's documents are sorted. */
  #sortedBy(view: SegmentView, keys: SegmentKeys): number {
    if (view.reader.nested !== undefined || !this.#isPlain()) return 0
    return sortedSources(this.#options.sources, this.#context.selection.indexSort, (source) =>
      keys.isSingleValued(source),
    )
  }

  /**
   * Whether the documents are those of the search itself, so that the page may be complete before all of them are read.
   */
  #isPlain(): boolean {
    return isTopLevel(this.#context) && !this.#options.countsAll
  }

  /** Finds the documents by the first source, if possible. */
  #cursor(view: SegmentView, keys: SegmentKeys, sorted: number, take: TakeDocuments): LeadingCursor | undefined {
    const { selection } = this.#context
    const lead = this.#options.sources[0]!
    if (!this.#isPlain() || this.needsScores)
      return this.#way('every match: the place in the tree or an option asks for it', undefined)
    if (selection.matchesAll && sorted > 0) {
      const cursor = new SortedCursor(view, keys, sorted, this.#page, take)
      return this.#way(`documents from behind after, in index sort order of ${sorted} source(s)`, cursor)
    }
    // Documents without a value are in no list of values; only a page after them can omit them.
    const { settings } = lead
    if (settings.missingBucket && (!Number.isFinite(this.#page.leadingAfter) || !isMissingFirst(settings)))
      return this.#way('every match: missing_bucket', undefined)
    const range = selection.range?.field === lead.settings.source.field ? selection.range : undefined
    if (!selection.matchesAll && range === undefined)
      return this.#way('every match: the query is neither match_all nor a range of the first source', undefined)
    if (lead.order?.by === 'terms' && selection.matchesAll) {
      const toGlobal = globalOrdinals(this.#context.shard.view, lead.order.field).ofSegment(view)
      const cursor = termCursor(view, lead.order.field, lead, toGlobal, this.#page, take)
      return this.#way('postings of the first source, term by term from behind after', cursor)
    }
    const cursor = numberCursor(view, lead, range, this.#page, take)
    return this.#way(
      cursor === undefined ? 'every match: the first source has no order' : 'ordered index of the first source',
      cursor,
    )
  }

  #way(text: string, cursor: LeadingCursor | undefined): LeadingCursor | undefined {
    this.#ways.set(text, (this.#ways.get(text) ?? 0) + 1)
    return cursor
  }

  #collector(keys: SegmentKeys, sorted: number, take: TakeDocuments): SegmentCollector {
    const page = this.#page
    let done = false
    return {
      collect(docs, _buckets, count) {
        take(docs, count, undefined)
        if (sorted === 0) return
        page.settle()
        done = isBeyond(keys, sorted, docs[count - 1]!, page)
      },
      get done() {
        return done
      },
    }
  }

  finish(): void {
    walkTogether(this.#cursors.splice(0), this.#page, this.#context.shard.guard)
    this.#page.finish()
    this.#deferred?.replay(this.#page.bucketsById())
    this.#children.finish()
  }

  debug(): Record<string, unknown> {
    return { segments: Object.fromEntries(this.#ways) }
  }

  result(): CompositeResult {
    const { sources } = this.#options
    const parts = sources.map((source, i) => this.#keyParts(source, i))
    const printers = sources.map(({ print }) => print)
    if (this.#children.isEmpty) {
      const rows = new CompositeRows(parts, this.#page.docCounts())
      return new RowsResult(printers, rows, this.#all?.total())
    }
    const buckets: CompositeBucket[] = []
    for (let bucket = 0; bucket < this.#page.count; bucket++) {
      buckets.push({
        values: parts.map((values) => values[bucket]!),
        docCount: this.#page.docCount(bucket),
        results: this.#children.results(bucket),
      })
    }
    return { printers, buckets, afterKey: undefined, total: this.#all?.total() }
  }

  /** One part of all keys; equal neighbours share their value. */
  #keyParts(source: BoundSource, at: number): KeyValue[] {
    const values: KeyValue[] = []
    let last: number | undefined
    let value: KeyValue = null
    for (let bucket = 0; bucket < this.#page.count; bucket++) {
      const code = this.#page.keyPart(bucket, at)
      if (code !== last) {
        last = code
        value = keyValue(source, code)
      }
      values.push(value)
    }
    return values
  }
}
