/** The scores of a search's query, for scripts that read `_score` before documents are visited. */
import type { SegmentReader } from '../segment/segment-reader-api.ts'

export interface QueryScores {
  /** Whether a script reads them. */
  isUsed: boolean
  /** The score of each document of a segment. */
  of(reader: SegmentReader): Float32Array
}
