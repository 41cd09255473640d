/** Event rates of a pipeline, since its start and recent. */
import type { PipelineMetrics } from './metrics.ts'

/** The length of the recent window. */
const WINDOW_MS = 10_000

interface Sample {
  readonly atMs: number
  readonly in: number
  readonly filtered: number
  readonly out: number
  readonly pushMs: number
  readonly busyMs: number
}

interface Rate {
  readonly current: number
  readonly lifetime: number
}

export class FlowRates {
  /** The last two samples at least one window apart, per pipeline. A reload starts over with new metrics. */
  readonly #samples = new WeakMap<PipelineMetrics, { before: Sample; last: Sample }>()

  /** The sums over all pipelines of a node. */
  ofAll(all: readonly PipelineMetrics[], nowMs = performance.now()): Record<string, Rate> {
    const sums: Record<string, Rate> = {}
    for (const metrics of all) {
      for (const [name, { current, lifetime }] of Object.entries(this.of(metrics, nowMs))) {
        const { current: before, lifetime: past } = sums[name] ?? { current: 0, lifetime: 0 }
        sums[name] = { current: before + current, lifetime: past + lifetime }
      }
    }
    return sums
  }

  /** Expected to be called every few seconds: the "current" rate is measured between samples. */
  of(metrics: PipelineMetrics, nowMs = performance.now()): Record<string, Rate> {
    const now = sampleOf(metrics, nowMs)
    const start: Sample = { atMs: metrics.startMs, in: 0, filtered: 0, out: 0, pushMs: 0, busyMs: 0 }
    const kept = this.#samples.get(metrics) ?? { before: start, last: start }
    if (now.atMs - kept.last.atMs >= WINDOW_MS) this.#samples.set(metrics, { before: kept.last, last: now })
    const from = now.atMs - kept.last.atMs >= WINDOW_MS ? kept.last : kept.before
    const rate = (pick: (sample: Sample) => number, perSecond: number): Rate => ({
      current: ratio(pick(now) - pick(from), now.atMs - from.atMs, perSecond),
      lifetime: ratio(pick(now), now.atMs - start.atMs, perSecond),
    })
    return {
      input_throughput: rate((sample) => sample.in, 1000),
      filter_throughput: rate((sample) => sample.filtered, 1000),
      output_throughput: rate((sample) => sample.out, 1000),
      // The fraction of time inputs waited for the queue, and the number of concurrent batches.
      queue_backpressure: rate((sample) => sample.pushMs, 1),
      worker_concurrency: rate((sample) => sample.busyMs, 1),
    }
  }
}

function sampleOf(metrics: PipelineMetrics, atMs: number): Sample {
  return {
    atMs,
    in: metrics.in,
    filtered: metrics.filtered,
    out: metrics.out,
    pushMs: metrics.queuePushMs,
    busyMs: metrics.durationMs,
  }
}

function ratio(amount: number, ms: number, perSecond: number): number {
  return ms <= 0 ? 0 : Math.round((amount / ms) * perSecond * 1000) / 1000
}
