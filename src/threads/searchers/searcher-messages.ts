/** What the main thread and a searcher thread tell each other. Plain data; bodies change hands. */
import type { IncomingHttpHeaders } from 'node:http'
import type { MessagePort } from 'node:worker_threads'
import type { SharedBreakers } from '../../base/memory/circuit-breakers.ts'
import type { CarriedAccess } from '../../http/request-access.ts'
import type { FlatSettings } from '../../service/metadata/metadata.ts'
import type { MetadataChange } from '../../service/search/shards/search-targets.ts'
import type { ContextUse, OpenedElsewhere } from '../lending/lent-context.ts'
import type { ContextOnLoan, SearchRecordOf, ViewOnLoan } from './search-replica.ts'

export interface SearcherStart {
  readonly breakers: SharedBreakers
  readonly memory: WebAssembly.Memory
  readonly arenaBytes: number
  /** The number of the thread among those that use the memory. */
  readonly owner: number
  readonly strictMediaTypes: boolean
  readonly warningAgent: string
}

export interface ForwardedSearch {
  readonly id: number
  readonly method: string
  readonly uri: string
  readonly headers: IncomingHttpHeaders
  readonly body: Uint8Array
  /** Who sent it, and what is limited for them; undefined where requests are not authenticated. */
  readonly access: CarriedAccess | undefined
  /** Metadata the searcher has not seen. */
  readonly changes: readonly MetadataChange[]
  /** Absent when the settings have not changed. */
  readonly transientSettings: FlatSettings | undefined
  /** Newer views of the shards the request is about. */
  readonly views: readonly ViewOnLoan[]
  /** The point in time or scroll it reads. */
  readonly context: ContextOnLoan | undefined
  /** Shared: becomes 1 when nobody waits for the answer any more. */
  readonly cancelled: Int32Array
  /** Present when a second thread got the same search. */
  readonly crew: CrewOf | undefined
}

/** How two threads that work on one search find each other. */
export interface CrewOf {
  /** Number of the other thread. */
  readonly peer: number
  /** Number of the search, the same for both. */
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
  /** The memory of a sent answer, which may be used for the next one. */
  | { readonly kind: 'memory'; readonly memory: ArrayBuffer }

export interface ForwardedAnswer {
  readonly status: number
  readonly headers: Record<string, string | string[]>
  readonly body: Uint8Array
}

export type FromSearcher =
  | {
      readonly kind: 'answer'
      readonly id: number
      /** Undefined: the request needs something only the main thread has. */
      readonly answer: ForwardedAnswer | undefined
      readonly records: readonly SearchRecordOf[]
      /** The help of another thread was of no use: the next request of the same kind can do without. */
      readonly helpless: boolean
      /** What the request did to the context it read. */
      readonly contextUse: ContextUse | undefined
      /** The scroll it has opened. */
      readonly opened: OpenedElsewhere | undefined
    }
  /** A view on loan is no longer read. */
  | { readonly kind: 'released'; readonly shardId: string; readonly generation: number }
