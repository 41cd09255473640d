/** What a pipeline is run with: the part of flags and settings that it sees. */
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import type { Environment } from '../config/environment.ts'
import type { DeadLetters, EcsMode } from '../plugin/plugin-context.ts'

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
  /** Filters that take longer than this for an event on average are moved to threads. */
  readonly heavyEventMs: number
  readonly deadLetters: DeadLetters | undefined
  /** File inputs begin at the start of their files, whatever is remembered of them. */
  readonly readsFromBeginning?: boolean
  /** How often filters are asked for events they hold back; 5 seconds unless a test wants otherwise. */
  readonly flushIntervalMs?: number
}
