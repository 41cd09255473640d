/**
 * Endless hits: the first page is a plain search. The second page opens a point in time, so that pages stay consistent
 * during writes. Every page extends it, and `close` closes it.
 */
import { ApiFault, call, segment } from '../api/client.ts'
import type { Json } from '../api/lossless-json.ts'
import { MARK_END, MARK_START } from './marks.ts'

export interface Hit {
  readonly _index: string
  readonly _id: string
  readonly _score?: number | null
  readonly _source?: Record<string, Json>
  readonly sort?: readonly Json[]
  readonly highlight?: Readonly<Record<string, readonly string[]>>
}

export interface SearchAnswer {
  readonly took: number
  readonly hits: {
    readonly total?: { readonly value: number; readonly relation: 'eq' | 'gte' }
    readonly hits: readonly Hit[]
  }
  readonly pit_id?: string
  readonly aggregations?: Record<string, Json>
}

export interface HitsRequest {
  readonly index: string
  readonly query: Json
  /** The sort without a tiebreaker, which is added. */
  readonly sort: readonly Json[]
  readonly hasHighlights: boolean
  /** The parts of documents to return; all of them if absent. */
  readonly source?: Json
}

export const KEEP_ALIVE_MS = 300_000
const KEEP_ALIVE = '5m'

export function searchBody(request: HitsRequest, size: number): Record<string, Json> {
  return {
    size,
    query: request.query,
    sort: request.sort,
    ...(request.source === undefined ? {} : { _source: request.source }),
    ...(request.hasHighlights
      ? {
          highlight: {
            pre_tags: [MARK_START],
            post_tags: [MARK_END],
            number_of_fragments: 0,
            require_field_match: false,
            fields: { '*': {} },
          },
        }
      : {}),
  }
}

/** Reads hits in order, page by page, until there are no more. */
export class HitPages {
  readonly #request: HitsRequest
  #pit: string | undefined
  #after: readonly Json[] | undefined
  #renewedAtMs = 0
  isAtEnd = false
  #isClosed = false

  constructor(request: HitsRequest) {
    this.#request = request
  }

  /** When the point in time expires unless a page is read; undefined while there is none. */
  get endsAtMs(): number | undefined {
    return this.#pit === undefined ? undefined : this.#renewedAtMs + KEEP_ALIVE_MS
  }

  get pit(): string | undefined {
    return this.#pit
  }

  async next(size: number, abort?: AbortSignal): Promise<SearchAnswer> {
    if (this.#pit === undefined) await this.#open()
    let answer: SearchAnswer
    try {
      answer = await this.#page(size, abort)
    } catch (error) {
      // The service was restarted without the point in time, or it was closed. A new one continues after the last hit.
      if (!(error instanceof ApiFault) || error.answer.status !== 404) throw error
      await this.#open()
      answer = await this.#page(size, abort)
    }
    this.#pit = answer.pit_id ?? this.#pit
    this.#renewedAtMs = Date.now()
    const { hits } = answer.hits
    if (hits.length < size) this.isAtEnd = true
    this.#after = hits.at(-1)?.sort ?? this.#after
    return answer
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const id = this.#pit
    this.#pit = undefined
    if (id !== undefined) await call('DELETE', '/_pit', { id }).catch(() => {})
  }

  /** Never aborted, because a point in time whose id is unknown cannot be closed. */
  async #open(): Promise<void> {
    const path = `/${segment(this.#request.index)}/_pit?keep_alive=${KEEP_ALIVE}`
    const { id } = await call<{ id: string }>('POST', path)
    this.#pit = id
    if (this.#isClosed) await this.close()
  }

  #page(size: number, abort: AbortSignal | undefined): Promise<SearchAnswer> {
    const body = {
      ...searchBody(this.#request, size),
      track_total_hits: false,
      pit: { id: this.#pit, keep_alive: KEEP_ALIVE },
      ...(this.#after === undefined ? {} : { search_after: this.#after }),
    }
    return call<SearchAnswer>('POST', '/_search', body, abort)
  }
}
