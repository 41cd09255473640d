/**
 * Endpoints of Elasticsearch that Sandpiper does not have. Their error says that the endpoint is missing, instead of an
 * invalid path or method. The requests are counted, to show which APIs the users of this node miss.
 */
import { isDocumentPath } from './request-target.ts'
import type { HttpResponse } from './response.ts'

/** The page of the manual that lists supported and missing features. */
const MANUAL = 'docs/compatibility.md'

/** Missing APIs: first path segments below the root, and path segments after an index. */
const AT_ROOT = [
  'application',
  'autoscaling',
  'ccr',
  'connector',
  'data_frame',
  'enrich',
  'eql',
  'esql',
  'fleet',
  'graph',
  'inference',
  'internal',
  'knn_search',
  'logstash',
  'migration',
  'ml',
  'monitoring',
  'mvt',
  'profiling',
  'query',
  'query_rules',
  'rollup',
  'search_application',
  'searchable_snapshots',
  'slm',
  'sql',
  'ssl',
  'synonyms',
  'text_structure',
  'transform',
  'watcher',
]
const BEHIND_INDEX = [
  'ccr',
  'downsample',
  'eql',
  'graph',
  'knn_search',
  'migration',
  'mvt',
  'rollup',
  'rollup_search',
  'searchable_snapshots',
]

const PATTERN = new RegExp(`^/(?:_(${AT_ROOT.join('|')})|[^/_][^/]*/_(${BEHIND_INDEX.join('|')}))(?:/|$)`)

export interface UnsupportedCount {
  readonly method: string
  readonly endpoint: string
  count: number
  lastSeenMs: number
}

export class UnsupportedEndpoints {
  readonly #counts = new Map<string, UnsupportedCount>()
  /** The last other path: clients repeat their paths. */
  #lastSupported = ''

  /** The response for an unsupported endpoint; undefined for all other paths. */
  answer(method: string, path: string, clock: () => number = Date.now): HttpResponse | undefined {
    if (path === this.#lastSupported || isDocumentPath(path)) return undefined
    const match = PATTERN.exec(path)
    if (match === null) {
      this.#lastSupported = path
      return undefined
    }
    const nowMs = clock()
    const endpoint = endpointOf(match)
    const key = `${method} ${endpoint}`
    const known = this.#counts.get(key)
    if (known === undefined) this.#counts.set(key, { method, endpoint, count: 1, lastSeenMs: nowMs })
    else {
      known.count++
      known.lastSeenMs = nowMs
    }
    const reason = `[${endpoint}] is not supported by Sandpiper; see ${MANUAL} for what is`
    const error = { type: 'unsupported_operation_exception', reason }
    return { status: 400, isError: true, body: { error: { root_cause: [error], ...error }, status: 400 } }
  }

  /** Counts by endpoint, the most frequent first. */
  get counts(): UnsupportedCount[] {
    return [...this.#counts.values()].sort((a, b) => b.count - a.count || (a.endpoint < b.endpoint ? -1 : 1))
  }
}

const endpointOf = ([, atRoot, behindIndex]: RegExpExecArray): string =>
  atRoot !== undefined ? `/_${atRoot}` : `/{index}/_${behindIndex}`
