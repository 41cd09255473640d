/** How the primary of a shard came to its files: from nothing, from its own folder, from a snapshot or from another index. */
import { formatByteSize } from '../../base/byte-size.ts'
import { formatDuration } from '../../base/duration.ts'
import type { IndexMetadata, JsonObject } from '../metadata/metadata.ts'

export type RecoveryType = 'EMPTY_STORE' | 'EXISTING_STORE' | 'SNAPSHOT' | 'LOCAL_SHARDS'

export interface ShardRecovery {
  readonly type: RecoveryType
  readonly startMs: number
  readonly stopMs: number
  /** Files that were copied from a snapshot. */
  readonly files: number
  readonly bytes: number
  /** The part of the files that is there. Elasticsearch says 0.0% of a shard that began without files. */
  readonly percent: string
}

export function recoveryOf(index: IndexMetadata, shard: number): ShardRecovery {
  const type = recoveryType(index)
  const { startMs, stopMs, files, bytes } = index.restoredFrom?.copies?.find((copy) => copy.shard === shard) ?? {
    startMs: index.creationDate,
    stopMs: index.creationDate,
    files: 0,
    bytes: 0,
  }
  return { type, startMs, stopMs, files, bytes, percent: type === 'EMPTY_STORE' ? '0.0%' : '100.0%' }
}

function recoveryType(index: IndexMetadata): RecoveryType {
  if (index.restoredFrom !== undefined) return 'SNAPSHOT'
  if (!isNew(index)) return 'EXISTING_STORE'
  return index.resizedFrom === undefined ? 'EMPTY_STORE' : 'LOCAL_SHARDS'
}

const isNew = (index: IndexMetadata): boolean => index.settingsVersion === 1 && index.state === 'open'

/** An element of `shards` in the response of `_recovery`. */
export function printRecovery(
  index: IndexMetadata,
  shard: number,
  options: { target: JsonObject; human: boolean },
): JsonObject {
  const { type, startMs, stopMs, files, bytes, percent } = recoveryOf(index, shard)
  const time = (name: string, ms: number) =>
    options.human ? { [name]: formatDuration(ms), [`${name}_in_millis`]: ms } : { [`${name}_in_millis`]: ms }
  const size = (name: string, value: number) =>
    options.human ? { [name]: formatByteSize(value), [`${name}_in_bytes`]: value } : { [`${name}_in_bytes`]: value }
  const at = (name: string, ms: number) =>
    options.human ? { [name]: new Date(ms).toISOString(), [`${name}_in_millis`]: ms } : { [`${name}_in_millis`]: ms }
  return {
    id: shard,
    type,
    stage: 'DONE',
    primary: true,
    ...at('start_time', startMs),
    ...at('stop_time', stopMs),
    ...time('total_time', stopMs - startMs),
    source: recoverySource(index),
    target: { ...options.target, host: '127.0.0.1', transport_address: '127.0.0.1:9300', ip: '127.0.0.1' },
    index: {
      size: {
        ...size('total', bytes),
        ...size('reused', 0),
        ...size('recovered', bytes),
        ...size('recovered_from_snapshot', 0),
        percent,
      },
      files: { total: files, reused: 0, recovered: files, percent },
      ...time('total_time', stopMs - startMs),
      ...time('source_throttle_time', 0),
      ...time('target_throttle_time', 0),
    },
    translog: { recovered: 0, total: 0, percent: '100.0%', total_on_start: 0, ...time('total_time', 0) },
    verify_index: { ...time('check_index_time', 0), ...time('total_time', 0) },
  }
}

function recoverySource(index: IndexMetadata): JsonObject {
  if (index.restoredFrom === undefined) return isNew(index) ? {} : { bootstrap_new_history_uuid: false }
  const { copies: _copies, ...source } = index.restoredFrom
  return source
}
