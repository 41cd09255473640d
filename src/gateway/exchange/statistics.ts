/** Counts requests by the way they took, the differences that were bridged, and the time that the gateway adds. */
export type WayKind = 'pass' | 'rewrite' | 'own'

export const WAYS: readonly WayKind[] = ['pass', 'rewrite', 'own']

/** Buckets of added time: four for each doubling, from one microsecond on. */
const PER_DOUBLING = 4
const BUCKETS = 128

export interface WayCounts {
  readonly requests: number
  /** Time in the gateway and in the cluster. */
  readonly ms: number
  /** Time in the gateway alone. */
  readonly addedMs: number
}

class Counted implements WayCounts {
  requests = 0
  ms = 0
  addedMs = 0
  readonly buckets = new Uint32Array(BUCKETS)
}

export class GatewayStatistics {
  readonly #ways: Readonly<Record<WayKind, Counted>> = {
    pass: new Counted(),
    rewrite: new Counted(),
    own: new Counted(),
  }
  readonly #differences = new Map<string, number>()

  /** `clusterMs` is the part of the time in which the gateway waited for the cluster. */
  count(way: WayKind, ms: number, clusterMs: number): void {
    const counted = this.#ways[way]
    const addedMs = Math.max(0, ms - clusterMs)
    counted.requests++
    counted.ms += ms
    counted.addedMs += addedMs
    const bucket = Math.floor(Math.log2(Math.max(1, addedMs * 1000)) * PER_DOUBLING)
    counted.buckets[Math.min(BUCKETS - 1, bucket)]!++
  }

  /** Counts a difference between the cluster and Elasticsearch that was bridged. */
  met(difference: string): void {
    this.#differences.set(difference, (this.#differences.get(difference) ?? 0) + 1)
  }

  get ways(): Readonly<Record<WayKind, WayCounts>> {
    return this.#ways
  }

  get differences(): ReadonlyMap<string, number> {
    return this.#differences
  }

  /** The added time that a part of the requests stays below, in microseconds; 0 without requests. */
  addedMicros(way: WayKind, part: number): number {
    const { buckets, requests } = this.#ways[way]
    const wanted = requests * part
    let seen = 0
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      seen += buckets[bucket]!
      if (seen > 0 && seen >= wanted) return Math.round(2 ** ((bucket + 1) / PER_DOUBLING))
    }
    return 0
  }
}
