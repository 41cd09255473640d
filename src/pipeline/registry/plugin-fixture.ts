/** Test helpers for plugins: a context, and plugins created from a few options. */
import { systemClock } from '../../base/clock.ts'
import { silentLog } from '../../base/log.ts'
import type { Event } from '../event/event.ts'
import type { Codec } from '../plugin/codec-plugin.ts'
import { withDefaults } from '../plugin/default-options.ts'
import type { Input, InputPlugin } from '../plugin/input-plugin.ts'
import type { OptionTable } from '../plugin/options.ts'
import type { Output, OutputPlugin } from '../plugin/output-plugin.ts'
import type { PluginContext } from '../plugin/plugin-context.ts'
import { CODECS } from './registry.ts'

export function testContext(changes: Partial<PluginContext> = {}): PluginContext {
  return {
    id: 'test',
    pipelineId: 'main',
    log: silentLog,
    clock: systemClock,
    ecs: 'disabled',
    hostName: 'here',
    workers: 1,
    dataFolder: '/nonexistent',
    deadLetters: undefined,
    environment: {},
    shared: new Map(),
    codecNamed: (name) => CODECS[name],
    ...changes,
  }
}

async function options(table: OptionTable, given: Record<string, unknown>, context: PluginContext) {
  const codecs: Record<string, Codec> = {}
  for (const [name, spec] of Object.entries(table)) {
    if (spec.kind !== 'codec' || typeof given[name] === 'object') continue
    const plugin = await CODECS[(given[name] as string | undefined) ?? (spec.default as string)]!()
    codecs[name] = plugin.create(withDefaults(plugin.options, {}), context)
  }
  return withDefaults(table, { ...given, ...codecs })
}

export async function makeInput(
  plugin: InputPlugin,
  given: Record<string, unknown>,
  context = testContext(),
): Promise<Input> {
  return plugin.create(await options(plugin.options, given, context), context)
}

export async function makeOutput(
  plugin: OutputPlugin,
  given: Record<string, unknown>,
  context = testContext(),
): Promise<Output> {
  return plugin.create(await options(plugin.options, given, context), context)
}

/** Runs an input and collects the events it pushes. */
export class RunningInput {
  readonly events: Event[] = []
  readonly #input: Input
  #done: Promise<void> | undefined
  #waiters: (() => void)[] = []

  constructor(input: Input) {
    this.#input = input
  }

  async start(): Promise<this> {
    await this.#input.start?.()
    this.#done = this.#input.run({
      push: (events, onAcknowledged) => {
        this.events.push(...events)
        onAcknowledged?.()
        for (const wake of this.#waiters.splice(0)) wake()
        return undefined
      },
    })
    return this
  }

  /** Resolves with the events once there are this many. */
  async take(count: number): Promise<Event[]> {
    while (this.events.length < count) await new Promise<void>((resolve) => this.#waiters.push(resolve))
    return this.events
  }

  /** Resolves when the input ends by itself. */
  async ended(): Promise<void> {
    await this.#done
    await this.#input.close?.()
  }

  async stop(): Promise<void> {
    this.#input.stop()
    await this.ended()
  }
}
