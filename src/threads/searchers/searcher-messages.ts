/** Messages between the main thread and a searcher thread. They are plain data; request bodies are transferred. */
import type { IncomingHttpHeaders } from 'node:http'
import type { MessagePort } from 'node:worker_threads'
import type { LogMessage } from '../../base/forwarded-log.ts'
import type { SharedBreakers } from '../../base/memory/circuit-breakers.ts'
import type { CarriedAccess } from '../../http/request-access.ts'
import type { FlatSettings } from '../../service/metadata/metadata.ts'
import type { MetadataChange } from '../../service/search/shards/search-targets.ts'
import type { ContextUse, OpenedElsewhere } from '../lending/lent-context.ts'
import type { ColumnOnLoan } from './column-lending.ts'
import type { ContextOnLoan, SearchRecordOf, ViewOnLoan } from './search-replica.ts'

export interface SearcherStart {
  readonly breakers: SharedBreakers
  readonly memory: WebAssembly.Memory
  readonly arenaBytes: number
  /** The thread's number among the users of the arena. */
  readonly owner: number
  readonly strictMediaTypes: boolean
  readonly errorHelp: boolean | undefined
  readonly warningAgent: string
  /** The folder of the geoip databases, for trials of pipelines. */
  readonly databaseFolder: string | undefined
  readonly nodeName: string
}

export interface ForwardedSearch {
  readonly id: number
  readonly method: string
  readonly uri: string
  readonly headers: IncomingHttpHeaders
  readonly body: Uint8Array
  /** The sender of the request and its read limits; undefined without authentication. */
  readonly access: CarriedAccess | undefined
  /** Whether the node itself sends the request, for an operation that ends with the process. */
  readonly isOwn: boolean | undefined
  /** Metadata changes the searcher has not received. */
  readonly changes: readonly MetadataChange[]
  /** Absent if the settings have not changed. */
  readonly transientSettings: FlatSettings | undefined
  /** Newer views of the shards that the request reads. */
  readonly views: readonly ViewOnLoan[]
  /** The point in time or scroll that the request reads. */
  readonly context: ContextOnLoan | undefined
  /** Shared memory: becomes 1 when nobody waits for the response any more. */
  readonly cancelled: Int32Array
  /** The main thread reads the computed values of such a request itself if it has them. */
  readonly lendsColumns: boolean
  /** Present if a second thread received the same search. */
  readonly crew: CrewOf | undefined
}

/** Connects two threads that work on one search. */
export interface CrewOf {
  /** Number of the other thread. */
  readonly peer: number
  /** Number of the search, the same for both threads. */
  readonly request: number
  readonly words: Int32Array
}

export type ToSearcher =
  | { readonly kind: 'search'; readonly request: ForwardedSearch }
  /** Help another thread with its request. */
  | { readonly kind: 'help'; readonly request: ForwardedSearch }
  /** A port to another searcher, sent once per pair. */
  | { readonly kind: 'meet'; readonly peer: number; readonly port: MessagePort }
  /** A shard was closed. */
  | { readonly kind: 'forget'; readonly shardId: string }
  /** A point in time or scroll has ended. */
  | { readonly kind: 'end'; readonly context: string }
  /** The buffer of a sent response, for reuse. */
  | { readonly kind: 'memory'; readonly memory: ArrayBufferLike }

export interface ForwardedAnswer {
  readonly status: number
  readonly headers: Record<string, string | string[]>
  readonly body: Uint8Array
}

export type FromSearcher =
  | LogMessage
  | {
      readonly kind: 'answer'
      readonly id: number
      /** Undefined: the request needs something that only the main thread has. */
      readonly answer: ForwardedAnswer | undefined
      readonly records: readonly SearchRecordOf[]
      /** The helper did not speed up the search: the next request of the same kind runs without one. */
      readonly helpless: boolean
      /** The computed values that the request read, if it computed none. */
      readonly columns: readonly ColumnOnLoan[]
      /** What the request did to the context it read. */
      readonly contextUse: ContextUse | undefined
      /** The scroll opened by the request. */
      readonly opened: OpenedElsewhere | undefined
    }
  /** A lent view is no longer read. */
  | { readonly kind: 'released'; readonly shardId: string; readonly generation: number }
