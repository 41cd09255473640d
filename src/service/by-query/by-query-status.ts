/** The progress of a reindex or by-query operation, and its form in responses and tasks. */
import { Float } from '../../base/json/json-writer.ts'
import type { JsonObject } from '../metadata/metadata.ts'

export type ByQueryKind = 'reindex' | 'update' | 'delete'

export class ByQueryStatus {
  total = 0
  updated = 0
  created = 0
  deleted = 0
  batches = 0
  versionConflicts = 0
  noops = 0
  bulkRetries = 0
  searchRetries = 0
  throttledMs = 0
  /** When the current pause ends; 0 without one. */
  throttledUntilMs = 0
  requestsPerSecond: number
  readonly sliceId: number | undefined
  cancelReason: string | undefined

  constructor(requestsPerSecond: number, sliceId?: number) {
    this.requestsPerSecond = requestsPerSecond
    this.sliceId = sliceId
  }

  /** Documents changed so far. */
  get changed(): number {
    return this.updated + this.created + this.deleted
  }

  /** Documents processed so far. */
  get done(): number {
    return this.changed + this.noops + this.versionConflicts
  }

  /** The sum of the slices. */
  static sum(slices: readonly ByQueryStatus[], requestsPerSecond: number): ByQueryStatus {
    const sum = new ByQueryStatus(requestsPerSecond)
    for (const slice of slices) {
      for (const member of SUMMED) sum[member] += slice[member]
      sum.throttledUntilMs = Math.max(sum.throttledUntilMs, slice.throttledUntilMs)
      sum.cancelReason ??= slice.cancelReason
    }
    return sum
  }

  /** The members of a response. Each kind omits the counts it can never have. */
  print(kind: ByQueryKind, nowMs: number): JsonObject {
    return {
      ...(this.sliceId === undefined ? {} : { slice_id: this.sliceId }),
      total: this.total,
      ...(kind === 'delete' ? {} : { updated: this.updated }),
      ...(kind === 'reindex' ? { created: this.created } : {}),
      ...this.#printCommon(nowMs),
    }
  }

  /** The members of a task's status and stored response, which have all counts for every kind. */
  printForTask(nowMs: number): JsonObject {
    const { throttled_millis, requests_per_second, canceled, throttled_until_millis, ...counts } =
      this.#printCommon(nowMs)
    return {
      ...(this.sliceId === undefined ? {} : { slice_id: this.sliceId }),
      total: this.total,
      updated: this.updated,
      created: this.created,
      ...counts,
      throttled_millis,
      requests_per_second,
      ...(canceled === undefined ? {} : { canceled }),
      throttled_until_millis,
    }
  }

  #printCommon(nowMs: number): JsonObject {
    return {
      deleted: this.deleted,
      batches: this.batches,
      version_conflicts: this.versionConflicts,
      noops: this.noops,
      retries: { bulk: this.bulkRetries, search: this.searchRetries },
      throttled_millis: this.throttledMs,
      requests_per_second: this.requestsPerSecond === Infinity ? new Float(-1) : new Float(this.requestsPerSecond),
      ...(this.cancelReason === undefined ? {} : { canceled: this.cancelReason }),
      throttled_until_millis: this.#throttledUntil(nowMs),
    }
  }

  #throttledUntil(nowMs: number): number {
    return Math.max(0, this.throttledUntilMs - nowMs)
  }
}

const SUMMED = [
  'total',
  'updated',
  'created',
  'deleted',
  'batches',
  'versionConflicts',
  'noops',
  'bulkRetries',
  'searchRetries',
  'throttledMs',
] as const
