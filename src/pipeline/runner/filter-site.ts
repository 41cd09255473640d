/**
 * Decides where the filters of a pipeline run: on the main thread, or in worker threads once they prove heavy.
 *
 * One thread is best for most configurations, because moving a batch between threads costs more than grok and date. The
 * time spent in filters is therefore measured, and threads are started when an event takes many times the cost of
 * moving it. Everything stays on the main thread with one worker (where the order of events matters), with stateful
 * filters, and with asynchronous filters.
 */
import { availableParallelism } from 'node:os'
import type { Event } from '../event/event.ts'
import { BatchRunner } from './batch-runner.ts'
import type { BatchWatch } from './batch-watch.ts'
import { type FilterSource, FilterThreads } from './filter-threads.ts'
import type { Instruction } from './program.ts'
import type { PipelineSettings } from './settings.ts'

/** Events measured before a decision. The first ones are slow because the code is cold. */
const SAMPLE_EVENTS = 2000

const THREADS = { kind: 'thread', name: 'for filters', id: 'filter-thread' } as const

export class FilterSite {
  readonly #program: readonly Instruction[]
  readonly #sources: readonly FilterSource[]
  readonly #settings: PipelineSettings
  readonly #watch: BatchWatch | undefined
  #isClosed = false
  #mayMove: boolean
  #threads: FilterThreads | undefined
  #sampleEvents = 0
  #sampleMs = 0

  constructor(
    program: readonly Instruction[],
    sources: readonly FilterSource[],
    settings: PipelineSettings,
    watch?: BatchWatch,
  ) {
    this.#watch = watch
    this.#program = program
    this.#sources = sources
    this.#settings = settings
    const remembers = program.some((step) => step.op === 'filter' && (step.filter.remembers || step.filter.flush))
    // Dead letters must be written by one thread.
    this.#mayMove = settings.workers > 1 && program.length > 0 && !remembers && settings.deadLetters === undefined
  }

  /** One runner per worker, so that an asynchronous batch does not block the others. */
  worker(): (events: readonly Event[]) => Promise<Event[]> {
    const runner = new BatchRunner(this.#program, this.#settings.log, this.#settings.deadLetters, this.#watch)
    return async (events) => {
      // A tap sees only events of this thread.
      if (
        this.#threads !== undefined &&
        !this.#program.some((step) => step.op === 'filter' && step.tap !== undefined)
      ) {
        const ended = this.#watch?.begin(THREADS, events.length)
        try {
          return await this.#threads.run(events)
        } catch (error) {
          this.#settings.log.error('A filter thread died: its batch is filtered again, and filters stay here', {
            error,
          })
          await this.#threads?.close()
          this.#threads = undefined
        } finally {
          ended?.()
        }
      }
      if (!this.#mayMove) return runner.run(events)
      const before = process.cpuUsage()
      const out = await runner.run(events)
      // CPU time, because a busy machine does not make a filter heavy.
      const { user, system } = process.cpuUsage(before)
      this.#judge(events.length, (user + system) / 1000, runner.hasWaited)
      return out
    }
  }

  async close(): Promise<void> {
    this.#mayMove = false
    this.#isClosed = true
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
      const threads = await FilterThreads.start(count, this.#program, this.#sources, this.#settings)
      if (this.#isClosed) return await threads.close()
      this.#threads = threads
      log.info(`Filters take ${eventMs.toFixed(2)} ms an event: ${count} threads share them from now on`)
    } catch (error) {
      log.warn('Filters are heavy, but threads for them could not be started', { error })
    }
  }
}
