/** Filters: what happens to events on their way. */
import type { Event } from '../event/event.ts'
import { type OptionTable, type OptionValues, option } from './options.ts'
import type { PluginContext } from './plugin-context.ts'

/** What a filter may do besides changing the event it was given. */
export interface FilterContext extends PluginContext {
  /** Applies add_field, remove_field, add_tag and remove_tag, for filters that do so to events they make. */
  succeed(event: Event): void
}

export interface Filter {
  /**
   * Changes the event in place. True means success: the common options are applied. A filter drops an event with
   * `event.cancel()`, and adds events by pushing them to `more`; they go on with the filters after this one.
   */
  filter(event: Event, more: Event[]): boolean | Promise<boolean>
  /** Set by filters that are flushed every few seconds without `periodic_flush`. */
  readonly flushesByItself?: boolean
  /** Emits what is held back: every few seconds with `periodic_flush`, and with `final` when the pipeline ends. */
  flush?(more: Event[], final: boolean): void
  /**
   * Set by filters that run expressions which may take very long. Called with the events of a batch that are about to come to this
   * filter, before the first one does: it may work ahead for all of them under one watch, but must not change them.
   */
  prepare?(events: readonly Event[]): void
  /**
   * Tags an event that could not be changed as it should: `filter` threw, or an option such as add_field did. The
   * event goes on, with whatever was done before.
   */
  failed?(event: Event): void
  /** Set by filters whose answer depends on earlier events: all events must pass this one. */
  readonly remembers?: boolean
  close?(): Promise<void>
  /** What the monitoring API tells of this filter besides its events, such as `matches` and `failures`. */
  readonly counters?: Readonly<Record<string, number>>
}

export interface FilterPlugin<S extends OptionTable = OptionTable> {
  readonly name: string
  readonly options: S
  create(options: OptionValues<S>, context: FilterContext): Filter
}

/** Options every filter has besides its own. */
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
