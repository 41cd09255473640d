/**
 * Counters of indexing and searching over the last hour, for the charts of the console. While no request comes, the last
 * counters are repeated and no shard is asked.
 */
import type { SandpiperNode } from '../../service/sandpiper-node.ts'
import type { RequestMetrics } from './request-metrics.ts'

export interface ActivityCounters {
  readonly indexed: number
  readonly searches: number
  readonly searchMs: number
}

export interface ActivitySample extends ActivityCounters {
  readonly atMs: number
}

interface Sources {
  readonly nowMs: () => number
  /** The number of requests so far. */
  readonly requests: () => number
  readonly counters: () => Promise<ActivityCounters>
}

interface CountedSections {
  readonly indexing: { readonly index_total: number }
  readonly search: { readonly query_total: number; readonly query_time_in_millis: number }
}

const SAMPLE_MS = 10_000
const HOUR_MS = 3_600_000

export class ActivityHistory {
  readonly #sources: Sources
  #samples: ActivitySample[] = []
  #requests = -1
  #isAsking = false
  #timer: NodeJS.Timeout | undefined

  constructor(sources: Sources) {
    this.#sources = sources
  }

  start(): void {
    this.#timer = setInterval(() => void this.sample(), SAMPLE_MS)
    this.#timer.unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** The samples of the last hour, the oldest first. */
  get samples(): readonly ActivitySample[] {
    const sinceMs = this.#sources.nowMs() - HOUR_MS
    return this.#samples.filter(({ atMs }) => atMs >= sinceMs)
  }

  /** Takes a sample, unless the shards have not answered the last one. */
  async sample(): Promise<void> {
    if (this.#isAsking) return
    this.#isAsking = true
    try {
      const { nowMs, requests, counters } = this.#sources
      const count = requests()
      const last = this.#samples.at(-1)
      const now = last !== undefined && count === this.#requests ? last : await counters()
      this.#samples = [...this.samples, { ...now, atMs: nowMs() }]
      this.#requests = count
    } catch {
      // A chart with a gap: the shards cannot be asked while their thread is replaced.
    } finally {
      this.#isAsking = false
    }
  }
}

/** The history of a node, which asks all of its shards. */
export function activityOf(node: SandpiperNode, metrics: RequestMetrics): ActivityHistory {
  return new ActivityHistory({
    nowMs: Date.now,
    requests: () => metrics.requestCount,
    counters: async () => {
      const { indexing, search } = (await node.stats.overall({
        metrics: ['indexing', 'search'],
      })) as never as CountedSections
      return { indexed: indexing.index_total, searches: search.query_total, searchMs: search.query_time_in_millis }
    },
  })
}
