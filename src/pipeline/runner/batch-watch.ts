/**
 * Knows what the batches of a pipeline wait for, and reports a wait that takes too long: once in the log, and in the
 * monitoring API while it lasts.
 *
 * Every wait for a plugin or a thread is recorded here, so none can stop a pipeline silently. While the pipeline runs,
 * the timer also keeps the process alive: something that will never answer must not end it without a word.
 */
import type { Log } from '../../base/log.ts'

/** What a batch waits for. */
export interface Awaited {
  readonly kind: 'filter' | 'output' | 'thread'
  readonly name: string
  readonly id: string
}

/** A wait that takes too long. */
export interface Stall extends Awaited {
  readonly events: number
  readonly seconds: number
}

interface Wait {
  readonly awaited: Awaited
  readonly events: number
  readonly sinceMs: number
  readonly limitMs: number
  isReported: boolean
}

/** A plugin that expects longer waits says so (`longestWaitMs`). */
export const STALL_MS = 60_000
const CHECK_MS = 5_000

export class BatchWatch {
  readonly #pipelineId: string
  readonly #log: Log
  readonly #nowMs: () => number
  readonly #waits = new Set<Wait>()
  #timer: NodeJS.Timeout | undefined

  constructor(pipelineId: string, log: Log, nowMs = () => performance.now()) {
    this.#pipelineId = pipelineId
    this.#log = log
    this.#nowMs = nowMs
  }

  start(): void {
    this.#timer = setInterval(() => this.check(), CHECK_MS)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** Records a wait until the returned function is called. */
  begin(awaited: Awaited, events: number, longestWaitMs = 0): () => void {
    const limitMs = STALL_MS + longestWaitMs
    const wait: Wait = { awaited, events, sinceMs: this.#nowMs(), limitMs, isReported: false }
    this.#waits.add(wait)
    return () => {
      this.#waits.delete(wait)
      if (!wait.isReported) return
      this.#log.info(this.#sentence(wait, 'goes on after'), this.#fields(wait))
    }
  }

  check(): void {
    for (const wait of this.#waits) {
      if (wait.isReported || this.#nowMs() - wait.sinceMs < wait.limitMs) continue
      wait.isReported = true
      this.#log.warn(this.#sentence(wait, 'has not moved for'), this.#fields(wait))
    }
  }

  /** Waits beyond their limit, longest first. */
  get stalls(): Stall[] {
    const nowMs = this.#nowMs()
    return [...this.#waits]
      .filter(({ sinceMs, limitMs }) => nowMs - sinceMs >= limitMs)
      .map((wait) => ({ ...wait.awaited, events: wait.events, seconds: this.#secondsOf(wait) }))
  }

  #sentence(wait: Wait, verb: string): string {
    const { kind, name } = wait.awaited
    return `A batch of pipeline ${this.#pipelineId} ${verb} ${this.#secondsOf(wait)} s in ${kind} ${name}`
  }

  #fields(wait: Wait): Record<string, unknown> {
    return {
      pipeline_id: this.#pipelineId,
      plugin_id: wait.awaited.id,
      events: wait.events,
      seconds: this.#secondsOf(wait),
    }
  }

  #secondsOf({ sinceMs }: Wait): number {
    return Math.round((this.#nowMs() - sinceMs) / 1000)
  }
}
