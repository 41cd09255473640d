/** A held view of some shards: a point in time, or a scroll, which also has a position. */
import type { IndexLimits } from '../../engine/limits/read-limits.ts'
import type { SortValue } from '../../engine/sort/sort-key.ts'
import type { JsonObject } from '../metadata/metadata.ts'
import type { ViewLease } from '../shards/shard-host.ts'
import { type ContextKind, encodeContextId } from './context-id.ts'

/** The client that opened a context. */
export interface ContextOrigin {
  readonly opaqueId: string | undefined
  readonly userAgent: string | undefined
  /** The caller's identity, where requests are authenticated. */
  readonly owner?: string | undefined
  /** The node itself, for an operation that ends with the process. Such a context is not stored. */
  readonly isOwn?: boolean
}

/** One shard of a context, in the order that breaks ties between equal hits. */
export interface ContextShard {
  readonly indexUuid: string
  readonly indexName: string
  readonly shard: number
  /** The context number in errors about this shard. */
  readonly searchId: number
  /** Filters of the aliases through which the index was reached. */
  readonly filters: readonly JsonObject[] | undefined
  /** What the caller who opened a scroll may read; undefined for everything. */
  readonly limits: IndexLimits | undefined
  /** Undefined if the view is lost because the index was closed or deleted. */
  lease: ViewLease | undefined
  /** The name under which the view survives a restart. */
  keptName: string | undefined
}

/** A request as received, so that a scroll can continue after a restart. */
export interface StoredRequest {
  readonly uri: string
  readonly body: Uint8Array
}

/** The position of a scroll. Pages are counted from 1, the response of the search that opened it. */
export interface ScrollPosition {
  readonly page: number
  /** Sort values of the last hit before the newest page, and of its last hit; undefined before the first hit. */
  readonly before: readonly SortValue[] | undefined
  readonly after: readonly SortValue[] | undefined
}

/**
 * Which id a client sends: the newest, as documented, or always the first, which works too. With the newest id, a
 * request repeated because its response was lost is distinguishable from the next request by its id alone.
 */
export type IdStyle = 'unknown' | 'newest' | 'first'

export interface ScrollState {
  readonly request: StoredRequest
  /** Values that every page repeats. */
  readonly total: number
  readonly maxScore: number
  readonly terminatedEarly: boolean | undefined
  position: ScrollPosition
  idStyle: IdStyle
  /**
   * The process ended between recording the newest page and sending it: a client that sends an older id requests that
   * page again.
   */
  isAnswerLost: boolean
}

/** The part of a scroll's state that pages change. */
export type ScrollProgress = Pick<ScrollState, 'position' | 'idStyle' | 'isAnswerLost'>

export function changingPart(scroll: ScrollState): ScrollProgress
export function changingPart(scroll: ScrollState | undefined): ScrollProgress | undefined
export function changingPart(scroll: ScrollState | undefined): ScrollProgress | undefined {
  return scroll && { position: scroll.position, idStyle: scroll.idStyle, isAnswerLost: scroll.isAnswerLost }
}

export class SearchContext {
  readonly key: string
  readonly kind: ContextKind
  readonly shards: readonly ContextShard[]
  readonly openedAtMs: number
  readonly origin: ContextOrigin
  keepAliveMs: number
  expiresAtMs: number
  scroll: ScrollState | undefined
  /** Number of requests currently reading it; it does not expire meanwhile. */
  readers = 0

  constructor(options: {
    key: string
    kind: ContextKind
    shards: readonly ContextShard[]
    openedAtMs: number
    keepAliveMs: number
    expiresAtMs?: number | undefined
    origin: ContextOrigin
    scroll?: ScrollState | undefined
  }) {
    this.key = options.key
    this.kind = options.kind
    this.shards = options.shards
    this.openedAtMs = options.openedAtMs
    this.origin = options.origin
    this.keepAliveMs = options.keepAliveMs
    this.expiresAtMs = options.expiresAtMs ?? options.openedAtMs + options.keepAliveMs
    this.scroll = options.scroll
  }

  /** The id for the client; for a scroll it includes the page number. */
  get id(): string {
    const { key, kind, shards } = this
    return encodeContextId({ kind, key, shards: shards.length, page: this.scroll?.position.page ?? 0 })
  }

  /** Maximum number of documents a search may have to read. */
  get docCount(): number {
    return this.shards.reduce((sum, { lease }) => sum + (lease?.docCount ?? 0), 0)
  }

  /** Bytes of segment files that the context keeps from being deleted. */
  get bytes(): number {
    return this.shards.reduce((sum, { lease }) => sum + (lease?.bytes ?? 0), 0)
  }

  /** Restarts the keep-alive time. */
  touch(nowMs: number, keepAliveMs: number | undefined): void {
    if (keepAliveMs !== undefined) this.keepAliveMs = keepAliveMs
    this.expiresAtMs = nowMs + this.keepAliveMs
  }
}
