/** The monitoring API's numbers in Prometheus's text format, version 0.0.4. */

interface Events {
  readonly in?: number
  readonly out?: number
  readonly filtered?: number
  readonly duration_in_millis?: number
  readonly queue_push_duration_in_millis?: number
}

interface PluginStats {
  readonly id: string
  readonly name: string
  readonly events: Events
  readonly matches?: number
  readonly failures?: number
}

interface PipelineStats {
  readonly events?: Events
  readonly plugins?: Readonly<Record<'inputs' | 'filters' | 'outputs', readonly PluginStats[]>>
  readonly queue?: { readonly events_count?: number; readonly queue_size_in_bytes?: number }
  readonly reloads?: { readonly successes?: number; readonly failures?: number }
}

/** The exported part of `/_node/stats`. */
export interface NodeStats {
  readonly jvm: { readonly uptime_in_millis: number; readonly mem: { readonly heap_used_in_bytes: number } }
  readonly process: {
    readonly mem: { readonly total_virtual_in_bytes: number }
    readonly cpu: { readonly total_in_millis: number }
  }
  readonly pipelines: Readonly<Record<string, PipelineStats>>
}

type Labels = Readonly<Record<string, string>>

export function prometheusText(stats: NodeStats): string {
  const page = new Page()
  page.add('logstash_uptime_seconds', 'gauge', 'Time since the start', {}, stats.jvm.uptime_in_millis / 1000)
  page.add(
    'process_resident_memory_bytes',
    'gauge',
    'Memory of the process',
    {},
    stats.process.mem.total_virtual_in_bytes,
  )
  page.add('process_cpu_seconds_total', 'counter', 'CPU time used', {}, stats.process.cpu.total_in_millis / 1000)
  page.add('logstash_heap_used_bytes', 'gauge', 'JavaScript heap in use', {}, stats.jvm.mem.heap_used_in_bytes)
  for (const [pipeline, one] of Object.entries(stats.pipelines)) addPipeline(page, pipeline, one)
  return page.text()
}

function addPipeline(page: Page, pipeline: string, { events, plugins, queue, reloads }: PipelineStats): void {
  const labels = { pipeline }
  page.add('logstash_pipeline_up', 'gauge', '1 while the pipeline runs', labels, events === undefined ? 0 : 1)
  addEvents(page, 'logstash_pipeline_events', labels, events ?? {})
  page.add('logstash_pipeline_queue_events', 'gauge', 'Events in the queue', labels, queue?.events_count)
  page.add('logstash_pipeline_queue_bytes', 'gauge', 'Bytes of the queue on disk', labels, queue?.queue_size_in_bytes)
  page.add(
    'logstash_pipeline_reloads_total',
    'counter',
    'Reloads',
    { ...labels, result: 'success' },
    reloads?.successes,
  )
  page.add('logstash_pipeline_reloads_total', 'counter', 'Reloads', { ...labels, result: 'failure' }, reloads?.failures)
  for (const [kind, all] of Object.entries(plugins ?? {})) {
    for (const { id, name, events: own, matches, failures } of all) {
      const about = { ...labels, type: kind.replace(/s$/, ''), plugin: name, id }
      addEvents(page, 'logstash_plugin_events', about, own ?? {})
      page.add('logstash_plugin_matches_total', 'counter', 'Events a filter matched', about, matches)
      page.add('logstash_plugin_failures_total', 'counter', 'Events a filter failed for', about, failures)
    }
  }
}

function addEvents(page: Page, name: string, labels: Labels, events: Events): void {
  page.add(`${name}_in_total`, 'counter', 'Events taken', labels, events.in)
  page.add(`${name}_filtered_total`, 'counter', 'Events that came out of the filters', labels, events.filtered)
  page.add(`${name}_out_total`, 'counter', 'Events passed on', labels, events.out)
  page.add(`${name}_duration_seconds_total`, 'counter', 'Time spent', labels, seconds(events.duration_in_millis))
  const waiting = seconds(events.queue_push_duration_in_millis)
  page.add(`${name}_queue_push_seconds_total`, 'counter', 'Time inputs waited for room', labels, waiting)
}

function seconds(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : ms / 1000
}

/** Groups samples by name, below a line that describes them. */
class Page {
  readonly #families = new Map<string, { readonly head: string; readonly samples: string[] }>()

  /** An unknown value is omitted. */
  add(name: string, type: 'counter' | 'gauge', about: string, labels: Labels, value: number | undefined): void {
    if (value === undefined) return
    let family = this.#families.get(name)
    if (family === undefined) {
      family = { head: `# HELP ${name} ${about}\n# TYPE ${name} ${type}\n`, samples: [] }
      this.#families.set(name, family)
    }
    const shown = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`)
    family.samples.push(`${name}${shown.length === 0 ? '' : `{${shown.join(',')}}`} ${value}\n`)
  }

  text(): string {
    return [...this.#families.values()].map(({ head, samples }) => head + samples.join('')).join('')
  }
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}
