/**
 * Runs the events of a batch through the filters.
 *
 * Each event passes the whole program before the next. Filters with possibly slow expressions are the exception: all
 * events of the batch first advance to such a filter, so that it can process them under one watchdog (see
 * `Filter.prepare`).
 */
import type { Log } from '../../base/log.ts'
import { ComparisonError } from '../config/conditions.ts'
import type { Event } from '../event/event.ts'
import { objectText } from '../event/json-text.ts'
import type { DeadLetters } from '../plugin/plugin-context.ts'
import type { BatchWatch } from './batch-watch.ts'
import type { FilterStep, Instruction } from './program.ts'

/** Reading the clock costs as much as a small filter, so one event in this many is timed. */
const TIMED_EVERY = 16

export class BatchRunner {
  readonly #program: readonly Instruction[]
  readonly #log: Log
  readonly #deadLetters: DeadLetters | undefined
  readonly #watch: BatchWatch | undefined
  /** The positions of filters that prepare a whole batch. */
  readonly #stops: readonly number[]

  // The state of the current batch, in fields because a filter may be asynchronous.
  #events: readonly Event[] = []
  /** The position at which each event continues; undefined if all start at the same place. */
  #places: readonly number[] | undefined
  /** The instruction to stop before. */
  #end = 0
  #next = 0
  #event: Event | undefined
  #at = 0
  #stepStartMs = 0
  readonly #waiting: { event: Event; at: number }[] = []
  #more: Event[] = []
  #out: Event[] = []
  #outPlaces: number[] = []
  #promise: Promise<boolean> | undefined
  #letters: Promise<void>[] = []
  /** Whether a filter was asynchronous. */
  hasWaited = false

  /** Events whose conditions cannot be evaluated go to the dead letter queue, if there is one. */
  constructor(program: readonly Instruction[], log: Log, deadLetters?: DeadLetters, watch?: BatchWatch) {
    this.#watch = watch
    this.#program = program
    this.#log = log
    this.#deadLetters = deadLetters
    this.#stops = program.flatMap((step, at) => (step.op === 'filter' && step.filter.prepare !== undefined ? [at] : []))
  }

  /**
   * Returns the resulting events. `from` is the first instruction: events emitted by a flush skip the filters before
   * it.
   */
  async run(events: readonly Event[], from = 0): Promise<Event[]> {
    if (this.#program.length === 0) return events as Event[]
    let list = events
    let places: readonly number[] | undefined
    for (const stop of this.#stops) {
      if (stop < from) continue
      list = await this.#walkTo(stop, list, places, from)
      places = this.#outPlaces
      const { filter } = this.#program[stop] as FilterStep
      const arrived = list.filter((_, i) => places![i] === stop)
      if (arrived.length > 0) filter.prepare!(arrived)
    }
    const out = await this.#walkTo(this.#program.length, list, places, from)
    // The batch is acknowledged when it has passed, so its dead letters must be on disk by then.
    if (this.#letters.length > 0) await Promise.all(this.#letters.splice(0))
    return out
  }

  /** Advances the events to an instruction. Events already past it stay where they are. */
  async #walkTo(
    end: number,
    events: readonly Event[],
    places: readonly number[] | undefined,
    from: number,
  ): Promise<Event[]> {
    this.#end = end
    this.#events = events
    this.#places = places
    this.#next = 0
    this.#event = undefined
    this.#out = []
    this.#outPlaces = []
    for (;;) {
      this.#walk(from)
      if (this.#promise === undefined) return this.#out
      this.hasWaited = true
      await this.#finishWaiting()
    }
  }

  /** Runs until all events have passed, or a filter is asynchronous. */
  #walk(start: number): void {
    for (;;) {
      if (this.#event === undefined && !this.#takeNext(start)) return
      const event = this.#event!
      while (this.#at < this.#end) {
        const step = this.#program[this.#at]!
        if (step.op === 'filter') {
          if (!this.#filter(step, event)) return
          if (event.cancelled) break
          step.counts.out++
          if (this.#more.length > 0) this.#takeMore()
          this.#at++
        } else if (step.op === 'unless') {
          if (!this.#decide(step, event)) break
        } else if (step.op === 'jump') this.#at = step.target
        else throw new Error('outputs are no part of the filters')
      }
      if (!event.cancelled) {
        this.#out.push(event)
        if (this.#stops.length > 0) this.#outPlaces.push(this.#at)
      } else if (this.#more.length > 0) this.#takeMore()
      this.#event = undefined
    }
  }

  #takeNext(start: number): boolean {
    const waiting = this.#waiting.pop()
    if (waiting !== undefined) {
      this.#event = waiting.event
      this.#at = waiting.at
      return true
    }
    if (this.#next >= this.#events.length) return false
    this.#at = this.#places === undefined ? start : this.#places[this.#next]!
    this.#event = this.#events[this.#next++]
    return true
  }

  /** New events continue after the filter that created them, right after the event they come from. */
  #takeMore(): void {
    const step = this.#program[this.#at] as FilterStep
    step.counts.out += this.#more.length
    for (let i = this.#more.length - 1; i >= 0; i--) this.#waiting.push({ event: this.#more[i]!, at: this.#at + 1 })
    this.#more = []
  }

  /** Returns false if the filter is asynchronous. */
  #filter(step: FilterStep, event: Event): boolean {
    const { counts } = step
    if (step.tap !== undefined) step.tap('before', event)
    const isTimed = ++counts.in % TIMED_EVERY === 0
    if (isTimed) this.#stepStartMs = performance.now()
    try {
      const result = step.filter.filter(event, this.#more)
      if (result === true) {
        if (step.succeed !== undefined) step.succeed(event)
      } else if (result !== false) {
        this.#promise = result
        return false
      }
    } catch (error) {
      this.#failed(step, event, error as Error)
    }
    if (isTimed) counts.durationMs += (performance.now() - this.#stepStartMs) * TIMED_EVERY
    if (step.tap !== undefined && !event.cancelled) step.tap('after', event)
    return true
  }

  #failed({ name, id, filter }: FilterStep, event: Event, error: Error): void {
    const message = `Exception caught while applying ${name} filter`
    if (filter.failed === undefined) this.#log.error(message, { id, error })
    else {
      this.#log.warn(message, { id, exception: error.message })
      filter.failed(event)
    }
  }

  /** Returns false if the condition cannot be evaluated, in which case the event is dropped. */
  #decide(step: Extract<Instruction, { op: 'unless' }>, event: Event): boolean {
    try {
      this.#at = step.condition(event) ? this.#at + 1 : step.target
      return true
    } catch (error) {
      if (!(error instanceof ComparisonError)) throw error
      const letter = undecided(event, error, this.#log, this.#deadLetters)
      if (letter !== undefined) this.#letters.push(letter)
      event.cancel()
      return false
    }
  }

  async #finishWaiting(): Promise<void> {
    const step = this.#program[this.#at] as FilterStep
    const event = this.#event!
    const startMs = performance.now()
    const awaited = { kind: 'filter', name: step.name, id: step.id } as const
    const ended = this.#watch?.begin(awaited, this.#events.length, step.filter.longestWaitMs)
    try {
      if ((await this.#promise) === true) step.succeed?.(event)
    } catch (error) {
      this.#failed(step, event, error as Error)
    } finally {
      ended?.()
    }
    this.#promise = undefined
    step.counts.durationMs += performance.now() - startMs
    if (!event.cancelled) {
      step.counts.out++
      if (step.tap !== undefined) step.tap('after', event)
    }
    if (this.#more.length > 0) this.#takeMore()
    this.#at = event.cancelled ? this.#program.length : this.#at + 1
  }
}

/** Drops an event whose condition compares incomparable values. Resolves when it is in the dead letter queue. */
export function undecided(
  event: Event,
  error: ComparisonError,
  log: Log,
  deadLetters: DeadLetters | undefined,
): Promise<void> | undefined {
  const fate = deadLetters === undefined ? 'dropped' : 'sent to the dead letter queue'
  const reason = `Failed to evaluate a condition: ${error.message}`
  log.warn(`${reason}. Event was ${fate}, enable debug logging to see the event's content`)
  log.debug('The event of the condition', { event: objectText(event.fields) })
  return deadLetters?.write(event, reason, { type: 'if-statement', id: 'if-statement' })
}
