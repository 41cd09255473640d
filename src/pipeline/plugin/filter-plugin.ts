/** The contract of filter plugins. */
import type { Event } from '../event/event.ts'
import { type OptionTable, type OptionValues, option } from './options.ts'
import type { PluginContext } from './plugin-context.ts'
import type { Touches } from './touches.ts'

/** Services for filters besides the event itself. */
export interface FilterContext extends PluginContext {
  /** Applies add_field, remove_field, add_tag and remove_tag, for filters that do so for events they create. */
  succeed(event: Event): void
}

export interface Filter {
  /**
   * Changes the event in place. True means success: the common options are applied. A filter drops an event with
   * `event.cancel()` and adds events by pushing them to `more`; these continue with the next filter.
   */
  filter(event: Event, more: Event[]): boolean | Promise<boolean>
  /** Set by filters that are flushed periodically even without `periodic_flush`. */
  readonly flushesByItself?: boolean
  /** Emits events held back: periodically with `periodic_flush`, and with `final` when the pipeline ends. */
  flush?(more: Event[], final: boolean): void
  /**
   * Set by filters whose expressions may be very slow. Called with the events of a batch before the first one reaches
   * the filter. The filter may process all of them in advance under one watchdog, but must not change them.
   */
  prepare?(events: readonly Event[]): void
  /** How long an asynchronous result may take by the filter's own limits. A longer wait is reported as a stall. */
  readonly longestWaitMs?: number
  /** Tags an event for which `filter` or a common option threw. The event continues with the changes made so far. */
  failed?(event: Event): void
  /** Set by stateful filters, whose result depends on earlier events: all events must pass the same instance. */
  readonly remembers?: boolean
  close?(): Promise<void>
  /** Additional counters for the monitoring API, such as `matches` and `failures`. */
  readonly counters?: Readonly<Record<string, number>>
}

export interface FilterPlugin<S extends OptionTable = OptionTable> {
  readonly name: string
  /** What it reaches when it runs, whatever its options say. Creating it reaches nothing but what options declare. */
  readonly touches: Touches
  readonly options: S
  create(options: OptionValues<S>, context: FilterContext): Filter
}

/** The common options of all filters. */
export const FILTER_OPTIONS = {
  add_field: option.hash(),
  remove_field: option.strings({ default: [] }),
  add_tag: option.strings({ default: [] }),
  remove_tag: option.strings({ default: [] }),
  periodic_flush: option.boolean({ default: false }),
} as const

export function filterPlugin<const S extends OptionTable>(plugin: FilterPlugin<S>): FilterPlugin {
  return plugin as unknown as FilterPlugin
}
