/** Counts requests by route and status, with a histogram of durations per route. */

import type { ActivityHistory } from './activity-history.ts'
import type { GatewayStatus } from './gateway-status.ts'
import { SlowSearches } from './slow-searches.ts'

/** Upper bounds of the histogram's buckets, in seconds. */
export const DURATION_BOUNDS: readonly number[] = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
]

export class RouteCounts {
  readonly method: string
  /** The route pattern, such as `/{index}/_search`. Requests without a route share one entry. */
  readonly route: string
  readonly byStatus = new Map<number, number>()
  /** Requests per bucket of DURATION_BOUNDS; the last element counts those above all bounds. */
  readonly buckets = new Uint32Array(DURATION_BOUNDS.length + 1)
  count = 0
  /**
   * In an array, because a member that is 0 first and a fraction later changes the shape of its object. V8 would then try to
   * optimize the functions that handle the counts, and give up, several times a second for as long as requests come.
   */
  readonly #seconds = new Float64Array(1)

  constructor(method: string, route: string) {
    this.method = method
    this.route = route
  }

  get seconds(): number {
    return this.#seconds[0]!
  }

  record(status: number, milliseconds: number): void {
    const seconds = milliseconds / 1000
    let bucket = 0
    while (bucket < DURATION_BOUNDS.length && seconds > DURATION_BOUNDS[bucket]!) bucket++
    this.buckets[bucket]!++
    this.#seconds[0]! += seconds
    this.count++
    this.byStatus.set(status, (this.byStatus.get(status) ?? 0) + 1)
  }
}

const NO_ROUTE = 'unknown'

export class RequestMetrics {
  readonly slowSearches = new SlowSearches()
  /** Set if this service is a gateway. */
  gateway: GatewayStatus | undefined
  /** Undefined without a socket, and in a gateway, which has no documents. */
  activity: ActivityHistory | undefined
  /** By method and route: a key of both would be made and hashed for every request. */
  readonly #counts = new Map<string, Map<string, RouteCounts>>()

  /** `route` is the pattern of the matching route; undefined if none matched. */
  countsOf(method: string, route: string | undefined): RouteCounts {
    // The method of a request without a route may be any text, so it must not become a label.
    return route === undefined ? this.#countsOf(NO_ROUTE, NO_ROUTE) : this.#countsOf(method, route)
  }

  get all(): Iterable<RouteCounts> {
    return [...this.#counts.values()].flatMap((routes) => [...routes.values()])
  }

  get requestCount(): number {
    let count = 0
    for (const routes of this.#counts.values()) for (const route of routes.values()) count += route.count
    return count
  }

  #countsOf(method: string, route: string): RouteCounts {
    let routes = this.#counts.get(method)
    if (routes === undefined) this.#counts.set(method, (routes = new Map()))
    let counts = routes.get(route)
    if (counts === undefined) {
      counts = new RouteCounts(method, route)
      routes.set(route, counts)
    }
    return counts
  }
}
