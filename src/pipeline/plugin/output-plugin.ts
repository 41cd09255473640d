/** Outputs: where events go. */
import type { Event } from '../event/event.ts'
import type { OptionTable, OptionValues } from './options.ts'
import type { PluginContext } from './plugin-context.ts'

export interface Output {
  start?(): Promise<void>
  /**
   * Writes one batch. Resolving means that the events are as safe as this output can make them: the inputs are told right after. An
   * output tries again until it works, and gives up single events that can never be written (see delivery.ts). After a rejection the
   * events are written again one by one; an `AbortError` says that the output was closed, and the batch stays unacknowledged.
   */
  write(events: readonly Event[]): Promise<void> | undefined
  /**
   * How many batches of a worker it wants at once, because it can join those that wait to one request. Workers go on
   * with the next batch that far ahead, unless the order of events counts.
   */
  readonly batchesAhead?: number
  /** Writes out what is held back and lets go of files and sockets. */
  close?(): Promise<void>
  /** What the monitoring API tells of this output besides its events, such as `bulk_requests`. */
  readonly counters?: Readonly<Record<string, unknown>>
}

export interface OutputPlugin<S extends OptionTable = OptionTable> {
  readonly name: string
  readonly options: S
  create(options: OptionValues<S>, context: PluginContext): Output
}

export function outputPlugin<const S extends OptionTable>(plugin: OutputPlugin<S>): OutputPlugin {
  return plugin as unknown as OutputPlugin
}
