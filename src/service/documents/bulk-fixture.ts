/** Bulk requests for tests: lines as a client sends them, and only the options a test needs. */
import type { BulkRequest } from '../shards/shard-host.ts'

export function bulkOf(lines: readonly unknown[], options: Partial<BulkRequest> = {}): BulkRequest {
  return {
    body: Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join('')),
    defaultIndex: undefined,
    defaultRouting: undefined,
    defaultPipeline: undefined,
    requireAlias: false,
    requireDataStream: false,
    refresh: 'true',
    sourceFilter: undefined,
    startedAtMs: 0,
    ...options,
  }
}
