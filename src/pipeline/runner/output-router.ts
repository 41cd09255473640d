/** Sends the events of a batch to the outputs whose conditions hold. */
import type { Log } from '../../base/log.ts'
import { ComparisonError } from '../config/conditions.ts'
import type { Event } from '../event/event.ts'
import type { DeadLetters } from '../plugin/plugin-context.ts'
import { undecided } from './batch-runner.ts'
import type { Instruction, OutputSlot } from './program.ts'

export class OutputRouter {
  readonly #program: readonly Instruction[]
  readonly #outputs: readonly OutputSlot[]
  readonly #log: Log
  readonly #deadLetters: DeadLetters | undefined
  readonly #isPlain: boolean

  constructor(program: readonly Instruction[], outputs: readonly OutputSlot[], log: Log, deadLetters?: DeadLetters) {
    this.#program = program
    this.#outputs = outputs
    this.#log = log
    this.#deadLetters = deadLetters
    this.#isPlain = program.every(({ op }) => op === 'output')
  }

  /** Resolves when every output is done with its events. One that fails keeps none from the others. */
  async write(events: readonly Event[]): Promise<void> {
    if (events.length === 0) return
    const waiting: Promise<void>[] = []
    const lists = this.#isPlain ? undefined : this.#sort(events)
    for (let i = 0; i < this.#outputs.length; i++) {
      const list = lists === undefined ? events : lists[i]!
      if (list.length > 0) waiting.push(this.#writeTo(this.#outputs[i]!, list))
    }
    if (waiting.length > 0) await Promise.all(waiting)
  }

  async #writeTo(slot: OutputSlot, events: readonly Event[]): Promise<void> {
    const startMs = performance.now()
    slot.counts.in += events.length
    try {
      await slot.output.write(events)
      slot.counts.out += events.length
    } catch (error) {
      this.#log.error(`Output ${slot.name} failed, ${events.length} events are lost for it`, { id: slot.id, error })
    }
    slot.counts.durationMs += performance.now() - startMs
  }

  #sort(events: readonly Event[]): Event[][] {
    const lists = this.#outputs.map((): Event[] => [])
    for (const event of events) {
      try {
        this.#sortOne(event, lists)
      } catch (error) {
        if (!(error instanceof ComparisonError)) throw error
        undecided(event, error, this.#log, this.#deadLetters)
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
