/** The wire format of a search response, in Elasticsearch's member order. */
import { groupFailures, type ShardFailure, shardFailureObject } from '../../../base/errors/search-errors.ts'
import { Float } from '../../../base/json/json-writer.ts'
import { TRACK_ALL, TRACK_NONE } from '../request/search-body.ts'

export interface ShardCounts {
  readonly total: number
  readonly failures: readonly ShardFailure[]
  /** Shards that were skipped because nothing can match there. */
  readonly skipped?: number
}

/** The `_shards` member of a read. */
export function shardsObject({ total, failures, skipped }: ShardCounts): Record<string, unknown> {
  return {
    total,
    successful: total - failures.length,
    skipped: skipped ?? 0,
    failed: failures.length,
    failures: failures.length === 0 ? undefined : groupFailures(failures).map(shardFailureObject),
  }
}

/** `hits.total`: exact up to the limit, a lower bound beyond; undefined if not requested. */
export function totalObject(total: number, limit: number): { value: number; relation: string } | undefined {
  if (limit === TRACK_NONE) return undefined
  if (limit === TRACK_ALL || total <= limit) return { value: total, relation: 'eq' }
  return { value: limit, relation: 'gte' }
}

/** A score on the wire; null if it was not computed. */
export function scoreValue(score: number): Float | null {
  return Number.isNaN(score) ? null : new Float(score)
}
