/**
 * Receives all matches of a search on a shard, while the ranking keeps the best of them. Aggregations are collectors.
 * Matches are passed before the post filter, segments in view order.
 */
export interface Collector {
  /** Whether scores of documents are read. */
  readonly needsScores: boolean
  /** Starts a segment, by its number in the view; false if none of its documents is needed. */
  begin(segment: number): boolean
  /** Whether no further document of the segment can change anything. */
  readonly isDone: boolean
  /**
   * Documents of the segment in ascending order; `scores` is indexed by position in the window that starts at `base`.
   * Returns the work in units of the search guard.
   */
  collect(docs: Int32Array, count: number, base: number, scores: Float32Array): number
  /** Called at the end of the segment. */
  end(): void
  /** How other threads may collect some of the segments. Absent if one thread has to see all. */
  readonly sharing?: CollectorSharing | undefined
}

/** The state of a collector of other segments is added to this one; it is passed as plain data. */
export interface CollectorSharing {
  give(): unknown
  take(found: unknown): void
}
