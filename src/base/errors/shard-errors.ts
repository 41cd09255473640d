/** Errors of single shards: version conflicts, and shards that cannot read or write. */

import { ApiError } from '../api-error.ts'
import { type DiskFacts, fullDiskHelp } from './full-disk-help.ts'

/** The shard that an error names, in wire terms. */
export interface ShardLabel {
  readonly index: string
  readonly indexUuid: string
  readonly shard: number
}

function versionConflict(label: ShardLabel, id: string, explanation: string): ApiError {
  return new ApiError(409, 'version_conflict_engine_exception', `[${id}]: version conflict, ${explanation}`, {
    details: { index_uuid: label.indexUuid, shard: String(label.shard), index: label.index },
  })
}

export const documentAlreadyExists = (label: ShardLabel, id: string, version: number) =>
  versionConflict(label, id, `document already exists (current version [${version}])`)

export const versionNotHigher = (label: ShardLabel, id: string, current: number, provided: number) =>
  versionConflict(label, id, `current version [${current}] is higher or equal to the one provided [${provided}]`)

/** The conflict for `external_gte`, which would accept an equal version. */
export const versionLower = (label: ShardLabel, id: string, current: number, provided: number) =>
  versionConflict(label, id, `current version [${current}] is higher than the one provided [${provided}]`)

/** A get request names a version other than the current one. */
export const versionDiffers = (label: ShardLabel, id: string, current: number, provided: number) =>
  versionConflict(label, id, `current version [${current}] is different than the one provided [${provided}]`)

export function seqNoDiffers(
  label: ShardLabel,
  id: string,
  required: { seqNo: number; primaryTerm: number },
  current: { seqNo: number; primaryTerm: number } | undefined,
): ApiError {
  const found =
    current === undefined
      ? 'but no document was found'
      : `current document has seqNo [${current.seqNo}] and primary term [${current.primaryTerm}]`
  return versionConflict(
    label,
    id,
    `required seqNo [${required.seqNo}], primary term [${required.primaryTerm}]. ${found}`,
  )
}

/** The shard's files are damaged or its disk does not respond. Reads and writes fail until the shard is reopened. */
export const shardFailed = (label: ShardLabel, reason: string) =>
  new ApiError(503, UNAVAILABLE, `[${label.index}][${label.shard}] shard has failed: ${reason}`, {
    details: { index_uuid: label.indexUuid, shard: String(label.shard), index: label.index },
  })

const UNAVAILABLE = 'unavailable_shards_exception'

/** Whether a shard did not answer because it has failed, or is not open at the moment. */
export const isShardUnavailable = (error: unknown): boolean => error instanceof ApiError && error.type === UNAVAILABLE

/** A search began on a shard that was closed and opened again since: its view does not exist any more. */
export const viewLost = ({ index, shard }: ShardLabel) =>
  new ApiError(404, VIEW_LOST, `No search context found: [${index}][${shard}] was opened again`)

const VIEW_LOST = 'search_context_missing_exception'

/** Errors of writer threads are copies, so that the type identifies them. */
export const isViewLost = (error: unknown): boolean => error instanceof ApiError && error.type === VIEW_LOST

/** No space for the log. The condition ends when space is freed, so the error has the status on which clients retry. */
export function diskFull(label: ShardLabel, disk?: DiskFacts): ApiError {
  const reason =
    `index [${label.index}] blocked by: [TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark, ` +
    'index has read-only-allow-delete block];'
  return new ApiError(429, 'cluster_block_exception', reason, { help: fullDiskHelp(disk) })
}

/** The shard's files could not be written for a reason other than disk space. */
export const filesUnwritable = (label: ShardLabel, cause: string) =>
  new ApiError(
    503,
    'unavailable_shards_exception',
    `[${label.index}][${label.shard}] cannot write its files: ${cause}`,
    {
      details: { index_uuid: label.indexUuid, shard: String(label.shard), index: label.index },
    },
  )
