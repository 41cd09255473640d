/**
 * How an output handles events it cannot write.
 *
 * There are two cases. A temporary failure (a full disk, an unavailable server) is retried until it succeeds: the batch
 * stays unacknowledged, so the queue fills and inputs slow down. A permanent failure (a document the server rejects)
 * sends the single event to the dead letter queue, so that the other events of the batch are delivered.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Event } from '../event/event.ts'
import { objectText } from '../event/json-text.ts'
import type { PluginContext } from './plugin-context.ts'

/** The delay between attempts doubles up to the maximum, unless the output has an interval of its own. */
const WAIT_FIRST_MS = 500
const WAIT_MAX_MS = 30_000
/** Interval at which a continuing failure is logged again. */
const COMPLAIN_AGAIN_MS = 60_000

export interface RetrySettings {
  /** A fixed delay between attempts; by default delays grow. */
  readonly waitMs?: number
  /** The log text of a failure; by default its message. */
  describe?(error: Error): string
}

export class Delivery {
  readonly #name: string
  readonly #context: PluginContext
  readonly #closing = new AbortController()
  #complainedMs = Number.NEGATIVE_INFINITY

  constructor(name: string, context: PluginContext) {
    this.#name = name
    this.#context = context
  }

  /** Aborted when the output is closed. */
  get signal(): AbortSignal {
    return this.#closing.signal
  }

  get isClosed(): boolean {
    return this.#closing.signal.aborted
  }

  /** Whether events that are given up are kept somewhere. */
  get hasDeadLetters(): boolean {
    return this.#context.deadLetters !== undefined
  }

  /** Pending retries fail from now on. */
  close(): void {
    this.#closing.abort()
  }

  /** Runs `attempt` until it succeeds. Rejects only if the output is closed; the events are then not acknowledged. */
  async retry<T>(attempt: () => Promise<T>, { waitMs, describe }: RetrySettings = {}): Promise<T> {
    for (let tries = 0; ; tries++) {
      this.signal.throwIfAborted()
      try {
        const result = await attempt()
        if (tries > 0) this.#recovered()
        return result
      } catch (error) {
        // The output was closed. Whatever the error, the events were not written.
        this.signal.throwIfAborted()
        this.#complain(describe?.(error as Error) ?? (error as Error).message)
        await this.wait(waitMs ?? Math.min(WAIT_FIRST_MS * 2 ** tries, WAIT_MAX_MS))
      }
    }
  }

  /** Rejects if the output is closed meanwhile. */
  async wait(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.signal })
  }

  /**
   * Gives up an event that can never be written. Resolves when it is in the dead letter queue, or when the log records
   * that it is dropped.
   */
  async giveUp(event: Event, reason: string): Promise<void> {
    const { log, deadLetters, id } = this.#context
    const fate = deadLetters === undefined ? 'dropped' : 'sent to the dead letter queue'
    log.error(`Output ${this.#name} cannot write an event, it is ${fate}: ${reason}`, { id })
    log.debug('The event that cannot be written', { event: objectText(event.fields) })
    await deadLetters?.write(event, reason, { type: this.#name, id })
  }

  /** The results of `make` for each event. Events for which it throws are given up and omitted. */
  async forEach<T>(events: readonly Event[], make: (event: Event) => T): Promise<T[]> {
    const made: T[] = []
    let failed: Promise<void>[] | undefined
    for (let i = 0; i < events.length; i++) {
      try {
        made.push(make(events[i]!))
      } catch (error) {
        failed ??= []
        failed.push(this.giveUp(events[i]!, (error as Error).message))
      }
    }
    if (failed !== undefined) await Promise.all(failed)
    return made
  }

  #complain(problem: string): void {
    const nowMs = performance.now()
    const { log, id } = this.#context
    const message = `Output ${this.#name} failed, events wait until it works again: ${problem}`
    if (nowMs - this.#complainedMs < COMPLAIN_AGAIN_MS) {
      log.debug(message, { id })
      return
    }
    this.#complainedMs = nowMs
    log.warn(message, { id })
  }

  #recovered(): void {
    if (this.#complainedMs === Number.NEGATIVE_INFINITY) return
    this.#complainedMs = Number.NEGATIVE_INFINITY
    this.#context.log.info(`Output ${this.#name} works again`, { id: this.#context.id })
  }
}
