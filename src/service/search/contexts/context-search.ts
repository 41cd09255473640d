/**
 * Searches in a point in time, and scrolls: the search that opens one, and its pages.
 *
 * A scroll page is a search after the last hit of the previous page, on the same view. The position is recorded before
 * the page is sent, and every page has its own id, so that a client whose response was lost can request the same page
 * again.
 */
import { ApiError } from '../../../base/api-error.ts'
import {
  contextMissing,
  keepAliveTooLarge,
  scrollFailure,
  tooManyScrolls,
  undecodableId,
} from '../../../base/errors/context-errors.ts'
import { allShardsFailed, type ShardFailure } from '../../../base/errors/search-errors.ts'
import { decodeContextId } from '../../contexts/context-id.ts'
import { describeLost } from '../../contexts/describe-context.ts'
import {
  type ContextOrigin,
  changingPart,
  type ScrollState,
  SearchContext,
  type StoredRequest,
} from '../../contexts/search-context.ts'
import type { LostContext, SearchContexts } from '../../contexts/search-contexts.ts'
import type { SearchOrigin } from '../../slow-log/slow-search.ts'
import { scrollAnswer } from '../answer/scroll-answer.ts'
import { type HitOrder, hitOrder, scrollOrder } from '../hit-order.ts'
import type { PointInTime } from '../request/paging-body.ts'
import type { SearchRequest, SearchResult } from '../search-service.ts'
import { contextReach, type Reach } from '../shards/reach.ts'
import type { ShardAccess } from '../shards/shard-access.ts'
import type { SearchShard } from '../shards/shard-search.ts'

/** The `scroll` of a search. */
export interface ScrollRequest {
  readonly keepAliveMs: number
  /** The request as received. */
  readonly stored: StoredRequest
  readonly origin: ContextOrigin
}

export interface ScrollPageRequest {
  readonly id: string
  /** Undefined ends the scroll with this page. */
  readonly keepAliveMs: number | undefined
  readonly totalAsInteger: boolean
  /** Parses the request that opened the scroll. It is stored in the wire format, which only the caller can parse. */
  readonly readStored: ReadRequest
  /** What the slow log shows of this page, with the body of the request that opened the scroll. */
  readonly originOf?: ((search: Uint8Array | undefined) => SearchOrigin) | undefined
}

type RunSearch = (request: SearchRequest, reach: Reach, order: HitOrder, startedMs: number) => SearchResult

/** Parses a stored request to a search. */
export type ReadRequest = (stored: StoredRequest) => SearchRequest

/** How many scrolls the error for too many of them lists. */
const OLDEST_SCROLLS_SHOWN = 10

export class ContextSearch {
  readonly #access: ShardAccess
  readonly #contexts: SearchContexts
  readonly #run: RunSearch
  readonly #parsed = new WeakMap<StoredRequest, SearchRequest>()
  readonly #turns = new WeakMap<SearchContext, Promise<unknown>>()

  constructor(access: ShardAccess, contexts: SearchContexts, run: RunSearch) {
    this.#access = access
    this.#contexts = contexts
    this.#run = run
  }

  /** The indices of a point in time; none if it does not exist. */
  indicesOf(pit: PointInTime): readonly string[] {
    const id = decodeContextId(pit.id, 'pit')
    const context = id === undefined ? undefined : this.#contexts.get(id)
    return context instanceof SearchContext ? [...new Set(context.shards.map(({ indexName }) => indexName))] : []
  }

  async inPointInTime(request: SearchRequest, pit: PointInTime, startedMs: number): Promise<Record<string, unknown>> {
    const id = decodeContextId(pit.id, 'pit')
    if (id === undefined) throw undecodableId(pit.id, 'pit')
    const context = this.#contexts.get(id)
    if (!(context instanceof SearchContext)) throw this.#lostPointInTime(context)
    const tooLong = this.#keepAliveProblem(pit.keepAliveMs)
    if (tooLong !== undefined) {
      throw allShardsFailed(this.#failEvery(context.shards, tooLong))
    }
    const { answer } = await this.#reading(context, pit.keepAliveMs, () =>
      this.#run(
        request,
        contextReach(this.#access, 'pit', context.shards, request.scope.limits),
        hitOrder(request.body),
        startedMs,
      ),
    )
    return { pit_id: context.id, ...answer }
  }

  async openScroll(
    request: SearchRequest,
    scroll: ScrollRequest,
    shards: readonly SearchShard[],
    startedMs: number,
  ): Promise<Record<string, unknown>> {
    const problem = this.#keepAliveProblem(scroll.keepAliveMs) ?? this.#scrollLimitProblem(shards.length, scroll.origin)
    if (problem !== undefined && shards.length > 0) {
      const failures = shards.map(({ index, key }) => this.#failure(index.name, key.shard, problem))
      throw allShardsFailed(failures)
    }
    await this.#access.context.shards.wake(shards.map(({ key }) => key))
    const held = this.#contexts.lease(shards)
    let result: SearchResult
    try {
      const reach = contextReach(this.#access, 'scroll', held, undefined)
      result = this.#run(request, reach, scrollOrder(request.body, undefined), startedMs)
    } catch (error) {
      for (const { lease } of held) lease?.release()
      throw error
    }
    const { answer, last, matched, maxScore, terminatedEarly } = result
    const context = await this.#contexts.open({
      kind: 'scroll',
      shards: held,
      keepAliveMs: scroll.keepAliveMs,
      origin: scroll.origin,
      scroll: {
        request: scroll.stored,
        total: matched,
        maxScore,
        terminatedEarly,
        position: { page: 1, before: undefined, after: last },
        idStyle: 'unknown',
        isAnswerLost: false,
      },
    })
    this.#parsed.set(scroll.stored, request)
    return { _scroll_id: context.id, ...answer }
  }

  /** The next page of a scroll. Pages of one scroll run one after another. */
  async scrollPage(request: ScrollPageRequest): Promise<Record<string, unknown>> {
    const id = decodeContextId(request.id, 'scroll')
    if (id === undefined) throw undecodableId(request.id, 'scroll')
    const context = this.#contexts.get(id)
    if (!(context instanceof SearchContext)) throw lostScroll(context)
    if (context.shards.length === 0) throw new ApiError(503, ...NO_NODES)
    const tooLong = this.#keepAliveProblem(request.keepAliveMs)
    if (tooLong !== undefined) throw scrollFailure(context.shards.map(() => tooLong))
    const before = this.#turns.get(context) ?? Promise.resolve()
    const page = before.then(
      () => this.#nextPage(context, id.page, request),
      () => this.#nextPage(context, id.page, request),
    )
    this.#turns.set(context, page)
    return await page
  }

  /** The page with this id was sent. */
  answered(scrollId: string): void {
    const id = decodeContextId(scrollId, 'scroll')
    if (id !== undefined) this.#contexts.answered(id)
  }

  async #nextPage(
    context: SearchContext,
    idPage: number,
    request: ScrollPageRequest,
  ): Promise<Record<string, unknown>> {
    const startedMs = performance.now()
    const scroll = context.scroll!
    const stored = this.#searchOf(scroll.request, request.readStored)
    const search =
      request.originOf === undefined ? stored : { ...stored, origin: request.originOf(stored.origin?.body) }
    // After a power failure the recorded position may be older than the client's: the pages in between were sent.
    while (scroll.position.page < idPage) this.#advance(context, search, startedMs)
    const before = changingPart(scroll)
    const repeats = isRepeated(scroll, idPage)
    scroll.isAnswerLost = false
    if (!repeats && idPage === scroll.position.page && idPage > 1) scroll.idStyle = 'newest'
    else if (!repeats && idPage < scroll.position.page) scroll.idStyle = 'first'
    const result = repeats
      ? this.#page(context, search, scroll.position.before, startedMs)
      : this.#advance(context, search, startedMs)
    const answer = scrollAnswer(result.answer, scroll, request.totalAsInteger)
    if (request.keepAliveMs === undefined) {
      this.#contexts.close(context, 'closed')
      return answer
    }
    try {
      this.#contexts.used(context, request.keepAliveMs)
    } catch (error) {
      // A page that is not sent does not advance the scroll.
      Object.assign(scroll, before)
      throw error
    }
    return { _scroll_id: context.id, ...answer }
  }

  #advance(context: SearchContext, search: SearchRequest, startedMs: number): SearchResult {
    const scroll = context.scroll!
    const { page, after } = scroll.position
    const result = this.#page(context, search, after, startedMs)
    scroll.position = { page: page + 1, before: after, after: result.last ?? after }
    return result
  }

  #page(
    context: SearchContext,
    search: SearchRequest,
    behind: ReturnType<typeof scrollOrder>['behind'],
    startedMs: number,
  ): SearchResult {
    const reach = contextReach(this.#access, 'scroll', context.shards, undefined)
    context.readers++
    try {
      // Only the first page aggregates. A scroll that has lost every shard answers with an empty page and the reasons.
      const body = { ...search.body, aggregations: undefined, suggest: undefined }
      const page = { ...search, body, allowPartialResults: true, walk: search.body }
      return this.#run(page, reach, scrollOrder(body, behind), startedMs)
    } finally {
      context.readers--
    }
  }

  #searchOf(stored: StoredRequest, read: ReadRequest): SearchRequest {
    let search = this.#parsed.get(stored)
    if (search === undefined) this.#parsed.set(stored, (search = read(stored)))
    return search
  }

  async #reading<T>(context: SearchContext, keepAliveMs: number | undefined, work: () => T): Promise<T> {
    context.readers++
    try {
      return work()
    } finally {
      context.readers--
      this.#contexts.used(context, keepAliveMs)
    }
  }

  #keepAliveProblem(keepAliveMs: number | undefined): ApiError | undefined {
    const limitMs = this.#contexts.maxKeepAliveMs
    return keepAliveMs !== undefined && keepAliveMs > limitMs ? keepAliveTooLarge(keepAliveMs, limitMs) : undefined
  }

  #scrollLimitProblem(shards: number, { owner }: ContextOrigin): ApiError | undefined {
    const limit = this.#contexts.maxOpenScrolls
    if (this.#contexts.openScrolls + shards <= limit) return undefined
    return tooManyScrolls(limit, this.#contexts.oldestScrolls(OLDEST_SCROLLS_SHOWN, owner))
  }

  #failEvery(shards: readonly { indexName: string; shard: number }[], error: ApiError): ShardFailure[] {
    return shards.map(({ indexName, shard }) => this.#failure(indexName, shard, error))
  }

  #failure(index: string, shard: number, error: ApiError): ShardFailure {
    return { shard, index, node: this.#access.nodeId(), error }
  }

  #lostPointInTime(lost: LostContext): ApiError {
    const failures = lost.shards.map(({ indexName, shard, searchId }) =>
      this.#failure(indexName, shard, contextMissing(searchId)),
    )
    const error = allShardsFailed(failures)
    const context = describeLost(lost, this.#access.context.clock.nowMs())
    if (context === undefined) return error
    const { status, type, message, details, rootCauses } = error
    return new ApiError(status, type, message, { details: { ...details, context }, rootCauses: rootCauses ?? [] })
  }
}

/** Whether a request repeats the newest page because its response was lost. */
function isRepeated({ idStyle, position, isAnswerLost }: ScrollState, idPage: number): boolean {
  if (idStyle === 'newest') return idPage === position.page - 1
  return isAnswerLost && idPage < position.page
}

function lostScroll(lost: LostContext): ApiError {
  return scrollFailure(
    lost.shards.map(({ searchId }) => contextMissing(searchId)),
    describeLost(lost, Date.now()),
  )
}

const NO_NODES = [
  'search_phase_execution_exception',
  'no nodes to search on',
  { details: { phase: 'query', grouped: true, failed_shards: [] }, rootCauses: [] },
] as const
