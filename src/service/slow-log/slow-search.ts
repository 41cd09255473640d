/** Finds the indices of a search whose slow log thresholds it exceeds. */
import { decodeUtf8 } from '../../base/json/json-reader.ts'
import type { LogFields } from '../../base/log.ts'
import type { ScriptCost } from '../../engine/scripts/script-cost.ts'
import type { FlatSettings, IndexMetadata } from '../metadata/metadata.ts'
import { includesUser } from './request-origin.ts'
import { type SlowLevel, SlowThresholds } from './slow-thresholds.ts'

/** A line of the slow log. It is plain data, because searcher threads send it to the main thread. */
export interface SlowSearch {
  readonly phase: 'query' | 'fetch'
  readonly level: SlowLevel
  readonly index: string
  /** Time of the phase over all shards of the search. */
  readonly tookMs: number
  readonly totalHits: number
  readonly totalShards: number
  readonly stats: readonly string[]
  readonly searchType: string
  readonly source: string
  /** The scripts that the phase has run, the most expensive first. */
  readonly scripts: readonly ScriptCost[]
  readonly opaqueId: string | undefined
  readonly requestId: string | undefined
  readonly user: LogFields | undefined
}

/** The request as it was sent, read only when a search was slow. */
export interface SearchOrigin {
  readonly body: Uint8Array | undefined
  readonly opaqueId: string | undefined
  /** The caller in the words of the log; undefined without authentication. */
  readonly user: LogFields | undefined
  requestId(): string
}

export interface TimedSearch {
  readonly indices: Iterable<IndexMetadata>
  readonly queryMs: number
  readonly fetchMs: number
  readonly totalHits: number
  readonly totalShards: number
  readonly stats: readonly string[]
  readonly searchType: string
  readonly origin: SearchOrigin | undefined
  readonly scripts: PhaseScripts
}

/** The scripts of both phases. */
export interface PhaseScripts {
  readonly query: readonly ScriptCost[]
  readonly fetch: readonly ScriptCost[]
}

export const NO_SCRIPTS: PhaseScripts = { query: [], fetch: [] }

interface SearchThresholds {
  readonly query: SlowThresholds | undefined
  readonly fetch: SlowThresholds | undefined
  readonly includesUser: boolean
}

/** Thresholds by the settings they were read from, which are replaced when they change. */
const known = new WeakMap<FlatSettings, SearchThresholds>()

function thresholdsOf({ settings }: IndexMetadata): SearchThresholds {
  let thresholds = known.get(settings)
  if (thresholds === undefined) {
    const read = (phase: string) => SlowThresholds.of(settings, `index.search.slowlog.threshold.${phase}`)
    const shown = includesUser(settings, 'search')
    known.set(settings, (thresholds = { query: read('query'), fetch: read('fetch'), includesUser: shown }))
  }
  return thresholds
}

/** Whether searches over an index can be slow at all. */
export function hasThresholds(index: IndexMetadata): boolean {
  const { query, fetch } = thresholdsOf(index)
  return query !== undefined || fetch !== undefined
}

/** Whether a search over an index has lines in the slow log. Without thresholds, the default, it has none. */
export function isSlow(index: IndexMetadata, queryMs: number, fetchMs: number): boolean {
  const { query, fetch } = thresholdsOf(index)
  return query?.levelOf(queryMs) !== undefined || fetch?.levelOf(fetchMs) !== undefined
}

export function slowSearches(search: TimedSearch): SlowSearch[] {
  const { indices, queryMs, fetchMs, origin, scripts, ...shared } = search
  const slow: SlowSearch[] = []
  let id: string | undefined
  const text = ({ body }: SearchOrigin) => (body === undefined ? '' : decodeUtf8(body, 0, body.length))
  for (const index of indices) {
    const { query, fetch, includesUser: showsUser } = thresholdsOf(index)
    const queryLevel = query?.levelOf(queryMs)
    const fetchLevel = fetch?.levelOf(fetchMs)
    if (queryLevel === undefined && fetchLevel === undefined) continue
    id ??= origin?.requestId()
    const about = {
      ...shared,
      index: index.name,
      source: origin === undefined ? '' : text(origin),
      opaqueId: origin?.opaqueId,
      requestId: id,
      user: showsUser ? origin?.user : undefined,
    }
    if (queryLevel !== undefined) {
      slow.push({ phase: 'query', level: queryLevel, tookMs: queryMs, scripts: scripts.query, ...about })
    }
    if (fetchLevel !== undefined) {
      slow.push({ phase: 'fetch', level: fetchLevel, tookMs: fetchMs, scripts: scripts.fetch, ...about })
    }
  }
  return slow
}
