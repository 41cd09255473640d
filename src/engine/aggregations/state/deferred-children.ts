/**
 * Deferred children of an aggregation with many buckets of which few will be kept (`breadth_first`, pages of a
 * composite). The documents are recorded with their buckets. Once the buckets are chosen, only their documents are
 * replayed to the children.
 */
import type { SearchGuard } from '../../scoring/search-guard.ts'
import { WINDOW_SIZE } from '../../scoring/window.ts'
import type { SegmentView } from '../../segment/segment-reader-api.ts'
import type { SegmentCollector } from '../aggregation.ts'
import type { AggregationContext } from '../aggregation-context.ts'
import type { ShardTree } from '../aggregation-tree.ts'
import type { PartSharing } from './part-sharing.ts'
import { sortByDocument } from './sort-by-document.ts'

interface SegmentEntries {
  readonly view: SegmentView
  readonly scores: Float32Array | undefined
  docs: Int32Array
  buckets: Int32Array
  count: number
  /** Used in place of recorded documents. */
  readonly shown?: ShownDocuments
}

/** Passes documents of a segment to the children, in order; `childBucket` is -1 for buckets that are not kept. */
export type ShownDocuments = (collector: SegmentCollector, childBucket: Int32Array) => void

/** Entries of a segment as plain data. */
interface GivenEntries {
  readonly segment: number
  readonly docs: Int32Array
  readonly buckets: Int32Array
}

const CAPACITY_MIN = 256
const NONE: Int32Array = new Int32Array(0)

/** Records documents, in any order. */
export interface DeferredSegment extends SegmentCollector {
  /** Makes room for this many more. */
  reserve(count: number): void
  /** Adds `docs[from, to)`, all in one bucket. */
  add(docs: Int32Array, from: number, to: number, bucket: number): void
}

export class DeferredChildren {
  readonly #children: ShardTree
  readonly #context: AggregationContext
  readonly #segments: SegmentEntries[] = []

  constructor(children: ShardTree, context: AggregationContext) {
    this.#children = children
    this.#context = context
  }

  segment(view: SegmentView): DeferredSegment {
    const scores = this.#context.scores.segment
    const entries: SegmentEntries = { view, scores, docs: NONE, buckets: NONE, count: 0 }
    this.#segments.push(entries)
    return {
      collect: (docs, buckets, count) => {
        this.#reserve(entries, count)
        entries.docs.set(docs.subarray(0, count), entries.count)
        entries.buckets.set(buckets.subarray(0, count), entries.count)
        entries.count += count
      },
      reserve: (count) => this.#resize(entries, entries.count + count),
      add: (docs, from, to, bucket) => {
        this.#reserve(entries, to - from)
        for (let i = from; i < to; i++) {
          entries.docs[entries.count] = docs[i]!
          entries.buckets[entries.count++] = bucket
        }
      },
    }
  }

  /** For documents that are available without recording. */
  showLater(view: SegmentView, shown: ShownDocuments): void {
    this.#segments.push({ view, scores: undefined, docs: NONE, buckets: NONE, count: 0, shown })
  }

  /**
   * Documents recorded by other threads are replayed to the children like those of this thread, segment after segment.
   */
  get sharing(): PartSharing {
    const { segments } = this.#context.shard.view
    return {
      give: () =>
        this.#segments.map(({ view, docs, buckets, count }) => ({
          segment: segments.indexOf(view),
          docs: docs.slice(0, count),
          buckets: buckets.slice(0, count),
        })) satisfies GivenEntries[],
      take: (found, names) => {
        for (const { segment, docs, buckets } of found as GivenEntries[]) {
          this.#context.memory.add(docs.byteLength * 2)
          if (names !== undefined) for (let i = 0; i < buckets.length; i++) buckets[i] = names[buckets[i]!]!
          this.#segments.push({ view: segments[segment]!, scores: undefined, docs, buckets, count: docs.length })
        }
      },
    }
  }

  #reserve(entries: SegmentEntries, more: number): void {
    const needed = entries.count + more
    if (needed <= entries.docs.length) return
    const { docCount } = entries.view.reader
    // If many documents have already been recorded, room for all avoids repeated copies.
    const likely = needed > docCount / 8 ? Math.min(docCount, needed * 8) : entries.docs.length * 2
    this.#resize(entries, Math.max(likely, needed, CAPACITY_MIN))
  }

  #resize(entries: SegmentEntries, capacity: number): void {
    if (capacity <= entries.docs.length) return
    this.#context.memory.add((capacity - entries.docs.length) * 8)
    entries.docs = grown(entries.docs, capacity)
    entries.buckets = grown(entries.buckets, capacity)
  }

  /** Replays the documents of the kept buckets; `childBucket` is -1 for the others. */
  replay(childBucket: Int32Array): void {
    const { scores, memory, shard } = this.#context
    const inOrderOfSegments = this.#segments.splice(0).sort((a, b) => a.view.docBase - b.view.docBase)
    for (const entries of inOrderOfSegments) {
      const bytes = entries.docs.byteLength * 2
      keep(entries, childBucket)
      const { docs, buckets, count } = entries
      const collector = count === 0 && entries.shown === undefined ? undefined : this.#children.segment(entries.view)
      scores.segment = entries.scores
      if (collector !== undefined) entries.shown?.(guarded(collector, shard.guard), childBucket)
      for (let from = 0; from < count && collector !== undefined; from += WINDOW_SIZE) {
        const to = Math.min(from + WINDOW_SIZE, count)
        shard.guard?.isOver()
        collector.collect(docs.subarray(from, to), buckets.subarray(from, to), to - from)
      }
      collector?.end?.()
      memory.release(bytes)
    }
  }
}

function guarded(collector: SegmentCollector, guard: SearchGuard | undefined): SegmentCollector {
  return {
    collect: (docs, buckets, count) => {
      guard?.isOver()
      collector.collect(docs, buckets, count)
    },
  }
}

/** Keeps the entries of the kept buckets, under the children's buckets and in document order. */
function keep(entries: SegmentEntries, childBucket: Int32Array): void {
  const { docs, buckets } = entries
  let count = 0
  let ascending = true
  for (let i = 0; i < entries.count; i++) {
    const bucket = childBucket[buckets[i]!]!
    if (bucket < 0) continue
    const doc = docs[i]!
    if (count > 0 && doc < docs[count - 1]!) ascending = false
    docs[count] = doc
    buckets[count++] = bucket
  }
  entries.count = count
  if (ascending) return
  const sorted = sortByDocument(entries, count)
  entries.docs = sorted.docs
  entries.buckets = sorted.buckets
}

function grown(array: Int32Array, capacity: number): Int32Array {
  const larger = new Int32Array(capacity)
  larger.set(array)
  return larger
}
