/** The requests of the document service: plain values, validated as far as possible without the index. */
import type { ReadLimits } from '../../engine/limits/read-limits.ts'
import type { ActiveShards, RefreshPolicy, SourceFilter, VersionType } from '../shards/shard-host.ts'
import type { RequestOrigin } from '../slow-log/request-origin.ts'

/** Indexes, creates, updates or deletes one document. */
export interface DocumentWrite {
  readonly action: 'index' | 'create' | 'update' | 'delete'
  readonly index: string
  /** Undefined: generate one. */
  readonly id: string | undefined
  /** The document, or the body of the update; empty for deletes. Ownership moves to the service. */
  readonly body: Uint8Array
  readonly routing: string | undefined
  readonly version: number | undefined
  readonly versionType: VersionType
  readonly ifSeqNo: number | undefined
  readonly ifPrimaryTerm: number | undefined
  readonly refresh: RefreshPolicy
  readonly retryOnConflict: number
  readonly pipeline: string | undefined
  readonly dynamicTemplates?: Readonly<Record<string, string>> | undefined
  readonly requireAlias: boolean
  readonly requireDataStream: boolean
  readonly activeShards: ActiveShards | undefined
  /** The source filter for `get` in an update's response. */
  readonly sourceFilter: SourceFilter | undefined
  /** What the slow log shows of the request. */
  readonly origin?: RequestOrigin | undefined
}

export interface DocumentGet {
  readonly index: string
  readonly id: string
  readonly routing: string | undefined
  readonly realtime: boolean
  /** Whether to refresh the shard first. */
  readonly refresh: boolean
  readonly version: number | undefined
  /** Whether versions that no document has are compared, rather than rejected. */
  readonly allowsAnyVersion?: boolean
  /** Undefined: show `_source` unless stored fields were requested. */
  readonly sourceFilter: SourceFilter | undefined
  /** Undefined: none were requested. */
  readonly storedFields: readonly string[] | undefined
  /** What the caller may read; undefined for everything. */
  readonly limits: ReadLimits | undefined
}

export interface DocumentAnswer {
  readonly status: number
  readonly body: Record<string, unknown>
}
