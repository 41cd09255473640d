/** Errors of repositories and snapshots. Invalid requests get 400 where Elasticsearch has 500. */
import { ApiError, type ApiErrorOptions } from '../api-error.ts'

export const repositoryMissing = (name: string) =>
  new ApiError(404, 'repository_missing_exception', `[${name}] missing`)

export const repositoryError = (name: string, reason: string, options?: ApiErrorOptions) =>
  new ApiError(400, 'repository_exception', `[${name}] ${reason}`, options)

/** An error of the disk, or damaged files. */
export const repositoryFailure = (name: string, reason: string, causedBy?: ApiError) =>
  new ApiError(500, 'repository_exception', `[${name}] ${reason}`, { causedBy })

export const snapshotMissing = (repository: string, snapshot: string) =>
  new ApiError(404, 'snapshot_missing_exception', `[${repository}:${snapshot}] is missing`)

export const invalidSnapshotName = (repository: string, snapshot: string, problem: string) =>
  new ApiError(
    400,
    'invalid_snapshot_name_exception',
    `[${repository}:${snapshot}] Invalid snapshot name [${snapshot}], ${problem}`,
  )

export const snapshotNameInUse = (repository: string, snapshot: string, problem: string) =>
  new ApiError(
    400,
    'snapshot_name_already_in_use_exception',
    `[${repository}:${snapshot}] Invalid snapshot name [${snapshot}], ${problem}`,
  )

export const snapshotRestoreError = (place: string, reason: string) =>
  new ApiError(400, 'snapshot_restore_exception', `[${place}] ${reason}`)

export const concurrentSnapshot = (place: string, reason: string) =>
  new ApiError(503, 'concurrent_snapshot_execution_exception', `[${place}] ${reason}`)
