/** Snapshots in responses. */
import { newMembers } from '../../base/json/members.ts'
import { ELASTICSEARCH_VERSION } from '../../base/version.ts'
import type { JsonObject } from '../metadata/metadata.ts'
import type { SnapshotInfo, SnapshotManifest } from './repository/repository-format.ts'

export interface PrintOptions {
  readonly isVerbose: boolean
  readonly showsRepository: boolean
  readonly showsIndices: boolean
}

export const EVERYTHING: PrintOptions = { isVerbose: true, showsRepository: true, showsIndices: true }

export function printSnapshot(repository: string, info: SnapshotInfo, options: PrintOptions = EVERYTHING): JsonObject {
  const { name, uuid, indices, dataStreams, state } = info
  const named = {
    snapshot: name,
    uuid,
    ...(options.showsRepository ? { repository } : {}),
  }
  if (!options.isVerbose) return { ...named, indices, data_streams: dataStreams, state }
  const isRunning = state === 'IN_PROGRESS'
  const endMs = isRunning ? 0 : info.endMs
  return {
    ...named,
    version_id: 8_537_000,
    version: ELASTICSEARCH_VERSION,
    ...(options.showsIndices ? { indices } : {}),
    data_streams: dataStreams,
    include_global_state: info.includeGlobalState,
    ...(info.metadata === undefined ? {} : { metadata: info.metadata }),
    state,
    ...(state === 'FAILED' ? { reason: "Indices don't have primary shards" } : {}),
    start_time: new Date(info.startMs).toISOString(),
    start_time_in_millis: info.startMs,
    end_time: new Date(endMs).toISOString(),
    end_time_in_millis: endMs,
    duration_in_millis: isRunning ? 0 : info.endMs - info.startMs,
    failures: info.failures.map(({ index, shard, reason }) => ({
      index,
      index_uuid: index,
      shard_id: shard,
      reason,
      node_id: '',
      status: 'INTERNAL_SERVER_ERROR',
    })),
    shards: {
      total: info.totalShards,
      failed: info.failures.length,
      successful: isRunning ? 0 : info.totalShards - info.failures.length,
    },
    feature_states: [],
  }
}

/** `_status`: the progress and the contents of a snapshot. A snapshot in progress has no manifest, only the number of its finished shards. */
export function printStatus(
  repository: string,
  info: SnapshotInfo,
  manifest: SnapshotManifest | undefined,
  doneShards = 0,
): JsonObject {
  const files = (fileCount: number, bytes: number) => ({ file_count: fileCount, size_in_bytes: bytes })
  const stats = {
    incremental: files(info.newFiles, info.newBytes),
    total: files(info.totalFiles, info.totalBytes),
    start_time_in_millis: info.startMs,
    time_in_millis: Math.max(0, info.endMs - info.startMs),
  }
  const failed = info.failures.length
  const indices: JsonObject = newMembers()
  let done = manifest === undefined ? doneShards : 0
  for (const { metadata, shards } of manifest?.indices ?? []) {
    const shown: JsonObject = newMembers()
    for (const { shard, segments, commit } of shards) {
      const bytes = segments.reduce((sum, segment) => sum + segment.bytes, commit.bytes)
      const shardStats = {
        ...stats,
        incremental: files(segments.length + 1, bytes),
        total: files(segments.length + 1, bytes),
      }
      shown[String(shard)] = { stage: 'DONE', stats: shardStats }
    }
    done += shards.length
    const failedHere = info.failures.filter(({ index }) => index === metadata.name).length
    indices[metadata.name] = {
      shards_stats: shardsStats(metadata.shardCount, shards.length, failedHere),
      stats,
      shards: shown,
    }
  }
  return {
    snapshot: info.name,
    repository,
    uuid: info.uuid,
    state: info.state === 'IN_PROGRESS' ? 'STARTED' : info.state,
    include_global_state: info.includeGlobalState,
    shards_stats: shardsStats(info.totalShards, done, failed),
    stats,
    indices,
  }
}

const shardsStats = (total: number, done: number, failed: number): JsonObject => ({
  initializing: 0,
  started: total - done - failed,
  finalizing: 0,
  done,
  failed,
  total,
})
