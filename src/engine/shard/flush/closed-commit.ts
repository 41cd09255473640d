/** The commit point of a closed shard, for copies of its files. */
import { unavailableShards } from '../../../base/api-error.ts'
import { type CommitPoint, readCommitPoint } from '../../store/commit-point.ts'
import type { Directory } from '../../store/directory.ts'
import { readSyncedLength } from '../../store/synced-length.ts'
import { assertComplete } from './recovery.ts'

/** A shard without operations may have no commit point. */
const NO_DOCUMENTS: CommitPoint = {
  generation: 1,
  maxSeqNo: -1,
  primaryTerm: 1,
  logGeneration: 1,
  nextSegment: 1,
  segments: [],
}

/**
 * Throws if files of the shard are missing, or if the log has operations that the commit point does not contain: the disk was full when the shard was closed,
 * or it is still being closed. A copy of the commit point would lack them.
 */
export function closedCommit(directory: Directory, expectsSyncedLength: boolean): CommitPoint {
  const names = directory.list()
  const synced = readSyncedLength(directory)
  const commit = readCommitPoint(directory, names, synced?.commitGeneration)
  assertComplete(names, commit, synced, expectsSyncedLength)
  const durable = synced?.maxSeqNo ?? -1
  if (durable > (commit?.maxSeqNo ?? -1)) {
    throw unavailableShards('operations of the closed shard are not committed yet; open and close its index again')
  }
  return commit ?? NO_DOCUMENTS
}
