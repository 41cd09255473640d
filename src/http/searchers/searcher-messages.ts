/** What the main thread and a searcher thread tell each other. Plain data; bodies change hands. */
import type { IncomingHttpHeaders } from 'node:http'
import type { SearchRecordOf, ViewOnLoan } from '../../service/search/search-replica.ts'
import type { MetadataChange } from '../../service/search/search-targets.ts'

export interface SearcherStart {
  readonly memory: WebAssembly.Memory
  readonly arenaBytes: number
  readonly strictMediaTypes: boolean
  readonly warningAgent: string
}

export interface ForwardedSearch {
  readonly id: number
  readonly method: string
  readonly uri: string
  readonly headers: IncomingHttpHeaders
  readonly body: Uint8Array
  /** Metadata the searcher has not seen. */
  readonly changes: readonly MetadataChange[]
  /** Newer views of the shards the request is about. */
  readonly views: readonly ViewOnLoan[]
  /** Shared: becomes 1 when nobody waits for the answer any more. */
  readonly cancelled: Int32Array
}

export type ToSearcher =
  | { readonly kind: 'search'; readonly request: ForwardedSearch }
  /** A shard was closed. */
  | { readonly kind: 'forget'; readonly shardId: string }

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
    }
  /** A view on loan is no longer read. */
  | { readonly kind: 'released'; readonly shardId: string; readonly generation: number }
