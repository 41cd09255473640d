/**
 * `profile` of aggregations: the time that each aggregator spends in each of its stages, and its debug output. Profiling wraps
 * the methods of an aggregator, so that aggregators have no code for it and a search without `profile` pays nothing.
 */
import type { Aggregation, SegmentCollector, ShardAggregator } from './aggregation.ts'

const STAGES = ['initialize', 'build_leaf_collector', 'collect', 'post_collection', 'build_aggregation'] as const
type Stage = (typeof STAGES)[number]

export class AggregationProfile {
  readonly type: string
  readonly description: string
  readonly children: AggregationProfile[] = []
  readonly #nanos = new Map<Stage, number>()
  readonly #counts = new Map<Stage, number>()
  #debug: () => Record<string, unknown> = () => ({})

  constructor({ kind, name }: Aggregation) {
    const words = kind.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    this.type = `${words.join('')}Aggregator`
    this.description = name
  }

  /** Runs one step of a stage. */
  timed<Result>(stage: Stage, step: () => Result): Result {
    const begin = process.hrtime.bigint()
    try {
      return step()
    } finally {
      this.#nanos.set(stage, (this.#nanos.get(stage) ?? 0) + Number(process.hrtime.bigint() - begin))
      this.#counts.set(stage, (this.#counts.get(stage) ?? 0) + 1)
    }
  }

  watch(aggregator: ShardAggregator): ShardAggregator {
    const { segment, finish, result } = aggregator
    aggregator.segment = (view) => {
      const collector = this.timed('build_leaf_collector', () => segment.call(aggregator, view))
      return collector === undefined ? undefined : this.#watched(collector)
    }
    aggregator.finish = () => this.timed('post_collection', () => finish.call(aggregator))
    aggregator.result = (bucket) => this.timed('build_aggregation', () => result.call(aggregator, bucket))
    this.#debug = () => aggregator.debug?.() ?? {}
    return aggregator
  }

  #watched(collector: SegmentCollector): SegmentCollector {
    return {
      collect: (docs, buckets, count, isRun) =>
        this.timed('collect', () => collector.collect(docs, buckets, count, isRun)),
      end: () => collector.end?.(),
      get done() {
        return collector.done === true
      },
    }
  }

  toJson(): Record<string, unknown> {
    const breakdown: Record<string, number> = { reduce: 0, reduce_count: 0 }
    for (const stage of STAGES) {
      breakdown[stage] = this.#nanos.get(stage) ?? 0
      breakdown[`${stage}_count`] = this.#counts.get(stage) ?? 0
    }
    return {
      type: this.type,
      description: this.description,
      time_in_nanos: [...this.#nanos.values()].reduce((sum, nanos) => sum + nanos, 0),
      breakdown,
      debug: { ...this.#debug(), built_buckets: this.#counts.get('build_aggregation') ?? 0 },
      children: this.children.length === 0 ? undefined : this.children.map((child) => child.toJson()),
    }
  }
}

/** The profiles of a tree while it is planned: an aggregation plans its children inside its own planning. */
export class AggregationProfiler {
  readonly top: AggregationProfile[] = []
  #siblings = this.top

  plan(aggregation: Aggregation, plan: () => ShardAggregator): ShardAggregator {
    const profile = new AggregationProfile(aggregation)
    const siblings = this.#siblings
    siblings.push(profile)
    this.#siblings = profile.children
    try {
      return profile.watch(profile.timed('initialize', plan))
    } finally {
      this.#siblings = siblings
    }
  }
}
