/**
 * The hits of the table. The first page is loaded at once, others when they become visible. A new search discards
 * pending responses of the previous one.
 */
import { signal } from '@preact/signals'
import { call, segment } from '../../api/client.ts'
import { type Hit, HitPages, type HitsRequest, type SearchAnswer, searchBody } from '../../documents/hits.ts'

export interface Hits {
  readonly request: HitsRequest | undefined
  readonly rows: readonly Hit[]
  readonly total: { readonly value: number; readonly isExact: boolean } | undefined
  readonly tookMs: number
  readonly isLoading: boolean
  readonly isAtEnd: boolean
  /** When the point in time expires; undefined while there is none. */
  readonly endsAtMs: number | undefined
  readonly failure: unknown
}

const FIRST_PAGE = 200
const PAGE = 1000
/** The table keeps at most this many rows. An export reads all of them. */
export const ROWS_MAX = 400_000

const NONE: Hits = {
  request: undefined,
  rows: [],
  total: undefined,
  tookMs: 0,
  isLoading: false,
  isAtEnd: false,
  endsAtMs: undefined,
  failure: undefined,
}

export const hits = signal<Hits>(NONE)

let abort: AbortController | undefined
let pages: HitPages | undefined
let loading: Promise<void> | undefined

export async function search(request: HitsRequest): Promise<void> {
  stop()
  abort = new AbortController()
  const { signal: own } = abort
  // The previous hits stay visible until the response arrives.
  hits.value = { ...hits.value, request, isLoading: true, failure: undefined }
  try {
    const body = searchBody(request, FIRST_PAGE)
    const answer = await call<SearchAnswer>('POST', `/${segment(request.index)}/_search`, body, own)
    if (own.aborted) return
    const rows = answer.hits.hits
    const { total } = answer.hits
    hits.value = {
      ...NONE,
      request,
      rows,
      total: total === undefined ? undefined : { value: total.value, isExact: total.relation === 'eq' },
      tookMs: answer.took,
      isAtEnd: rows.length < FIRST_PAGE,
    }
  } catch (failure) {
    if (!own.aborted) hits.value = { ...NONE, request, failure }
  }
}

/** Loads the next page. For the second page a point in time is opened, and the first page is read again through it. */
export function more(): Promise<void> {
  const { request, isAtEnd, isLoading, rows } = hits.value
  if (request === undefined || isAtEnd || isLoading || abort === undefined || rows.length >= ROWS_MAX)
    return Promise.resolve()
  loading ??= load(request, abort.signal).finally(() => (loading = undefined))
  return loading
}

async function load(request: HitsRequest, own: AbortSignal): Promise<void> {
  try {
    const isFirst = pages === undefined
    pages ??= new HitPages(request)
    const answer = await pages.next(PAGE, own)
    if (own.aborted) return
    const rows = isFirst ? answer.hits.hits : [...hits.value.rows, ...answer.hits.hits]
    hits.value = { ...hits.value, rows, isAtEnd: pages.isAtEnd, endsAtMs: pages.endsAtMs }
  } catch (failure) {
    if (!own.aborted) hits.value = { ...hits.value, failure }
  }
}

/** Loads pages until the row is available or there are no more. */
export async function loadUntil(row: number): Promise<void> {
  while (hits.value.rows.length <= row && !hits.value.isAtEnd && hits.value.failure === undefined) {
    const before = hits.value.rows.length
    await more()
    if (hits.value.rows.length === before && loading === undefined && pages === undefined) return
  }
}

export async function countExactly(): Promise<void> {
  const { request } = hits.value
  if (request === undefined) return
  const { count } = await call<{ count: number }>('POST', `/${segment(request.index)}/_count`, { query: request.query })
  hits.value = { ...hits.value, total: { value: count, isExact: true } }
}

window.addEventListener('pagehide', () => stop())

/** Cancels running requests and closes the point in time. */
export function stop(): void {
  abort?.abort()
  abort = undefined
  const old = pages
  pages = undefined
  loading = undefined
  void old?.close()
}

export function forget(): void {
  stop()
  hits.value = NONE
}
