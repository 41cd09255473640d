/**
 * Where the filters of a pipeline run: here, or in threads once they have proved heavy.
 *
 * One thread does all for most configurations, since a batch that changes threads costs more than grok and date do. So the time
 * filters take is watched, and threads are started when an event takes many times what the hop does. With one worker, where
 * the order of events counts, with filters that remember earlier events, and with filters that wait for an answer
 * from elsewhere, everything stays here.
 */
import { availableParallelism } from 'node:os'
import type { Event } from '../event/event.ts'
import { BatchRunner } from './batch-runner.ts'
import { type FilterSource, FilterThreads } from './filter-threads.ts'
import type { Instruction } from './program.ts'
import type { PipelineSettings } from './settings.ts'

/** Events looked at before a judgement; the first ones are slow because the code is cold. */
const SAMPLE_EVENTS = 2000

export class FilterSite {
  readonly #program: readonly Instruction[]
  readonly #sources: readonly FilterSource[]
  readonly #settings: PipelineSettings
  #mayMove: boolean
  #threads: FilterThreads | undefined
  #sampleEvents = 0
  #sampleMs = 0

  constructor(program: readonly Instruction[], sources: readonly FilterSource[], settings: PipelineSettings) {
    this.#program = program
    this.#sources = sources
    this.#settings = settings
    const remembers = program.some((step) => step.op === 'filter' && (step.filter.remembers || step.filter.flush))
    // Dead letters are written by one thread.
    this.#mayMove = settings.workers > 1 && program.length > 0 && !remembers && settings.deadLetters === undefined
  }

  /** One for each worker: a batch that waits does not hold up the others. */
  worker(): (events: readonly Event[]) => Promise<Event[]> {
    const runner = new BatchRunner(this.#program, this.#settings.log, this.#settings.deadLetters)
    return async (events) => {
      // Whoever looks at events sees those of this thread only.
      if (
        this.#threads !== undefined &&
        !this.#program.some((step) => step.op === 'filter' && step.tap !== undefined)
      ) {
        try {
          return await this.#threads.run(events)
        } catch (error) {
          this.#settings.log.error('A filter thread died: its batch is filtered again, and filters stay here', {
            error,
          })
          await this.#threads?.close()
          this.#threads = undefined
        }
      }
      if (!this.#mayMove) return runner.run(events)
      const before = process.cpuUsage()
      const out = await runner.run(events)
      // Time on the processor: a machine that is busy with other things makes no filter heavy.
      const { user, system } = process.cpuUsage(before)
      this.#judge(events.length, (user + system) / 1000, runner.hasWaited)
      return out
    }
  }

  async close(): Promise<void> {
    this.#mayMove = false
    await this.#threads?.close()
  }

  #judge(count: number, ms: number, hasWaited: boolean): void {
    if (hasWaited) this.#mayMove = false
    this.#sampleEvents += count
    this.#sampleMs += ms
    if (!this.#mayMove || this.#sampleEvents < SAMPLE_EVENTS) return
    const eventMs = this.#sampleMs / this.#sampleEvents
    this.#sampleEvents = 0
    this.#sampleMs = 0
    if (eventMs >= this.#settings.heavyEventMs) void this.#move(eventMs)
  }

  async #move(eventMs: number): Promise<void> {
    const { workers, log } = this.#settings
    this.#mayMove = false
    const count = Math.min(workers, availableParallelism())
    try {
      this.#threads = await FilterThreads.start(count, this.#program, this.#sources, this.#settings)
      log.info(`Filters take ${eventMs.toFixed(2)} ms an event: ${count} threads share them from now on`)
    } catch (error) {
      log.warn('Filters are heavy, but threads for them could not be started', { error })
    }
  }
}
