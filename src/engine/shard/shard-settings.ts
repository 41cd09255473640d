/** The index settings that a shard uses, parsed from their flat form. */
import { parseByteSize } from '../../base/byte-size.ts'
import { parseDuration } from '../../base/duration.ts'
import type { Durability } from '../store/operation-log.ts'
import { DEFAULT_MERGE_SETTINGS, type MergePolicySettings } from './merge/merge-policy.ts'

/** A merge holds its result in memory until it is written, whatever the setting allows. */
const MERGED_BYTES_MAX = 1024 ** 3

export type FlatSettings = Readonly<Record<string, string>>

export interface ShardSettings {
  /** Milliseconds; negative if refreshes happen only on request. */
  readonly refreshIntervalMs: number
  /** Whether the index is refreshed while it is search idle. False with the default interval. */
  readonly refreshWhenIdle: boolean
  readonly searchIdleAfterMs: number
  readonly maxRefreshListeners: number
  readonly durability: Durability
  readonly flushThresholdBytes: number
  readonly flushThresholdAgeMs: number
  readonly gcDeletesMs: number
  readonly bestCompression: boolean
  readonly merge: MergePolicySettings
}

export function readShardSettings(settings: FlatSettings): ShardSettings {
  const duration = (name: string, fallback: string) => parseDuration(settings[name] ?? fallback, name)
  const bytes = (name: string, fallback: number) =>
    settings[name] === undefined ? fallback : parseByteSize(settings[name], name)
  const number = (name: string, fallback: number) => (settings[name] === undefined ? fallback : Number(settings[name]))
  const policy = 'index.merge.policy'
  return {
    refreshIntervalMs: duration('index.refresh_interval', '1s'),
    refreshWhenIdle: settings['index.refresh_interval'] !== undefined,
    searchIdleAfterMs: duration('index.search.idle.after', '30s'),
    maxRefreshListeners: number('index.max_refresh_listeners', 1000),
    durability: {
      mode: settings['index.translog.durability']?.toLowerCase() === 'async' ? 'async' : 'request',
      syncIntervalMs: duration('index.translog.sync_interval', '5s'),
    },
    flushThresholdBytes: bytes('index.translog.flush_threshold_size', 512 * 1024 * 1024),
    flushThresholdAgeMs: duration('index.translog.flush_threshold_age', '1m'),
    gcDeletesMs: duration('index.gc_deletes', '60s'),
    bestCompression: settings['index.codec'] === 'best_compression',
    merge: {
      segmentsPerTier: number(`${policy}.segments_per_tier`, DEFAULT_MERGE_SETTINGS.segmentsPerTier),
      maxMergeAtOnce: number(`${policy}.max_merge_at_once`, DEFAULT_MERGE_SETTINGS.maxMergeAtOnce),
      floorSegmentBytes: bytes(`${policy}.floor_segment`, DEFAULT_MERGE_SETTINGS.floorSegmentBytes),
      maxMergedSegmentBytes: Math.min(
        bytes(`${policy}.max_merged_segment`, DEFAULT_MERGE_SETTINGS.maxMergedSegmentBytes),
        MERGED_BYTES_MAX,
      ),
      deletesPercentAllowed: number(`${policy}.deletes_pct_allowed`, DEFAULT_MERGE_SETTINGS.deletesPercentAllowed),
    },
  }
}
