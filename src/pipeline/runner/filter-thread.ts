/**
 * The worker thread that runs filters: it builds its own filters, receives batches as text, and returns the resulting
 * events with its counters. See filter-threads.ts for its counterpart.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { systemClock } from '../../base/clock.ts'
import type { Log, LogFields } from '../../base/log.ts'
import { parseConfig } from '../config/parser.ts'
import { chooseEscapeStyle } from '../event/field-reference.ts'
import { decodeEvent, encodeEvent } from '../queue/stored-event.ts'
import { BatchRunner } from './batch-runner.ts'
import { buildPipeline } from './build.ts'
import type { FilterBatch, FilteredBatch, FilterThreadStart, StepCounts, ThreadLogLine } from './filter-threads.ts'
import type { FilterStep } from './program.ts'

const port = parentPort!
const { sources, escapeStyle, nowMs, ...settings } = workerData as FilterThreadStart

const say = (level: keyof Log) => (message: string, fields?: LogFields) =>
  port.postMessage({ level, message, fields: readable(fields) } satisfies ThreadLogLine)
const log: Log = { error: say('error'), warn: say('warn'), info: say('info'), debug: say('debug') }

chooseEscapeStyle(escapeStyle)
const sections = sources.flatMap(({ path, text }) =>
  parseConfig(text, path, { supportEscapes: settings.supportEscapes }).filter(({ kind }) => kind === 'filter'),
)
void start()

async function start(): Promise<void> {
  const { filters } = await buildPipeline(sections, {
    ...settings,
    clock: nowMs === undefined ? systemClock : { nowMs: () => nowMs },
    log,
    deadLetters: undefined,
  })
  const steps = filters.filter((step): step is FilterStep => step.op === 'filter')
  const runner = new BatchRunner(filters, log)
  // One batch at a time, because a runner has one position in the program.
  let last = Promise.resolve()
  const filter = async ({ number, events }: FilterBatch) => {
    const out = await runner.run(events.map(decodeEvent))
    port.postMessage({ number, events: out.map(encodeEvent), counts: steps.map(takeCounts) } satisfies FilteredBatch)
  }
  port.on('message', (batch: FilterBatch) => {
    last = last.then(() => filter(batch))
  })
  port.postMessage('ready')
}

/** The counts since the last batch. */
function takeCounts({ counts, filter: plugin }: FilterStep): StepCounts {
  const taken: StepCounts = { ...counts, counters: { ...plugin.counters } }
  counts.in = counts.out = counts.durationMs = 0
  const counters = plugin.counters as Record<string, number> | undefined
  for (const name in counters) counters[name] = 0
  return taken
}

/** Converts log fields to values that can be sent between threads. */
function readable(fields: LogFields | undefined): LogFields | undefined {
  if (fields === undefined) return undefined
  const text = (value: unknown) => (value instanceof Error ? value.message : value)
  return JSON.parse(JSON.stringify(fields, (_name, value: unknown) => text(value))) as LogFields
}
