/** The settings of a pipeline: the subset of flags and settings that it uses. */
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import type { Environment } from '../config/environment.ts'
import type { DeadLetters, EcsMode } from '../plugin/plugin-context.ts'
import type { Allowance } from '../plugin/touches.ts'

export interface PipelineSettings {
  readonly id: string
  readonly workers: number
  readonly batchSize: number
  readonly batchDelayMs: number
  readonly ecs: EcsMode
  readonly supportEscapes: boolean
  readonly dataFolder: string
  readonly hostName: string
  readonly environment: Environment
  readonly clock: Clock
  readonly log: Log
  /** Filters that take longer than this per event on average move to worker threads. */
  readonly heavyEventMs: number
  readonly deadLetters: DeadLetters | undefined
  /** What the plugins may reach; a plugin or option that reaches further is a mistake in the configuration. */
  readonly mayTouch: Allowance
  /** Whether file inputs start at the beginning of their files, ignoring stored positions. */
  readonly readsFromBeginning?: boolean
  /** Flush interval of filters; 5 seconds by default. */
  readonly flushIntervalMs?: number
}
