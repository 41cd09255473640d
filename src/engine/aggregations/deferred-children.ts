/**
 * Children of an aggregation with many buckets of which few will be kept (`breadth_first`). The documents are written down with
 * their buckets; once the buckets are chosen, only those of the chosen ones are shown to the children.
 */
import { WINDOW_SIZE } from '../query/window.ts'
import type { SegmentView } from '../segment/segment-reader-api.ts'
import type { SegmentCollector } from './aggregation.ts'
import type { AggregationMemory } from './aggregation-memory.ts'
import type { ShardTree } from './aggregation-tree.ts'

interface SegmentEntries {
  readonly view: SegmentView
  docs: Int32Array
  buckets: Int32Array
  count: number
}

export class DeferredChildren {
  readonly #children: ShardTree
  readonly #memory: AggregationMemory
  readonly #segments: SegmentEntries[] = []

  constructor(children: ShardTree, memory: AggregationMemory) {
    this.#children = children
    this.#memory = memory
  }

  segment(view: SegmentView): SegmentCollector {
    const entries: SegmentEntries = { view, docs: new Int32Array(0), buckets: new Int32Array(0), count: 0 }
    this.#segments.push(entries)
    return { collect: (docs, buckets, count) => this.#append(entries, docs, buckets, count) }
  }

  #append(entries: SegmentEntries, docs: Int32Array, buckets: Int32Array, count: number): void {
    const needed = entries.count + count
    if (needed > entries.docs.length) {
      const capacity = Math.max(entries.docs.length * 2, needed, WINDOW_SIZE)
      this.#memory.add((capacity - entries.docs.length) * 8)
      entries.docs = grown(entries.docs, capacity)
      entries.buckets = grown(entries.buckets, capacity)
    }
    entries.docs.set(docs.subarray(0, count), entries.count)
    entries.buckets.set(buckets.subarray(0, count), entries.count)
    entries.count = needed
  }

  /** Shows the children the documents of the kept buckets; `childBucket` is -1 for the others. */
  replay(childBucket: Int32Array): void {
    const docs = new Int32Array(WINDOW_SIZE)
    const buckets = new Int32Array(WINDOW_SIZE)
    for (const entries of this.#segments.splice(0)) {
      const collector = this.#children.segment(entries.view)
      if (collector === undefined) continue
      let count = 0
      for (let i = 0; i < entries.count; i++) {
        const bucket = childBucket[entries.buckets[i]!]!
        if (bucket < 0) continue
        docs[count] = entries.docs[i]!
        buckets[count++] = bucket
        if (count === WINDOW_SIZE) {
          collector.collect(docs, buckets, count)
          count = 0
        }
      }
      if (count > 0) collector.collect(docs, buckets, count)
      collector.end?.()
      this.#memory.release(entries.docs.byteLength * 2)
    }
  }
}

function grown(array: Int32Array, capacity: number): Int32Array {
  const larger = new Int32Array(capacity)
  larger.set(array)
  return larger
}
