/**
 * Takes events through the filters of a configuration with nothing read and nothing sent: for tests of configurations,
 * ours and the users'.
 */
import { systemClock } from '../../base/clock.ts'
import { type Log, silentLog } from '../../base/log.ts'
import { parseConfig } from '../config/parser.ts'
import { Event } from '../event/event.ts'
import { type Fields, toFieldValue } from '../event/fields.ts'
import { objectText } from '../event/json-text.ts'
import { Timestamp } from '../event/timestamp.ts'
import { BatchRunner } from '../runner/batch-runner.ts'
import { buildPipeline } from '../runner/build.ts'
import type { PipelineSettings } from '../runner/settings.ts'

export type DryRunSettings = Partial<Omit<PipelineSettings, 'log'>> & { readonly log?: Log }

/** A line of text, or the fields of an event. */
export type DryRunInput = string | Readonly<Record<string, unknown>>

export function dryRunSettings(settings: DryRunSettings = {}): PipelineSettings {
  return {
    id: 'main',
    workers: 1,
    batchSize: 125,
    batchDelayMs: 50,
    ecs: 'disabled',
    supportEscapes: false,
    dataFolder: 'data',
    hostName: 'localhost',
    environment: {},
    clock: systemClock,
    log: silentLog,
    deadLetters: undefined,
    ...settings,
  }
}

/** The events that come out, as JSON objects. Inputs and outputs of the configuration are left alone. */
export async function runFilters(
  config: string,
  inputs: readonly DryRunInput[],
  settings: DryRunSettings = {},
): Promise<Record<string, unknown>[]> {
  const events = await filterEvents(config, inputs, settings)
  return events.map((event) => JSON.parse(objectText(event.fields)) as Record<string, unknown>)
}

export async function filterEvents(
  config: string,
  inputs: readonly DryRunInput[],
  settings: DryRunSettings = {},
): Promise<Event[]> {
  const full = dryRunSettings(settings)
  const sections = parseConfig(config, undefined, { supportEscapes: full.supportEscapes })
  const { filters } = await buildPipeline(
    sections.filter(({ kind }) => kind === 'filter'),
    full,
  )
  const runner = new BatchRunner(filters, full.log)
  const now = new Timestamp(full.clock.nowMs())
  const events = inputs.map((input) =>
    typeof input === 'string' ? Event.ofMessage(input, now) : Event.ofFields(toFieldValue(input) as Fields, now),
  )
  const out = await runner.run(events)
  for (let at = 0; at < filters.length; at++) {
    const step = filters[at]!
    if (step.op !== 'filter' || step.filter.flush === undefined) continue
    const held: Event[] = []
    step.filter.flush(held, true)
    out.push(...(await new BatchRunner(filters, full.log).run(held, at + 1)))
  }
  return out
}
