/** Reads the files of a shard without opening it: its statistics, and whether everything is in its commit point. */
import { type CommitPoint, readCommitPoint } from '../../store/commit-point.ts'
import type { Directory } from '../../store/directory.ts'
import { FILE_HEADER_BYTES, generationOf } from '../../store/log-format.ts'
import { MissingFileError, readSyncedLength, SYNCED_FILE } from '../../store/synced-length.ts'
import { ShardCounters, type ShardStats } from '../shard-stats.ts'

export interface PeekedShard {
  readonly stats: ShardStats
  /** The log has operations that the commit point lacks: only opening the shard determines its contents. */
  readonly needsRecovery: boolean
}

/** Throws the same errors as opening the shard for a damaged commit point or missing files. */
export function peekShard(directory: Directory, expectsSyncedLength: boolean): PeekedShard {
  try {
    const names = directory.list()
    const synced = readSyncedLength(directory)
    const commit = readCommitPoint(directory, names, synced?.commitGeneration)
    if (synced === undefined && (expectsSyncedLength || commit?.hasSyncedLength === true)) {
      throw new MissingFileError(SYNCED_FILE, 'it says how much of the log was safe')
    }
    const segments = commit?.segments ?? []
    for (const { name } of segments) {
      if (!names.includes(name)) throw new MissingFileError(name, 'the commit point names it')
    }
    const maxSeqNo = commit?.maxSeqNo ?? -1
    const isBehind = (synced?.maxSeqNo ?? -1) > maxSeqNo
    return { stats: statsOf(commit), needsRecovery: isBehind || hasOperations(directory, names, commit) }
  } finally {
    directory.close()
  }
}

function hasOperations(directory: Directory, names: readonly string[], commit: CommitPoint | undefined): boolean {
  return names.some((name) => {
    const generation = generationOf(name)
    if (generation === undefined || generation < (commit?.logGeneration ?? 0)) return false
    return (directory.size(name) ?? 0) > FILE_HEADER_BYTES
  })
}

function statsOf(commit: CommitPoint | undefined): ShardStats {
  const segments = commit?.segments ?? []
  const sum = (of: (segment: (typeof segments)[number]) => number) => segments.reduce((all, one) => all + of(one), 0)
  const maxSeqNo = commit?.maxSeqNo ?? -1
  return {
    ...new ShardCounters(),
    docs: sum(({ liveCount }) => liveCount),
    deleted: sum(({ docCount, liveCount }) => docCount - liveCount),
    storeBytes: sum(({ fileBytes }) => fileBytes),
    segmentCount: segments.length,
    translogOperations: 0,
    translogBytes: FILE_HEADER_BYTES,
    uncommittedOperations: 0,
    maxSeqNo,
    localCheckpoint: maxSeqNo,
    primaryTerm: commit?.primaryTerm ?? 1,
    versionMapBytes: 0,
    bufferBytes: 0,
  }
}
