/** The counters of a pipeline, in the terms of the monitoring API. */

/** The events that passed one plugin. */
export interface EventCounts {
  in: number
  out: number
  durationMs: number
}

export function noEvents(): EventCounts {
  return { in: 0, out: 0, durationMs: 0 }
}

interface CountedPlugin {
  readonly id: string
  readonly name: string
  readonly counts: EventCounts
  readonly counters?: Readonly<Record<string, unknown>> | undefined
}

/** What the flow of a plugin is told from: the events that an input made or another plugin took, and the time it spent. */
export interface PluginTimes {
  readonly kind: 'input' | 'filter' | 'output'
  readonly events: number
  readonly durationMs: number
}

/** References to the counters that plugins update themselves. */
export interface CountedPlugins {
  readonly inputs: readonly CountedPlugin[]
  readonly filters: readonly CountedPlugin[]
  readonly outputs: readonly CountedPlugin[]
}

export class PipelineMetrics {
  /** Events received from inputs, passed by filters, and written by outputs. */
  in = 0
  filtered = 0
  out = 0
  /** Time that batches spent in filters and outputs. */
  durationMs = 0
  readonly startMs: number
  readonly #plugins: CountedPlugins

  constructor(plugins: CountedPlugins, startMs = performance.now()) {
    this.#plugins = plugins
    this.startMs = startMs
  }

  get queuePushMs(): number {
    return this.#plugins.inputs.reduce((sum, { counts }) => sum + counts.durationMs, 0)
  }

  events() {
    return {
      in: this.in,
      filtered: this.filtered,
      out: this.out,
      duration_in_millis: Math.round(this.durationMs),
      queue_push_duration_in_millis: Math.round(this.queuePushMs),
    }
  }

  /** The times of inputs, filters and outputs, in this order. */
  times(): PluginTimes[] {
    const { inputs, filters, outputs } = this.#plugins
    return [
      ...inputs.map(({ counts: { out, durationMs } }) => ({ kind: 'input' as const, events: out, durationMs })),
      ...filters.map(({ counts: { in: events, durationMs } }) => ({ kind: 'filter' as const, events, durationMs })),
      ...outputs.map(({ counts: { in: events, durationMs } }) => ({ kind: 'output' as const, events, durationMs })),
    ]
  }

  /** `flows` has those of `times`. */
  plugins(flows: readonly unknown[]) {
    const { inputs, filters, outputs } = this.#plugins
    let number = 0
    return {
      inputs: inputs.map(({ id, name, counts }) => ({
        id,
        name,
        events: { out: counts.out, queue_push_duration_in_millis: Math.round(counts.durationMs) },
        flow: flows[number++],
      })),
      codecs: [],
      filters: filters.map((plugin) => describe(plugin, flows[number++])),
      outputs: outputs.map((plugin) => describe(plugin, flows[number++])),
    }
  }
}

function describe({ id, name, counts, counters }: CountedPlugin, flow: unknown) {
  const { in: taken, out, durationMs } = counts
  return { id, name, events: { in: taken, out, duration_in_millis: Math.round(durationMs) }, flow, ...counters }
}
