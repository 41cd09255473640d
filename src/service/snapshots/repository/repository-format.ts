/** The data structures of a snapshot repository. docs/formats/snapshots.md describes the files. */
import type { DataStream, IndexMetadata, JsonObject } from '../../metadata/metadata.ts'

/** A file in the repository, identified by the hash of its content. */
export interface BlobReference {
  readonly sha256: string
  readonly bytes: number
}

/** A segment file of a shard. */
export interface SegmentBlob extends BlobReference {
  /** The name of the file in the folder of the shard. */
  readonly name: string
  /** As in the commit point; absent in snapshots of earlier versions. */
  readonly checksum?: number
}

export interface ShardManifest {
  readonly shard: number
  readonly segments: readonly SegmentBlob[]
  /** The commit point with which the restored shard starts. */
  readonly commit: BlobReference
}

export interface IndexManifest {
  readonly metadata: IndexMetadata
  /** The shards of the snapshot, without failed ones. */
  readonly shards: readonly ShardManifest[]
}

/** Sections of the metadata that belong to the cluster as a whole. */
export type GlobalState = Readonly<Record<string, JsonObject>>

/** The file `snap-UUID`: all data that a restore needs. */
export interface SnapshotManifest {
  readonly uuid: string
  readonly indices: readonly IndexManifest[]
  readonly dataStreams: readonly DataStream[]
  readonly globalState?: GlobalState
}

export type SnapshotState = 'IN_PROGRESS' | 'SUCCESS' | 'PARTIAL' | 'FAILED'

export interface ShardFailure {
  readonly index: string
  readonly shard: number
  readonly reason: string
}

/** The summary of a snapshot that is available without its manifest: an entry of `index-N`. */
export interface SnapshotInfo {
  readonly name: string
  readonly uuid: string
  readonly state: SnapshotState
  readonly indices: readonly string[]
  readonly dataStreams: readonly string[]
  readonly includeGlobalState: boolean
  readonly metadata?: JsonObject
  readonly startMs: number
  readonly endMs: number
  readonly version: string
  readonly totalShards: number
  readonly failures: readonly ShardFailure[]
  /** The files and bytes of the snapshot, and those that it added to the repository. */
  readonly totalFiles: number
  readonly totalBytes: number
  readonly newFiles: number
  readonly newBytes: number
}

/** The file `index-N`: the list of snapshots. The file with the highest number is the current one. */
export interface RepositoryIndex {
  readonly uuid: string
  readonly generation: number
  readonly snapshots: readonly SnapshotInfo[]
}
