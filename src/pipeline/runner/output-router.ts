/** Sends the events of a batch to the outputs whose conditions hold. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../base/log.ts'
import { ComparisonError } from '../config/conditions.ts'
import type { Event } from '../event/event.ts'
import type { DeadLetters } from '../plugin/plugin-context.ts'
import { undecided } from './batch-runner.ts'
import type { BatchWatch } from './batch-watch.ts'
import type { Instruction, OutputSlot } from './program.ts'

const RETRY_FIRST_MS = 250
const RETRY_MAX_MS = 60_000

export class OutputRouter {
  readonly #program: readonly Instruction[]
  readonly #outputs: readonly OutputSlot[]
  readonly #log: Log
  readonly #deadLetters: DeadLetters | undefined
  readonly #isPlain: boolean
  readonly #watch: BatchWatch | undefined

  constructor(
    program: readonly Instruction[],
    outputs: readonly OutputSlot[],
    log: Log,
    deadLetters?: DeadLetters,
    watch?: BatchWatch,
  ) {
    this.#watch = watch
    this.#program = program
    this.#outputs = outputs
    this.#log = log
    this.#deadLetters = deadLetters
    this.#isPlain = program.every(({ op }) => op === 'output')
  }

  /**
   * Resolves when every output has written its events, or the dead letter queue has those it can never write. Rejects
   * if an output was closed before that; the events must then not be acknowledged.
   */
  async write(events: readonly Event[]): Promise<void> {
    if (events.length === 0) return
    const waiting: Promise<void>[] = []
    const lists = this.#isPlain ? undefined : this.#sort(events, waiting)
    for (let i = 0; i < this.#outputs.length; i++) {
      const list = lists === undefined ? events : lists[i]!
      if (list.length > 0) waiting.push(this.#writeTo(this.#outputs[i]!, list))
    }
    if (waiting.length > 0) await Promise.all(waiting)
  }

  async #writeTo(slot: OutputSlot, events: readonly Event[]): Promise<void> {
    const startMs = performance.now()
    slot.counts.in += events.length
    const ended = this.#watch?.begin({ kind: 'output', name: slot.name, id: slot.id }, events.length)
    try {
      await slot.output.write(events)
    } catch (error) {
      await this.#writeEach(slot, events, error as Error)
    } finally {
      ended?.()
    }
    slot.counts.out += events.length
    slot.counts.durationMs += performance.now() - startMs
  }

  /**
   * A safety net below the retries of the outputs. Each event is written alone and retried, so that one event that
   * breaks the output does not affect the others.
   */
  async #writeEach(slot: OutputSlot, events: readonly Event[], first: Error): Promise<void> {
    if (isAbort(first)) throw first
    this.#log.error(`Output ${slot.name} failed, its ${events.length} events are tried one by one`, {
      id: slot.id,
      error: first,
    })
    for (const event of events) await this.#writeOne(slot, event)
  }

  async #writeOne({ output, name, id }: OutputSlot, event: Event): Promise<void> {
    for (let waitMs = RETRY_FIRST_MS; ; waitMs = Math.min(waitMs * 2, RETRY_MAX_MS)) {
      try {
        return await output.write([event])
      } catch (error) {
        const { message } = error as Error
        if (isAbort(error as Error)) throw error
        if (isMistake(error)) {
          const fate = this.#deadLetters === undefined ? 'dropped' : 'sent to the dead letter queue'
          this.#log.error(`Output ${name} cannot write an event, it is ${fate}: ${message}`, { id, error })
          await this.#deadLetters?.write(event, message, { type: name, id })
          return
        }
        this.#log.warn(`Output ${name} failed, trying again in ${waitMs / 1000} s: ${message}`, { id })
        await sleep(waitMs)
      }
    }
  }

  #sort(events: readonly Event[], waiting: Promise<void>[]): Event[][] {
    const lists = this.#outputs.map((): Event[] => [])
    for (const event of events) {
      try {
        this.#sortOne(event, lists)
      } catch (error) {
        if (!(error instanceof ComparisonError)) throw error
        const letter = undecided(event, error, this.#log, this.#deadLetters)
        if (letter !== undefined) waiting.push(letter)
      }
    }
    return lists
  }

  #sortOne(event: Event, lists: readonly Event[][]): void {
    let at = 0
    while (at < this.#program.length) {
      const step = this.#program[at]!
      if (step.op === 'output') {
        lists[step.index]!.push(event)
        at++
      } else if (step.op === 'unless') at = step.condition(event) ? at + 1 : step.target
      else if (step.op === 'jump') at = step.target
    }
  }
}

function isAbort(error: Error): boolean {
  return error.name === 'AbortError'
}

/** Whether the error is a bug triggered by this event, which a retry cannot fix. */
function isMistake(error: unknown): boolean {
  return error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError
}
