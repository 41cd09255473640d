/** What a snapshot repository holds. docs/formats/snapshots.md draws the files. */
import type { DataStream, IndexMetadata, JsonObject } from '../../metadata/metadata.ts'

/** One file in the repository, found by the hash of what is in it. */
export interface BlobReference {
  readonly sha256: string
  readonly bytes: number
}

/** A segment file of a shard. */
export interface SegmentBlob extends BlobReference {
  /** The name of the file in the folder of the shard. */
  readonly name: string
}

export interface ShardManifest {
  readonly shard: number
  readonly segments: readonly SegmentBlob[]
  /** The commit point that the restored shard begins with. */
  readonly commit: BlobReference
}

export interface IndexManifest {
  readonly metadata: IndexMetadata
  /** Shards that failed are not in it. */
  readonly shards: readonly ShardManifest[]
}

/** Sections of the metadata that belong to the cluster as a whole. */
export type GlobalState = Readonly<Record<string, JsonObject>>

/** The file `snap-UUID`: everything a restore needs to know. */
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

/** What is known of a snapshot without reading its manifest: an entry of `index-N`. */
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
  /** Files and bytes of the snapshot, and those that it added to the repository. */
  readonly totalFiles: number
  readonly totalBytes: number
  readonly newFiles: number
  readonly newBytes: number
}

/** The file `index-N`: which snapshots there are. The one with the highest number counts. */
export interface RepositoryIndex {
  readonly uuid: string
  readonly generation: number
  readonly snapshots: readonly SnapshotInfo[]
}
