/** The contract of output plugins. */
import type { Event } from '../event/event.ts'
import type { OptionTable, OptionValues } from './options.ts'
import type { PluginContext } from './plugin-context.ts'
import type { Touches } from './touches.ts'

export interface Output {
  start?(): Promise<void>
  /**
   * Writes a batch. Resolves when the events are as durable as this output can make them; the inputs are notified right
   * after. An output retries temporary failures, and gives up single events that can never be written (see
   * delivery.ts). If it rejects, the events are written again one by one. An `AbortError` means that the output was
   * closed, and the batch stays unacknowledged.
   */
  write(events: readonly Event[]): Promise<void> | undefined
  /**
   * How many batches per worker the output accepts concurrently, because it can join waiting batches to one request.
   * Workers process that many batches ahead, unless the order of events matters.
   */
  readonly batchesAhead?: number
  /** Writes out pending data and releases files and sockets. */
  close?(): Promise<void>
  /** Additional counters for the monitoring API, such as `bulk_requests`. */
  readonly counters?: Readonly<Record<string, unknown>>
}

export interface OutputPlugin<S extends OptionTable = OptionTable> {
  readonly name: string
  /** What it reaches when it runs, whatever its options say. Creating it reaches nothing but what options declare. */
  readonly touches: Touches
  readonly options: S
  create(options: OptionValues<S>, context: PluginContext): Output
}

export function outputPlugin<const S extends OptionTable>(plugin: OutputPlugin<S>): OutputPlugin {
  return plugin as unknown as OutputPlugin
}
