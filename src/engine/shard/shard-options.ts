/** The options of a shard. */
import { crc32 } from '../../base/bytes/crc32.ts'
import type { ShardLabel } from '../../base/errors/shard-errors.ts'
import type { Log } from '../../base/log.ts'
import type { Arena } from '../memory/arena.ts'
import type { IndexSortField } from '../segment/index-sort.ts'
import type { Directory } from '../store/directory.ts'
import type { ReplayParser } from './flush/recovery.ts'
import type { IndexShape } from './lucene-size/lucene-size.ts'
import type { MergeRunner } from './merge/merge-runner.ts'
import type { BufferBudget } from './refresh/buffer-budget.ts'
import type { Sealer } from './refresh/sealer.ts'
import type { FlatSettings } from './shard-settings.ts'
import type { PublishedView } from './view/published-view.ts'

/**
 * A number that all files of a shard have in common, so that a file of another shard is noticed. It is derived from the
 * index and not from the folder, which may be moved.
 */
export function shardNumber({ indexUuid, shard }: ShardLabel): number {
  return crc32(Buffer.from(`${indexUuid}/${shard}`)) || 1
}

export interface ShardOptions {
  readonly label: ShardLabel
  readonly directory: Directory
  /** Nothing has to outlive the process: the log only counts. */
  readonly volatile: boolean
  readonly arena: Arena
  readonly settings: FlatSettings
  readonly indexSort: readonly IndexSortField[]
  /** The index has a `@timestamp`: searches visit the segments with the latest one first. */
  readonly newestFirst?: boolean | undefined
  /** Paths of the newest mapping's nested objects. */
  readonly nestedPaths: () => readonly string[]
  /** Fields of the newest mapping. */
  readonly fieldOf?: IndexShape['fieldOf'] | undefined
  readonly parser: ReplayParser
  /** Shared by the shards of a thread; its own when absent. */
  readonly mergeRunner?: MergeRunner | undefined
  /** Shared by the shards of a thread; without it every buffer is sealed in this thread. */
  readonly sealer?: Sealer | undefined
  /** The shard was created with a synced length next to its log: if it is missing, its files were lost. */
  readonly expectsSyncedLength?: boolean | undefined
  /** New segments get this number or a higher one. */
  readonly firstSegment?: number | undefined
  readonly nowMs?: () => number
  /** A monotonic clock, to measure syncs. */
  readonly monotonicMs?: () => number
  readonly log?: Log
  /** Called when a new view is searchable. */
  readonly onPublish?: (view: PublishedView) => void
  /** The shard can no longer be trusted: every further request gets an error. */
  readonly onFailure?: (reason: string) => void
  /** Bytes of buffered documents at which the buffer becomes a segment automatically. */
  readonly bufferBytesMax?: number
  /** The memory budget that the buffers of all shards share. */
  readonly bufferBudget?: BufferBudget | undefined
  /** Bytes of segments that an automatic merge may read, whatever the settings say. */
  readonly mergedBytesMax?: number | undefined
  /** Bytes of buffered documents from which on the sealer is used. */
  readonly asideBytesMin?: number
}
