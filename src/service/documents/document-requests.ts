/** What the document service is asked for: plain values, checked as far as one request can be checked by itself. */
import type { ActiveShards, RefreshPolicy, SourceFilter, VersionType } from '../shards/shard-host.ts'

/** Index, create, update or delete one document. */
export interface DocumentWrite {
  readonly action: 'index' | 'create' | 'update' | 'delete'
  readonly index: string
  /** Undefined: make one. */
  readonly id: string | undefined
  /** The document, or the body of the update; empty for deletes. The caller gives it away. */
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
  /** What an update's answer shows under `get`. */
  readonly sourceFilter: SourceFilter | undefined
}

export interface DocumentGet {
  readonly index: string
  readonly id: string
  readonly routing: string | undefined
  readonly realtime: boolean
  /** Refresh the shard first. */
  readonly refresh: boolean
  readonly version: number | undefined
  /** Undefined: show `_source` unless stored fields were asked for. */
  readonly sourceFilter: SourceFilter | undefined
  /** Undefined: none were asked for. */
  readonly storedFields: readonly string[] | undefined
}

export interface DocumentAnswer {
  readonly status: number
  readonly body: Record<string, unknown>
}
