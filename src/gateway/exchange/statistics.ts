/** Counts requests by the way they took, and the time that the gateway and the cluster took together. */
export type WayKind = 'pass' | 'rewrite' | 'own'

export class GatewayStatistics {
  readonly #ways: Record<WayKind, { requests: number; ms: number }> = {
    pass: { requests: 0, ms: 0 },
    rewrite: { requests: 0, ms: 0 },
    own: { requests: 0, ms: 0 },
  }

  count(way: WayKind, startedMs: number): void {
    const counted = this.#ways[way]
    counted.requests++
    counted.ms += performance.now() - startedMs
  }

  get ways(): Readonly<Record<WayKind, { readonly requests: number; readonly ms: number }>> {
    return this.#ways
  }
}
