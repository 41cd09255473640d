/** Counters of a shard, for `_stats` and `_cat`. */
import { type SegmentSet, segmentNumberOf } from './view/segment-set.ts'

export class ShardCounters {
  indexTotal = 0
  indexFailed = 0
  deleteTotal = 0
  noopUpdateTotal = 0
  getTotal = 0
  getExists = 0
  refreshTotal = 0
  flushTotal = 0
  mergeTotal = 0
  mergedDocs = 0
  mergedBytes = 0
}

export interface ShardStats extends Readonly<ShardCounters> {
  /** Live documents of the newest view; nested objects count as in Elasticsearch. */
  readonly docs: number
  /** Deleted documents still in the segments. */
  readonly deleted: number
  readonly storeBytes: number
  readonly segmentCount: number
  readonly translogOperations: number
  readonly translogBytes: number
  readonly uncommittedOperations: number
  readonly maxSeqNo: number
  readonly localCheckpoint: number
  readonly primaryTerm: number
  readonly versionMapBytes: number
  readonly bufferBytes: number
}

export interface SegmentInfo {
  readonly name: string
  readonly generation: number
  readonly docs: number
  readonly deleted: number
  readonly bytes: number
  readonly committed: boolean
  readonly searchable: boolean
}

export function segmentTotals({ view, bufferBytes }: SegmentSet) {
  return {
    docs: view.segments.reduce((sum, { liveCount }) => sum + liveCount, 0),
    deleted: view.segments.reduce((sum, segment) => sum + segment.reader.docCount - segment.liveCount, 0),
    segmentCount: view.segments.length,
    bufferBytes,
  }
}

export function segmentBytes({ segments }: SegmentSet): number {
  return segments.reduce((sum, segment) => sum + segment.fileBytes, 0)
}

/** Segments as Lucene names them: counted from zero, in digits and letters. */
function luceneName(number: number): { name: string; generation: number } {
  return { name: `_${(number - 1).toString(36)}`, generation: number - 1 }
}

export function listSegments({ view, segments }: SegmentSet): SegmentInfo[] {
  const searchable = new Set(view.heldSegments)
  return segments.map((segment) => ({
    ...luceneName(segmentNumberOf(segment.name)!),
    docs: segment.liveCount,
    deleted: segment.docCount - segment.liveCount,
    bytes: segment.fileBytes,
    committed: segment.committed,
    searchable: searchable.has(segment),
  }))
}
