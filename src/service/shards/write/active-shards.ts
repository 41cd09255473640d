/** `wait_for_active_shards` on a single node: the number of missing copies, and the error message. */
import { decodeUtf8 } from '../../../base/json/json-reader.ts'
import type { ActiveShards } from '../shard-host.ts'

const SOURCE_SHOWN_BYTES_MAX = 2048

/** Undefined if one copy is enough. */
export function missingCopies(wanted: ActiveShards, replicas: number): { shown: string; needed: number } | undefined {
  const needed = wanted.count === 'all' ? replicas + 1 : wanted.count
  if (needed <= 1) return undefined
  return { shown: wanted.count === 'all' ? 'ALL' : String(needed), needed }
}

export function describeIndex(index: string, id: string, source: Uint8Array): string {
  const shown =
    source.length > SOURCE_SHOWN_BYTES_MAX
      ? `n/a, actual length: [${(source.length / 1024).toFixed(1).replace(/\.0$/, '')}kb], max length: 2kb`
      : decodeUtf8(source, 0, source.length)
  return `index {[${index}][${id}], source[${shown}]}`
}

export function describeDelete(index: string, id: string): string {
  return `delete {[${index}][${id}]}`
}
