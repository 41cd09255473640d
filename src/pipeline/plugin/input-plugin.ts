/** The contract of input plugins. */
import type { Event } from '../event/event.ts'
import { type OptionTable, type OptionValues, option } from './options.ts'
import type { PluginContext } from './plugin-context.ts'
import type { Touches } from './touches.ts'

/**
 * Pushes events to the queue and applies `type`, `tags` and `add_field`, so that inputs need not.
 *
 * `onAcknowledged` is called once all these events were written by the outputs or dropped by filters. Only then may an
 * input record that it has read them. Returns a promise while the queue is full; an input must await it before reading
 * on.
 */
export interface InputSink {
  push(events: Event[], onAcknowledged?: () => void): Promise<void> | undefined
}

export interface Input {
  /** Binds ports and checks files. A failure rejects the pipeline. */
  start?(): Promise<void>
  /** Resolves when the input has ended or was stopped; everything read was pushed by then. */
  run(sink: InputSink): Promise<void>
  /** Requests `run` to end soon. */
  stop(): void
  /** Called after all events are acknowledged: writes positions for the last time. */
  close?(): Promise<void>
}

export interface InputPlugin<S extends OptionTable = OptionTable> {
  readonly name: string
  /** What it reaches when it runs, whatever its options say. Creating it reaches nothing but what options declare. */
  readonly touches: Touches
  readonly options: S
  create(options: OptionValues<S>, context: PluginContext): Input
}

/** The common options of all inputs. Plugins declare `codec` themselves, because its default differs. */
export const INPUT_OPTIONS = {
  type: option.string(),
  tags: option.strings({ default: [] }),
  add_field: option.hash(),
} as const

export function inputPlugin<const S extends OptionTable>(plugin: InputPlugin<S>): InputPlugin {
  return plugin as unknown as InputPlugin
}
