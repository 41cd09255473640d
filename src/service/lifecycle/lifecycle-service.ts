/**
 * Runs lifecycle policies and the lifecycles of data streams on a timer. The time is that of the node's clock, so that
 * tests can let days pass; `run` does at once what the timer does later.
 */
import { parseDuration } from '../../base/duration.ts'
import type { Log } from '../../base/log.ts'
import type { GlobalRetention } from '../definitions/stream-lifecycle.ts'
import type { SettingValue } from '../metadata/metadata.ts'
import { textOf } from '../settings/flat-settings.ts'
import { IlmRunner } from './ilm-runner.ts'
import type { LifecycleServices } from './ilm-steps.ts'
import { StreamRunner } from './stream-runner.ts'

/** How often the timer checks whether a run is due. */
const LOOK_MS = 1000

export interface LifecycleOptions {
  readonly services: LifecycleServices
  readonly setting: (name: string) => SettingValue | undefined
  readonly log: Log
}

interface Schedule {
  readonly interval: string
  readonly run: () => Promise<void>
  lastMs: number
}

export class LifecycleService {
  readonly policies: IlmRunner
  readonly streams: StreamRunner
  readonly #options: LifecycleOptions
  readonly #schedules: readonly Schedule[]
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()
  #stopped = false

  constructor(options: LifecycleOptions) {
    const { services, log } = options
    this.#options = options
    this.policies = new IlmRunner(services, log)
    this.streams = new StreamRunner(services, () => this.globalRetention(), log)
    const lastMs = services.context.clock.nowMs()
    this.#schedules = [
      { interval: 'indices.lifecycle.poll_interval', run: () => this.#runPolicies(), lastMs },
      { interval: 'data_streams.lifecycle.poll_interval', run: () => this.streams.run(), lastMs },
    ]
  }

  start(): void {
    this.#timer = setInterval(() => this.runDue(), LOOK_MS)
    this.#timer.unref()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    clearInterval(this.#timer)
    await this.#running
  }

  /** Whether the policies run. */
  get mode(): 'RUNNING' | 'STOPPED' {
    const mode = this.#options.services.context.store.state.sections.identity.get('lifecycleMode')
    return mode === 'STOPPED' ? 'STOPPED' : 'RUNNING'
  }

  async setMode(mode: 'RUNNING' | 'STOPPED'): Promise<void> {
    const { store } = this.#options.services.context
    await store.update(() => [{ section: 'identity', name: 'lifecycleMode', value: mode }])
  }

  globalRetention(): GlobalRetention {
    const ms = (name: string) => {
      const value = textOf(this.#options.setting(`data_streams.lifecycle.retention.${name}`) ?? '-1')
      const parsed = parseDuration(value, name)
      return parsed < 0 ? undefined : parsed
    }
    return { defaultMs: ms('default'), maxMs: ms('max'), failuresDefaultMs: ms('failures_default') }
  }

  /** Runs everything now. Resolves when it is done. */
  run(): Promise<void> {
    return this.#enqueue(this.#schedules)
  }

  /** Runs the lifecycles that are due. */
  runDue(): Promise<void> {
    const now = this.#options.services.context.clock.nowMs()
    const due = this.#schedules.filter(({ interval, lastMs }) => {
      const ms = parseDuration(textOf(this.#options.setting(interval)!), interval)
      return now - lastMs >= ms || now < lastMs
    })
    return due.length === 0 ? this.#running : this.#enqueue(due)
  }

  /** Runs are serialized, because their steps would change the same indices. */
  #enqueue(schedules: readonly Schedule[]): Promise<void> {
    const { log, services } = this.#options
    for (const schedule of schedules) schedule.lastMs = services.context.clock.nowMs()
    this.#running = this.#running.then(async () => {
      for (const { interval, run } of schedules) {
        if (this.#stopped) return
        await run().catch((error: unknown) => log.error('a lifecycle run failed', { interval, error: String(error) }))
      }
    })
    return this.#running
  }

  async #runPolicies(): Promise<void> {
    if (this.mode === 'RUNNING') await this.policies.run()
  }
}
