/**
 * Snapshots one shard. For an open shard it keeps the current view on disk, like a point in time: writes and merges
 * continue, and the segment files stay until they are copied. For a closed shard it uses the commit point.
 */
import { join } from 'node:path'
import { closedCommit } from '../../engine/shard/flush/closed-commit.ts'
import { type CommitPoint, decodeCommitPoint, encodeCommitPoint } from '../../engine/store/commit-point.ts'
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

/** Rejects if the files of the shard cannot be read or stored. */
export async function snapshotShard(source: ShardSource, repository: FsRepository): Promise<ShardCopy> {
  return source.index.state === 'close'
    ? await storeCommit(source, repository, closedCommit(directoryOf(source), source.index.hasSyncedLengths === true))
    : await snapshotOpenShard(source, repository)
}

const directoryOf = ({ folder }: ShardSource) => diskStorage.directory(folder)

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
    // Sequence numbers grow, so those of the view are at most the current one of the shard.
    const { maxSeqNo, primaryTerm } = await host.stats(key)
    const view = decodeCommitPoint(readWhole(diskStorage.directory(folder), name))
    if (view === undefined) throw new Error(`the kept view ${name} of the shard is damaged`)
    return await storeCommit(source, repository, { ...view, maxSeqNo, primaryTerm })
  } finally {
    await keeper.drop(key, name)
  }
}

async function storeCommit(source: ShardSource, repository: FsRepository, view: CommitPoint): Promise<ShardCopy> {
  const totals = { files: 0, bytes: 0, newFiles: 0, newBytes: 0 }
  const segments: SegmentBlob[] = []
  for (const { name, fileBytes, checksum } of view.segments) {
    const known = source.known.get(name)
    // The name alone is not enough: a data folder that was brought back from a backup uses its names again.
    const isSame = known?.bytes === fileBytes && (known.checksum ?? checksum) === checksum
    const isKnown = known !== undefined && isSame && (await repository.has(known))
    const path = join(source.folder, name)
    const stored = isKnown ? { ...known, isNew: false } : await repository.store(path, checksum ?? 'any')
    const { sha256, bytes } = stored
    segments.push({ name, sha256, bytes, ...(checksum === undefined ? {} : { checksum }) })
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
    // Opening the shard starts a new primary term.
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
