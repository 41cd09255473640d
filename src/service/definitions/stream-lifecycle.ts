/** The lifecycle of a data stream: how long it keeps data, and when its write index rolls over. */
import { illegalArgument } from '../../base/api-error.ts'
import { formatDuration, parseDuration } from '../../base/duration.ts'
import type { FlatSettings, IndexMetadata, JsonObject, StreamLifecycle } from '../metadata/metadata.ts'

const HOUR_MS = 3600_000
const DAY_MS = 24 * HOUR_MS

export function parseStreamLifecycle(body: JsonObject): StreamLifecycle {
  for (const [name, value] of Object.entries(body)) {
    if (name === 'downsampling' && value !== null) throw illegalArgument('[downsampling] is not supported by Sandpiper')
    if (!['enabled', 'data_retention', 'downsampling'].includes(name)) {
      throw illegalArgument(`[lifecycle] unknown field [${name}]`)
    }
  }
  const { enabled = true, data_retention: retention } = body
  if (typeof enabled !== 'boolean' && enabled !== 'true' && enabled !== 'false') {
    throw illegalArgument(`Failed to parse value [${enabled}] as only [true] or [false] are allowed.`)
  }
  if (retention !== undefined && retention !== null) parseDuration(String(retention), 'data_retention')
  return {
    enabled: enabled === true || enabled === 'true',
    ...(retention === undefined || retention === null ? {} : { dataRetention: String(retention) }),
  }
}

/** `data_streams.lifecycle.retention.default` and `.max`, in milliseconds; undefined if not set. */
export interface GlobalRetention {
  readonly defaultMs: number | undefined
  readonly maxMs: number | undefined
  /** `data_streams.lifecycle.retention.failures_default`: how long failed documents are kept. */
  readonly failuresDefaultMs?: number | undefined
}

export interface EffectiveRetention {
  readonly ms: number
  readonly determinedBy: 'data_stream_configuration' | 'default_global_retention' | 'max_global_retention'
}

/** How long data is kept; undefined means for ever. */
export function effectiveRetention(
  { dataRetention }: StreamLifecycle,
  { defaultMs, maxMs }: GlobalRetention,
): EffectiveRetention | undefined {
  const own = dataRetention === undefined ? undefined : parseDuration(dataRetention, 'data_retention')
  const ms = own ?? defaultMs
  if (maxMs !== undefined && (ms === undefined || ms > maxMs))
    return { ms: maxMs, determinedBy: 'max_global_retention' }
  if (ms === undefined) return undefined
  return { ms, determinedBy: own === undefined ? 'default_global_retention' : 'data_stream_configuration' }
}

export function printStreamLifecycle(lifecycle: StreamLifecycle, global: GlobalRetention): JsonObject {
  const { enabled, dataRetention } = lifecycle
  const effective = enabled ? effectiveRetention(lifecycle, global) : undefined
  return {
    enabled,
    ...(dataRetention === undefined ? {} : { data_retention: dataRetention }),
    ...(effective === undefined
      ? {}
      : { effective_retention: formatDuration(effective.ms), retention_determined_by: effective.determinedBy }),
  }
}

/** The conditions under which the write index rolls over. The shorter data is kept, the younger the indices. */
export function rolloverConditions(retention: EffectiveRetention | undefined): JsonObject {
  return {
    max_age: formatDuration(maxAgeMs(retention?.ms)),
    max_primary_shard_docs: 200_000_000,
    max_primary_shard_size: '50gb',
    min_docs: 1,
  }
}

function maxAgeMs(retentionMs: number | undefined): number {
  if (retentionMs === undefined) return 30 * DAY_MS
  if (retentionMs <= DAY_MS) return HOUR_MS
  if (retentionMs <= 14 * DAY_MS) return DAY_MS
  return retentionMs <= 90 * DAY_MS ? 7 * DAY_MS : 30 * DAY_MS
}

export type Manager = 'Index Lifecycle Management' | 'Data stream lifecycle' | 'Unmanaged'

/** The service that manages an index of a data stream, by the settings of the index and the lifecycle of the stream. */
export function managerOf(settings: FlatSettings, lifecycle: StreamLifecycle | undefined): Manager {
  const policy = settings['index.lifecycle.name'] ?? ''
  const hasPolicy = policy !== ''
  const isManaged = lifecycle?.enabled === true
  const prefersPolicy = settings['index.lifecycle.prefer_ilm'] !== 'false'
  if (hasPolicy && (prefersPolicy || !isManaged)) return 'Index Lifecycle Management'
  return isManaged ? 'Data stream lifecycle' : 'Unmanaged'
}

/** The moment from which the age of a backing index counts; undefined while it is written to. */
export function generationTimeMs(index: IndexMetadata): number | undefined {
  const origin = Number(index.settings['index.lifecycle.origination_date'] ?? -1)
  return origin >= 0 ? origin : index.rolledOver?.timeMs
}
