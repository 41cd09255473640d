/** A composite on one shard: which documents are looked at, the keys they have, and the children of the buckets that remain. */
import { WINDOW_SIZE } from '../../query/window.ts'
import { IntList } from '../../segment/growable.ts'
import type { SegmentView } from '../../segment/segment-reader-api.ts'
import type { Aggregation, SegmentCollector, ShardAggregator } from '../aggregation.ts'
import { type AggregationContext, isTopLevel, within } from '../aggregation-context.ts'
import { ShardTree } from '../aggregation-tree.ts'
import { BucketExpansion } from '../bucket-expansion.ts'
import { globalOrdinals } from '../global-ordinals.ts'
import { type BoundSource, keyValue } from './bound-source.ts'
import { CompositePage } from './composite-page.ts'
import type { CompositeBucket, CompositeResult } from './composite-result.ts'
import { sortedSources } from './index-sort-prefix.ts'
import { KeyCount } from './key-count.ts'
import { isBeyond, walkNumbers, walkSorted, walkTerms } from './leading-walk.ts'
import { SegmentKeys } from './segment-keys.ts'
import { KeySlice, type Slice } from './slice.ts'

export interface CompositeOptions {
  readonly sources: readonly BoundSource[]
  readonly size: number
  readonly after: Float64Array | undefined
  readonly slice: Slice | undefined
  readonly countsAll: boolean
}

/** Documents with a bucket on the page, kept for the children; with the scores of their segment. */
interface KeptDocuments {
  readonly view: SegmentView
  readonly docs: IntList
  readonly scores: Float32Array | undefined
}

export class CompositeAggregator implements ShardAggregator<CompositeResult> {
  readonly needsScores: boolean
  readonly #context: AggregationContext
  readonly #options: CompositeOptions
  readonly #children: ShardTree
  readonly #page: CompositePage
  readonly #kept: KeptDocuments[] = []
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
    this.#page = new CompositePage(sources.length, size, after, context.memory)
    this.#slice = slice === undefined ? undefined : new KeySlice(slice, sources)
    this.#all = options.countsAll ? new KeyCount(sources, context.memory) : undefined
  }

  segment(view: SegmentView): SegmentCollector | undefined {
    const keys = SegmentKeys.open(this.#options.sources, view)
    if (keys === undefined) return undefined
    const kept = this.#keep(view)
    const use = this.#user(keys, kept)
    const take = (docs: Int32Array, count: number, leading?: Float64Array) => keys.each(docs, count, use, leading)
    const sorted = this.#sortedBy(view, keys)
    if (this.#walk(view, keys, sorted, take)) return undefined
    return this.#collector(keys, sorted, take)
  }

  #keep(view: SegmentView): KeptDocuments | undefined {
    if (this.#children.isEmpty) return undefined
    const kept = { view, docs: new IntList(), scores: this.#context.scores.segment }
    this.#kept.push(kept)
    return kept
  }

  /** What is done with each key: the page, and whatever else counts them. */
  #user(keys: SegmentKeys, kept: KeptDocuments | undefined): (doc: number) => void {
    const page = this.#page
    const slice = this.#slice
    const all = this.#all
    const { key } = keys
    if (kept === undefined && slice === undefined && all === undefined) return () => void page.add(key)
    return (doc) => {
      if (slice !== undefined && !slice.has(key)) return
      all?.add(key)
      if (!page.add(key) || kept === undefined) return
      const { docs } = kept
      if (docs.length === 0 || docs.array[docs.length - 1] !== doc) docs.push(doc)
    }
  }

  /** How many of the first sources the segment's documents are in order of. */
  #sortedBy(view: SegmentView, keys: SegmentKeys): number {
    if (view.reader.nested !== undefined || !this.#isPlain()) return 0
    return sortedSources(this.#options.sources, this.#context.selection.indexSort, (source) =>
      keys.isSingleValued(source),
    )
  }

  /** Whether documents are those of the search itself, and a page need not see all of them. */
  #isPlain(): boolean {
    return isTopLevel(this.#context) && !this.#options.countsAll
  }

  /** Finds the documents by the first source, where that is possible. */
  #walk(
    view: SegmentView,
    keys: SegmentKeys,
    sorted: number,
    take: (docs: Int32Array, count: number, leading?: Float64Array) => void,
  ): boolean {
    const { selection } = this.#context
    const lead = this.#options.sources[0]!
    if (!this.#isPlain() || this.needsScores)
      return this.#way('every match: the place in the tree or an option asks for it', false)
    if (selection.matchesAll && sorted > 0) {
      walkSorted(view, keys, sorted, this.#page, take)
      return this.#way(`documents from behind after, in index sort order of ${sorted} source(s)`, true)
    }
    // Documents without a value are in no list of values; only a page behind them can do without.
    const { missingBucket } = lead.settings
    if (missingBucket && !Number.isFinite(this.#page.leadingAfter))
      return this.#way('every match: missing_bucket', false)
    if (missingBucket && this.#missingLast(lead)) return this.#way('every match: missing_bucket', false)
    const range = selection.range?.field === lead.settings.source.field ? selection.range : undefined
    if (!selection.matchesAll && range === undefined)
      return this.#way('every match: the query is neither match_all nor a range of the first source', false)
    if (lead.order?.by === 'terms' && selection.matchesAll) {
      const toGlobal = globalOrdinals(this.#context.shard.view, lead.order.field).ofSegment(view)
      const walked = walkTerms(view, lead.order.field, lead, toGlobal, this.#page, take)
      return this.#way('postings of the first source, term by term from behind after', walked)
    }
    const walked = walkNumbers(view, lead, range, this.#page, take)
    return this.#way(
      walked ? 'ordered index of the first source' : 'every match: the first source has no order',
      walked,
    )
  }

  #missingLast({ settings }: BoundSource): boolean {
    return settings.missingOrder === 'default' ? settings.descending : settings.missingOrder === 'last'
  }

  #way(text: string, walked: boolean): boolean {
    this.#ways.set(text, (this.#ways.get(text) ?? 0) + 1)
    return walked
  }

  #collector(keys: SegmentKeys, sorted: number, take: (docs: Int32Array, count: number) => void): SegmentCollector {
    const page = this.#page
    let done = false
    return {
      collect(docs, _buckets, count) {
        take(docs, count)
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
    this.#page.finish()
    for (const kept of this.#kept) this.#replay(kept)
    this.#children.finish()
  }

  /** Shows the children the documents that have a bucket on the finished page. */
  #replay({ view, docs, scores }: KeptDocuments): void {
    const child = docs.length === 0 ? undefined : this.#children.segment(view)
    const keys = child === undefined ? undefined : SegmentKeys.open(this.#options.sources, view)
    if (child === undefined || keys === undefined) return
    this.#context.scores.segment = scores
    const expansion = new BucketExpansion(child)
    const page = this.#page
    const slice = this.#slice
    const use = (doc: number) => {
      if (slice !== undefined && !slice.has(keys.key)) return
      const bucket = page.find(keys.key)
      if (bucket >= 0) expansion.add(doc, bucket)
    }
    // Found by the first source, documents come in its order and perhaps more than once.
    const sorted = distinct(docs.array.subarray(0, docs.length).sort())
    for (let from = 0; from < sorted.length; from += WINDOW_SIZE) {
      const block = sorted.subarray(from, Math.min(from + WINDOW_SIZE, sorted.length))
      keys.each(block, block.length, use)
    }
    expansion.end()
  }

  debug(): Record<string, unknown> {
    return { segments: Object.fromEntries(this.#ways) }
  }

  result(): CompositeResult {
    const { sources } = this.#options
    const buckets: CompositeBucket[] = []
    for (let bucket = 0; bucket < this.#page.count; bucket++) {
      buckets.push({
        values: sources.map((source, i) => keyValue(source, this.#page.keyPart(bucket, i))),
        docCount: this.#page.docCount(bucket),
        results: this.#children.results(bucket),
      })
    }
    return {
      printers: sources.map(({ print }) => print),
      buckets,
      afterKey: undefined,
      total: this.#all?.total(),
    }
  }
}

function distinct(sorted: Int32Array): Int32Array {
  let kept = 0
  for (let i = 0; i < sorted.length; i++) if (i === 0 || sorted[i] !== sorted[i - 1]) sorted[kept++] = sorted[i]!
  return sorted.subarray(0, kept)
}
