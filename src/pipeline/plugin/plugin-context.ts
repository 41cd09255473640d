/** The services every plugin receives besides its options. */
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import type { Event } from '../event/event.ts'
import type { CodecPlugin } from './codec-plugin.ts'

/** `disabled` is the classic layout (host and path as strings); v1 and v8 are the Elastic Common Schema. */
export type EcsMode = 'disabled' | 'v1' | 'v8'

/** Accepts events that an output can never deliver. */
export interface DeadLetters {
  write(event: Event, reason: string, plugin: { type: string; id: string }): Promise<void>
}

export interface PluginContext {
  readonly id: string
  readonly pipelineId: string
  readonly log: Log
  readonly clock: Clock
  readonly ecs: EcsMode
  readonly hostName: string
  /** `pipeline.workers`. With one worker, events must leave in the order in which they arrived. */
  readonly workers: number
  /** `path.data`: plugins keep their state in folders below it. */
  readonly dataFolder: string
  /** Undefined unless `dead_letter_queue.enable` is set. */
  readonly deadLetters: DeadLetters | undefined
  /** Set if files are to be read from their start. */
  readonly readsFromBeginning?: boolean | undefined
  /** Loads a codec by name, for plugins that choose one by content; undefined if there is none. */
  codecNamed(name: string): (() => Promise<CodecPlugin>) | undefined
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Data that plugins of one pipeline share, by a name that these plugins choose. */
  readonly shared: Map<string, unknown>
}

/**
 * Thrown by `create` for contradictory options. The configuration is rejected with `Cannot register <name> <kind>
 * plugin. The error reported is: <message>`.
 */
export class PluginOptionError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'PluginOptionError'
  }
}
