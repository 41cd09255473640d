/**
 * Gets all matches of a search on a shard, while the ranking keeps the best of them. Aggregations are collectors. Matches come
 * before the post filter, segments in the order of the view.
 */
export interface Collector {
  /** Whether scores of documents are read. */
  readonly needsScores: boolean
  /** Turns to a segment, by its number in the view; false where none of its documents need be seen. */
  begin(segment: number): boolean
  /** Whether no further document of the segment can change anything. */
  readonly isDone: boolean
  /**
   * Documents of the segment in ascending order; `scores` is by place in the window that starts at `base`. Returns how much work it
   * was, as the search's guard counts it.
   */
  collect(docs: Int32Array, count: number, base: number, scores: Float32Array): number
  /** When the segment is over. */
  end(): void
  /** Where other threads may look at some of the segments. Absent: one thread has to see all. */
  readonly sharing?: CollectorSharing | undefined
}

/** What a collector of other segments has seen is added to what this one has; it passes as plain data. */
export interface CollectorSharing {
  give(): unknown
  take(found: unknown): void
}
