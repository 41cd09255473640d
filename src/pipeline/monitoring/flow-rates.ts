/**
 * Rates of a pipeline and its plugins, as Logstash's flow metrics: events per second, and shares of the time of workers.
 * Counters are captured every few seconds; a rate is told for each window of time that has passed since the start.
 */
import type { QueueState } from '../plugin/event-queue.ts'
import type { PipelineMetrics, PluginTimes } from '../runner/metrics.ts'
import { CounterHistory, WINDOWS } from './counter-history.ts'

/** By window; also `lifetime`. A rate whose denominator did not grow is left out, or infinite. */
export type Rate = Readonly<Record<string, number | 'Infinity' | '-Infinity'>>

export interface Monitored {
  readonly metrics: PipelineMetrics
  readonly workers: number
  readonly queue: QueueState | undefined
}

interface Sample {
  readonly atMs: number
  readonly in: number
  readonly filtered: number
  readonly out: number
  readonly pushMs: number
  readonly busyMs: number
  readonly queueEvents: number
  readonly queueBytes: number
  readonly plugins: readonly PluginTimes[]
}

type Read = (sample: Sample) => number

/** Flows of a whole node are the sums of these. */
const SUMMED = [
  'input_throughput',
  'filter_throughput',
  'output_throughput',
  'queue_backpressure',
  'worker_concurrency',
]
/** Logstash tells rates with four digits. */
const DIGITS = 4

export class FlowRates {
  /** A reload starts over with new metrics. */
  readonly #histories = new WeakMap<PipelineMetrics, CounterHistory<Sample>>()

  capture(monitored: Monitored, nowMs = performance.now()): void {
    this.#historyOf(monitored).capture(sampleOf(monitored, nowMs))
  }

  of(monitored: Monitored, nowMs = performance.now()): Record<string, Rate> {
    const rate = this.#rates(monitored, nowMs)
    const { workers, queue } = monitored
    const seconds: Read = ({ atMs }) => atMs / 1000
    const ms: Read = ({ atMs }) => atMs
    return {
      input_throughput: rate((sample) => sample.in, seconds),
      filter_throughput: rate((sample) => sample.filtered, seconds),
      output_throughput: rate((sample) => sample.out, seconds),
      // The time that inputs waited for the queue, and the number of batches at once.
      queue_backpressure: rate((sample) => sample.pushMs, ms),
      worker_concurrency: rate((sample) => sample.busyMs, ms),
      worker_utilization: rate(
        (sample) => sample.busyMs * 100,
        (sample) => sample.atMs * workers,
      ),
      ...(queue?.type === 'persisted'
        ? {
            queue_persisted_growth_bytes: rate((sample) => sample.queueBytes, seconds),
            queue_persisted_growth_events: rate((sample) => sample.queueEvents, seconds),
          }
        : {}),
    }
  }

  /** The flows of plugins, in the order of `PipelineMetrics.times`. */
  ofPlugins(monitored: Monitored, nowMs = performance.now()): Record<string, Rate>[] {
    const rate = this.#rates(monitored, nowMs)
    return monitored.metrics.times().map(({ kind }, i): Record<string, Rate> => {
      const count: Read = ({ plugins }) => plugins[i]?.events ?? 0
      const spent: Read = ({ plugins }) => plugins[i]?.durationMs ?? 0
      if (kind === 'input') return { throughput: rate(count, ({ atMs }) => atMs / 1000) }
      return {
        worker_utilization: rate(
          (sample) => spent(sample) * 100,
          ({ atMs }) => atMs * monitored.workers,
        ),
        worker_millis_per_event: rate(spent, count),
      }
    })
  }

  ofAll(all: readonly Monitored[], nowMs = performance.now()): Record<string, Rate> {
    const sums: Record<string, Record<string, number>> = {}
    for (const name of SUMMED) sums[name] = {}
    for (const monitored of all) {
      const flow = this.of(monitored, nowMs)
      for (const name of SUMMED) {
        for (const [window, value] of Object.entries(flow[name]!)) {
          if (typeof value === 'number') sums[name]![window] = limited((sums[name]![window] ?? 0) + value)
        }
      }
    }
    return sums
  }

  #rates(monitored: Monitored, nowMs: number): (numerator: Read, denominator: Read) => Rate {
    const history = this.#historyOf(monitored)
    const now = sampleOf(monitored, nowMs)
    const bases = WINDOWS.flatMap(([name, lengthMs]) => {
      const base = history.before(nowMs, lengthMs)
      // The current rate of a pipeline that has just started is that since its start.
      return base !== undefined ? [{ name, base }] : name === 'current' ? [{ name, base: history.start }] : []
    })
    bases.push({ name: 'lifetime', base: history.start })
    return (numerator, denominator) => {
      const rate: Record<string, number | 'Infinity' | '-Infinity'> = {}
      for (const { name, base } of bases) {
        const value = ratio(numerator(now) - numerator(base), denominator(now) - denominator(base))
        if (value !== undefined) rate[name] = value
      }
      return rate
    }
  }

  #historyOf({ metrics }: Monitored): CounterHistory<Sample> {
    let history = this.#histories.get(metrics)
    if (history === undefined) {
      const { startMs: atMs } = metrics
      const nothing = { in: 0, filtered: 0, out: 0, pushMs: 0, busyMs: 0, queueEvents: 0, queueBytes: 0, plugins: [] }
      history = new CounterHistory({ atMs, ...nothing })
      this.#histories.set(metrics, history)
    }
    return history
  }
}

function sampleOf({ metrics, queue }: Monitored, atMs: number): Sample {
  return {
    atMs,
    in: metrics.in,
    filtered: metrics.filtered,
    out: metrics.out,
    pushMs: metrics.queuePushMs,
    busyMs: metrics.durationMs,
    queueEvents: queue?.events ?? 0,
    queueBytes: queue?.bytes ?? 0,
    plugins: metrics.times(),
  }
}

function ratio(numerator: number, denominator: number): number | 'Infinity' | '-Infinity' | undefined {
  if (denominator !== 0) return limited(numerator / denominator)
  return numerator === 0 ? undefined : numerator > 0 ? 'Infinity' : '-Infinity'
}

const limited = (value: number) => Number(value.toPrecision(DIGITS))
