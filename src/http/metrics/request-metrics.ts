/** Counts requests by route and status, with a histogram of durations per route. */

import type { GatewayStatus } from './gateway-status.ts'
import { SlowSearches } from './slow-searches.ts'

/** Upper bounds of the histogram's buckets, in seconds. */
export const DURATION_BOUNDS: readonly number[] = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
]

export interface RouteCounts {
  readonly method: string
  /** The route pattern, such as `/{index}/_search`. Requests without a route share one entry. */
  readonly route: string
  readonly byStatus: Map<number, number>
  /** Requests per bucket of DURATION_BOUNDS; the last element counts those above all bounds. */
  readonly buckets: Uint32Array
  seconds: number
  count: number
}

const NO_ROUTE = 'unknown'

export class RequestMetrics {
  readonly slowSearches = new SlowSearches()
  /** Set if this service is a gateway. */
  gateway: GatewayStatus | undefined
  /** By method and route: a key of both would be made and hashed for every request. */
  readonly #counts = new Map<string, Map<string, RouteCounts>>()

  /** `route` is the pattern of the matching route; undefined if none matched. */
  countsOf(method: string, route: string | undefined): RouteCounts {
    // The method of a request without a route may be any text, so it must not become a label.
    return route === undefined ? this.#countsOf(NO_ROUTE, NO_ROUTE) : this.#countsOf(method, route)
  }

  record(counts: RouteCounts, status: number, milliseconds: number): void {
    const seconds = milliseconds / 1000
    let bucket = 0
    while (bucket < DURATION_BOUNDS.length && seconds > DURATION_BOUNDS[bucket]!) bucket++
    counts.buckets[bucket]!++
    counts.seconds += seconds
    counts.count++
    counts.byStatus.set(status, (counts.byStatus.get(status) ?? 0) + 1)
  }

  get all(): Iterable<RouteCounts> {
    return [...this.#counts.values()].flatMap((routes) => [...routes.values()])
  }

  #countsOf(method: string, route: string): RouteCounts {
    let routes = this.#counts.get(method)
    if (routes === undefined) this.#counts.set(method, (routes = new Map()))
    let counts = routes.get(route)
    if (counts === undefined) {
      const buckets = new Uint32Array(DURATION_BOUNDS.length + 1)
      counts = { method, route, byStatus: new Map(), buckets, seconds: 0, count: 0 }
      routes.set(route, counts)
    }
    return counts
  }
}
