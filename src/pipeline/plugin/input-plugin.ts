/** Inputs: where events come from. */
import type { Event } from '../event/event.ts'
import { type OptionTable, type OptionValues, option } from './options.ts'
import type { PluginContext } from './plugin-context.ts'

/**
 * Takes events into the queue. `type`, `tags` and `add_field` are applied here, so inputs need not know of them.
 *
 * `onAcknowledged` is called once all these events went through the outputs (or were dropped by filters): only then may
 * an
 * input remember that it has read them. Returns a promise while the queue is full: an input waits for it before it
 * reads on.
 */
export interface InputSink {
  push(events: Event[], onAcknowledged?: () => void): Promise<void> | undefined
}

export interface Input {
  /** Takes ports and checks files; a failure here refuses the pipeline. */
  start?(): Promise<void>
  /** Resolves when the input has ended by itself or was stopped; everything read was pushed by then. */
  run(sink: InputSink): Promise<void>
  /** Asks `run` to end soon. */
  stop(): void
  /** Everything is acknowledged; positions are written for the last time. */
  close?(): Promise<void>
}

export interface InputPlugin<S extends OptionTable = OptionTable> {
  readonly name: string
  readonly options: S
  create(options: OptionValues<S>, context: PluginContext): Input
}

/** Options every input has besides its own. `codec` is declared by the plugins, since their defaults differ. */
export const INPUT_OPTIONS = {
  type: option.string(),
  tags: option.strings({ default: [] }),
  add_field: option.hash(),
} as const

export function inputPlugin<const S extends OptionTable>(plugin: InputPlugin<S>): InputPlugin {
  return plugin as unknown as InputPlugin
}
