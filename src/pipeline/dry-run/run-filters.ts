/**
 * Runs events through the filters of a configuration without inputs and outputs. Used by tests of configurations, ours
 * and our users'.
 */
import { systemClock } from '../../base/clock.ts'
import { type Log, silentLog } from '../../base/log.ts'
import { parseConfig } from '../config/parser.ts'
import type { Section } from '../config/syntax-tree.ts'
import { Event } from '../event/event.ts'
import { type Fields, toFieldValue } from '../event/fields.ts'
import { objectText } from '../event/json-text.ts'
import { Timestamp } from '../event/timestamp.ts'
import { EVERYTHING } from '../plugin/touches.ts'
import { BatchRunner } from '../runner/batch-runner.ts'
import { buildPipeline } from '../runner/build.ts'
import type { Instruction } from '../runner/program.ts'
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
    ecs: 'v8',
    supportEscapes: false,
    dataFolder: 'data',
    hostName: 'localhost',
    environment: {},
    clock: systemClock,
    log: silentLog,
    heavyEventMs: Number.POSITIVE_INFINITY,
    deadLetters: undefined,
    mayTouch: EVERYTHING,
    ...settings,
  }
}

/** The filters of a configuration, ready for events. Stateful filters keep their state between events. */
export class DryRun {
  readonly #filters: readonly Instruction[]
  readonly #settings: PipelineSettings
  readonly #runner: BatchRunner

  private constructor(filters: readonly Instruction[], settings: PipelineSettings) {
    this.#filters = filters
    this.#settings = settings
    this.#runner = new BatchRunner(filters, settings.log)
  }

  /** Ignores the inputs and outputs of the configuration. Throws a `ConfigError` if the filters are invalid. */
  static async open(sections: readonly Section[], settings: DryRunSettings = {}): Promise<DryRun> {
    const full = dryRunSettings(settings)
    const { filters } = await buildPipeline(
      sections.filter(({ kind }) => kind === 'filter'),
      full,
    )
    return new DryRun(filters, full)
  }

  async take(inputs: readonly DryRunInput[]): Promise<Event[]> {
    const now = new Timestamp(this.#settings.clock.nowMs())
    const events = inputs.map((input) =>
      typeof input === 'string' ? Event.ofMessage(input, now) : Event.ofFields(toFieldValue(input) as Fields, now),
    )
    return this.#runner.run(events)
  }

  async takeAsJson(inputs: readonly DryRunInput[]): Promise<Record<string, unknown>[]> {
    return (await this.take(inputs)).map(asJson)
  }

  /** The events that filters still held back. */
  async finish(): Promise<Event[]> {
    const out: Event[] = []
    for (let at = 0; at < this.#filters.length; at++) {
      const step = this.#filters[at]!
      if (step.op !== 'filter' || step.filter.flush === undefined) continue
      const held: Event[] = []
      step.filter.flush(held, true)
      out.push(...(await this.#runner.run(held, at + 1)))
    }
    return out
  }
}

/** The resulting events as JSON objects. */
export async function runFilters(
  config: string,
  inputs: readonly DryRunInput[],
  settings: DryRunSettings = {},
): Promise<Record<string, unknown>[]> {
  return (await filterEvents(config, inputs, settings)).map(asJson)
}

export async function filterEvents(
  config: string,
  inputs: readonly DryRunInput[],
  settings: DryRunSettings = {},
): Promise<Event[]> {
  const sections = parseConfig(config, undefined, { supportEscapes: settings.supportEscapes ?? false })
  const run = await DryRun.open(sections, settings)
  return [...(await run.take(inputs)), ...(await run.finish())]
}

/** The event as the JSON document that an output would store. */
export function asJson(event: Event): Record<string, unknown> {
  return JSON.parse(objectText(event.fields)) as Record<string, unknown>
}
