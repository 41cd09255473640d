/**
 * One shard of a snapshot. An open shard gives the view that searches have at this moment, kept on disk as those of points in time
 * are: writes and merges go on beside it, and its segment files stay until they are copied. A closed one gives its commit point.
 */
import { join } from 'node:path'
import {
  type CommitPoint,
  decodeCommitPoint,
  encodeCommitPoint,
  readCommitPoint,
} from '../../engine/store/commit-point.ts'
import { readWhole } from '../../engine/store/directory.ts'
import { diskStorage } from '../../engine/store/disk-storage.ts'
import type { IndexMetadata } from '../metadata/metadata.ts'
import type { ShardHost, ShardKey } from '../shards/shard-host.ts'
import type { FsRepository } from './repository/fs-repository.ts'
import type { SegmentBlob, ShardManifest } from './repository/repository-format.ts'

export interface ShardCopy {
  readonly manifest: ShardManifest
  readonly files: number
  readonly bytes: number
  readonly newFiles: number
  readonly newBytes: number
}

export interface ShardSource {
  readonly host: ShardHost
  /** The folder of the shard. */
  readonly folder: string
  readonly key: ShardKey
  readonly index: IndexMetadata
  /** Segments of this shard that an earlier snapshot stored, by name. */
  readonly known: ReadonlyMap<string, SegmentBlob>
}

/** Rejects when the files of the shard cannot be read or stored. */
export async function snapshotShard(source: ShardSource, repository: FsRepository): Promise<ShardCopy> {
  return source.index.state === 'close'
    ? await storeCommit(source, repository, closedCommit(source.folder))
    : await snapshotOpenShard(source, repository)
}

async function snapshotOpenShard(source: ShardSource, repository: FsRepository): Promise<ShardCopy> {
  const { host, key, folder } = source
  const { keeper } = host
  if (keeper === undefined) throw new Error('the shard has no views to keep')
  await host.refresh(key)
  const lease = keeper.lease(key)
  let name: string | undefined
  try {
    name = await keeper.keep(lease)
  } finally {
    lease.release()
  }
  if (name === undefined) throw new Error('the shard is in memory only')
  try {
    // Numbers of operations go up: those of the view are at most the one that the shard has now.
    const { maxSeqNo, primaryTerm } = await host.stats(key)
    const view = decodeCommitPoint(readWhole(diskStorage.directory(folder), name))
    if (view === undefined) throw new Error(`the kept view ${name} of the shard is damaged`)
    return await storeCommit(source, repository, { ...view, maxSeqNo, primaryTerm })
  } finally {
    await keeper.drop(key, name)
  }
}

function closedCommit(folder: string): CommitPoint {
  const commit = readCommitPoint(diskStorage.directory(folder))
  if (commit === undefined) throw new Error('the closed shard has no commit point')
  return commit
}

async function storeCommit(source: ShardSource, repository: FsRepository, view: CommitPoint): Promise<ShardCopy> {
  const totals = { files: 0, bytes: 0, newFiles: 0, newBytes: 0 }
  const segments: SegmentBlob[] = []
  for (const { name, fileBytes } of view.segments) {
    const known = source.known.get(name)
    const isKnown = known !== undefined && known.bytes === fileBytes && (await repository.has(known))
    const stored = isKnown ? { ...known, isNew: false } : await repository.store(join(source.folder, name))
    segments.push({ name, sha256: stored.sha256, bytes: stored.bytes })
    totals.files++
    totals.bytes += stored.bytes
    if (!stored.isNew) continue
    totals.newFiles++
    totals.newBytes += stored.bytes
  }
  const numbers = view.segments.map(({ name }) => Number(name.slice(name.lastIndexOf('-') + 1)))
  const commit: CommitPoint = {
    generation: 1,
    maxSeqNo: view.maxSeqNo,
    // Opening the shard begins a new term.
    primaryTerm: view.primaryTerm,
    logGeneration: 1,
    nextSegment: Math.max(0, ...numbers) + 1,
    segments: view.segments,
  }
  const stored = await repository.storeBytes(encodeCommitPoint(commit))
  totals.files++
  totals.bytes += stored.bytes
  if (stored.isNew) {
    totals.newFiles++
    totals.newBytes += stored.bytes
  }
  const reference = { sha256: stored.sha256, bytes: stored.bytes }
  return { manifest: { shard: source.key.shard, segments, commit: reference }, ...totals }
}
