/** What every plugin is given besides its options. */
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import type { Event } from '../event/event.ts'
import type { CodecPlugin } from './codec-plugin.ts'

/** `disabled` is the classic layout (host and path as text); v1 and v8 are the Elastic Common Schema. */
export type EcsMode = 'disabled' | 'v1' | 'v8'

/** Where an output puts events it can never deliver. */
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
  /** `pipeline.workers`: with one, events must leave in the order they came in. */
  readonly workers: number
  /** `path.data`: state of plugins lives in folders below it. */
  readonly dataFolder: string
  /** Undefined unless `dead_letter_queue.enable` is set. */
  readonly deadLetters: DeadLetters | undefined
  /** Set when the operator wants files to be read from their start. */
  readonly readsFromBeginning?: boolean | undefined
  /** Loads a codec by its name, for plugins that choose one by what arrives; undefined when there is none. */
  codecNamed(name: string): (() => Promise<CodecPlugin>) | undefined
  readonly environment: Readonly<Record<string, string | undefined>>
}

/**
 * Thrown by `create` when options contradict each other; the configuration is refused with
 * `Cannot register <name> <kind> plugin. The error reported is: <message>`.
 */
export class PluginOptionError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'PluginOptionError'
  }
}
