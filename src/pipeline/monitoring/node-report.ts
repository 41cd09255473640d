/** The contents of monitoring API responses about this process and its pipelines, by path. */
import { createHash, randomUUID } from 'node:crypto'
import { arch, availableParallelism, release, type } from 'node:os'
import type { QueueState } from '../plugin/event-queue.ts'
import { CODECS, FILTERS, INPUTS, OUTPUTS } from '../registry/registry.ts'
import type { Stall } from '../runner/batch-watch.ts'
import type { PipelineMetrics } from '../runner/metrics.ts'
import type { FilterTap } from '../runner/program.ts'
import type { ReloadCounts } from '../runner/reload.ts'
import { FlowRates } from './flow-rates.ts'
import { containerStats, processStats, runtimeInfo, runtimeStats } from './process-report.ts'

export interface MonitoredPipeline {
  readonly id: string
  readonly workers: number
  readonly batchSize: number
  readonly batchDelayMs: number
  readonly reloads: Readonly<ReloadCounts>
  /** Undefined without `-r`. */
  readonly reloadIntervalMs: number | undefined
  readonly hasDeadLetters: boolean
  readonly configText: string
  readonly queue: QueueState | undefined
  /** Undefined while the pipeline does not run, for example because its configuration is invalid. */
  readonly metrics: PipelineMetrics | undefined
  /** What batches of the pipeline wait for longer than they should. */
  readonly stalls: readonly Stall[]
  /** Shows the events of a filter until the returned function is called; undefined if there is no such filter. */
  tap?(filter: string, listener: FilterTap): (() => void) | undefined
}

type Report = Record<string, unknown>

const HEALTH = {
  green: 'The node is healthy',
  yellow: 'The node is degraded: a batch does not move',
  red: 'The node is unhealthy: a pipeline does not run',
} as const

export class NodeReport {
  readonly #pipelines: () => readonly MonitoredPipeline[]
  readonly #version: string
  readonly #flow = new FlowRates()
  readonly #startMs = Date.now()
  readonly ephemeralId = randomUUID()

  constructor(pipelines: () => readonly MonitoredPipeline[], version: string) {
    this.#pipelines = pipelines
    this.#version = version
  }

  /** Captures the counters that rates are told from; expected every few seconds. */
  capture(): void {
    for (const pipeline of this.#pipelines()) if (runs(pipeline)) this.#flow.capture(pipeline)
  }

  /** The common head of every response, except the node's identity. */
  head(): Report {
    const [first] = this.#pipelines()
    return {
      ephemeral_id: this.ephemeralId,
      snapshot: false,
      status: this.#status(),
      pipeline: { workers: first?.workers, batch_size: first?.batchSize, batch_delay: first?.batchDelayMs },
    }
  }

  /** Undefined for an unknown path. */
  at(path: string): Report | undefined {
    const [, root = '', area = '', part = '', name = ''] = path.split('/')
    if (path === '/') return { build_snapshot: false, sandpiper_version: this.#version }
    if (path === '/_health_report') return this.#health()
    if (root !== '_node') return undefined
    if (area === 'stats') return select(this.#stats(), part, name)
    if (area === 'plugins' && part === '') return this.#plugins()
    const info = {
      pipelines: this.#byId((pipeline) => this.#describe(pipeline)),
      os: this.#os(),
      jvm: runtimeInfo(this.#startMs),
    }
    return select(info, area, part)
  }

  /**
   * Logstash's text report of hot threads. The operating system counts CPU time per process, so the process is reported
   * as one thread.
   */
  hotThreads(): { readonly report: Report; readonly text: string } {
    const time = new Date().toISOString()
    const { user, system } = process.cpuUsage()
    const percent = Math.round(((user + system) / 1000 / (Date.now() - this.#startMs)) * 10_000) / 100
    const threads = [{ name: 'main', thread_id: 1, percent_of_cpu_time: percent, state: 'runnable', traces: [] }]
    const head = `::: {}\nHot threads at ${time}, busiestThreads=${threads.length}:\n${'='.repeat(80)}\n`
    return {
      report: { hot_threads: { time, busiest_threads: threads.length, threads } },
      text: `${head}${percent} % of cpu usage, state: runnable, thread name: 'main'\n`,
    }
  }

  #status(): keyof typeof HEALTH {
    const pipelines = this.#pipelines()
    if (pipelines.some(({ metrics }) => metrics === undefined)) return 'red'
    return pipelines.some(({ stalls }) => stalls.length > 0) ? 'yellow' : 'green'
  }

  #health(): Report {
    const indicators = this.#byId(({ metrics, stalls: [stall] }) => ({
      status: metrics === undefined ? 'red' : stall === undefined ? 'green' : 'yellow',
      symptom:
        metrics === undefined
          ? 'The pipeline is unhealthy'
          : stall === undefined
            ? 'The pipeline is healthy'
            : `A batch has not moved for ${stall.seconds} s in ${stall.kind} ${stall.name}`,
      details: { status: { state: metrics === undefined ? 'TERMINATED' : 'RUNNING' } },
    }))
    const symptom = HEALTH[this.#status()]
    const pipelines = { status: this.#status(), symptom: symptom.replace('node', 'set of pipelines'), indicators }
    return { symptom, indicators: { pipelines } }
  }

  #describe({ workers, batchSize, batchDelayMs, reloadIntervalMs, hasDeadLetters, configText }: MonitoredPipeline) {
    return {
      ephemeral_id: this.ephemeralId,
      hash: hashOf(configText),
      workers,
      batch_size: batchSize,
      batch_delay: batchDelayMs,
      config_reload_automatic: reloadIntervalMs !== undefined,
      config_reload_interval: (reloadIntervalMs ?? 3000) * 1_000_000,
      dead_letter_queue_enabled: hasDeadLetters,
    }
  }

  #os() {
    return { name: type(), arch: arch(), version: release(), available_processors: availableParallelism() }
  }

  #plugins(): Report {
    const plugins = Object.entries({ codec: CODECS, filter: FILTERS, input: INPUTS, output: OUTPUTS }).flatMap(
      ([kind, all]) =>
        Object.keys(all)
          .sort()
          .map((name) => ({ name: `logstash-${kind}-${name}`, version: this.#version })),
    )
    return { total: plugins.length, plugins }
  }

  #stats() {
    const pipelines = this.#pipelines()
    const sum = (pick: (metrics: PipelineMetrics) => number) =>
      Math.round(pipelines.reduce((total, { metrics }) => total + (metrics === undefined ? 0 : pick(metrics)), 0))
    const workers = pipelines.reduce((total, one) => total + one.workers, 0)
    return {
      jvm: runtimeStats(this.#startMs, workers),
      process: processStats(this.#startMs),
      events: {
        in: sum((metrics) => metrics.in),
        filtered: sum((metrics) => metrics.filtered),
        out: sum((metrics) => metrics.out),
        duration_in_millis: sum((metrics) => metrics.durationMs),
        queue_push_duration_in_millis: sum((metrics) => metrics.queuePushMs),
      },
      flow: this.#flow.ofAll(pipelines.filter(runs)),
      queue: {
        events_count: pipelines.reduce(
          (total, { queue }) => total + (queue?.type === 'persisted' ? queue.events : 0),
          0,
        ),
      },
      pipelines: this.#byId((pipeline) => this.#pipelineStats(pipeline)),
      reloads: {
        successes: pipelines.reduce((total, { reloads }) => total + reloads.successes, 0),
        failures: pipelines.reduce((total, { reloads }) => total + reloads.failures, 0),
      },
      os: containerStats(),
    }
  }

  #pipelineStats(pipeline: MonitoredPipeline) {
    const { reloads, configText, stalls } = pipeline
    const running = runs(pipeline) ? pipeline : undefined
    return {
      events: running?.metrics.events(),
      flow: running === undefined ? {} : this.#flow.of(running),
      plugins: running?.metrics.plugins(this.#flow.ofPlugins(running)),
      reloads: {
        successes: reloads.successes,
        failures: reloads.failures,
        last_success_timestamp: timeText(reloads.lastSuccessMs),
        last_failure_timestamp: timeText(reloads.lastFailureMs),
        last_error: reloads.lastError === undefined ? null : { message: reloads.lastError, backtrace: null },
      },
      queue: describeQueue(pipeline.queue),
      stalled_batches: stalls.map(({ kind, name, id, events, seconds }) => ({
        waits_for: { kind, name, id },
        events,
        seconds,
      })),
      hash: hashOf(configText),
      ephemeral_id: this.ephemeralId,
    }
  }

  #byId(describe: (pipeline: MonitoredPipeline) => unknown): Report {
    return Object.fromEntries(this.#pipelines().map((pipeline) => [pipeline.id, describe(pipeline)]))
  }
}

function runs(pipeline: MonitoredPipeline): pipeline is MonitoredPipeline & { readonly metrics: PipelineMetrics } {
  return pipeline.metrics !== undefined
}

function describeQueue(queue: QueueState | undefined): Report {
  const sizes = {
    events_count: queue?.events ?? 0,
    queue_size_in_bytes: queue?.bytes ?? 0,
    max_queue_size_in_bytes: queue?.bytesMax ?? 0,
  }
  if (queue?.type !== 'persisted') return { type: queue?.type, ...sizes }
  const { max_queue_size_in_bytes, queue_size_in_bytes } = sizes
  const capacity = { max_unread_events: 0, max_queue_size_in_bytes, queue_size_in_bytes }
  return { type: 'persisted', capacity, events: queue.events, ...sizes }
}

/** All of a report, one part of it, or one item of a part. */
function select(all: Report, part: string, name: string): Report | undefined {
  if (part === '') return all
  if (!Object.hasOwn(all, part)) return undefined
  if (name === '') return { [part]: all[part] }
  const items = all[part] as Report
  return part === 'pipelines' && Object.hasOwn(items, name) ? { [part]: { [name]: items[name] } } : undefined
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function timeText(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString()
}
