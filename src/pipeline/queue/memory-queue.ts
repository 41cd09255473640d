/**
 * The queue in memory: bounded, and never loses count of what an input was promised.
 *
 * Inputs push whole lists; workers take batches of their own size. A list is acknowledged when the last of its events
 * is, in whatever order
 * the batches come back.
 */
import type { Event } from '../event/event.ts'
import type { Batch, EventQueue, QueueState } from '../plugin/event-queue.ts'

/** How many events of one push are not acknowledged yet. */
interface Receipt {
  open: number
  readonly done: (() => void) | undefined
}

interface Entry {
  readonly events: Event[]
  /** Events before this one were handed out already. */
  from: number
  readonly receipt: Receipt
}

export class MemoryQueue implements EventQueue {
  readonly #countMax: number
  readonly #entries: (Entry | undefined)[] = []
  /** Entries before this one are used up; they are cut off in larger pieces. */
  #head = 0
  #count = 0
  #closed = false
  #roomWaiters: (() => void)[] = []
  #eventWaiters: (() => void)[] = []

  constructor(countMax: number) {
    this.#countMax = countMax
  }

  get count(): number {
    return this.#count
  }

  get state(): QueueState {
    return { type: 'memory', events: this.#count, bytes: 0, bytesMax: 0 }
  }

  push(events: Event[], onAcknowledged?: () => void): Promise<void> | undefined {
    if (events.length === 0) {
      onAcknowledged?.()
      return undefined
    }
    this.#entries.push({ events, from: 0, receipt: { open: events.length, done: onAcknowledged } })
    this.#count += events.length
    this.#wake(this.#eventWaiters)
    if (this.#count < this.#countMax) return undefined
    return new Promise((resolve) => this.#roomWaiters.push(resolve))
  }

  async take(countMax: number, delayMs: number): Promise<Batch | undefined> {
    while (this.#count === 0) {
      if (this.#closed) return undefined
      await new Promise<void>((resolve) => this.#eventWaiters.push(resolve))
    }
    if (this.#count < countMax && !this.#closed) await this.#waitForMore(countMax, delayMs)
    // Another worker may have been faster while this one waited.
    return this.#count === 0 ? this.take(countMax, delayMs) : this.#cut(countMax)
  }

  close(): void {
    this.#closed = true
    this.#wake(this.#eventWaiters)
  }

  async #waitForMore(countMax: number, delayMs: number): Promise<void> {
    const deadline = performance.now() + delayMs
    while (this.#count < countMax && !this.#closed) {
      const leftMs = deadline - performance.now()
      if (leftMs <= 0) return
      let timer: NodeJS.Timeout | undefined
      await new Promise<void>((resolve) => {
        timer = setTimeout(resolve, leftMs)
        this.#eventWaiters.push(resolve)
      })
      clearTimeout(timer)
    }
  }

  #cut(countMax: number): Batch {
    const events: Event[] = []
    const receipts: { receipt: Receipt; count: number }[] = []
    while (events.length < countMax && this.#head < this.#entries.length) {
      const entry = this.#entries[this.#head]!
      const count = Math.min(countMax - events.length, entry.events.length - entry.from)
      for (let i = 0; i < count; i++) events.push(entry.events[entry.from + i]!)
      receipts.push({ receipt: entry.receipt, count })
      entry.from += count
      // Let go of at once: what is used up would otherwise stay until the next cut.
      if (entry.from === entry.events.length) this.#entries[this.#head++] = undefined
    }
    if (this.#head > 64) {
      this.#entries.splice(0, this.#head)
      this.#head = 0
    }
    this.#count -= events.length
    if (this.#count < this.#countMax) this.#wake(this.#roomWaiters)
    return { events, acknowledge: () => acknowledge(receipts) }
  }

  #wake(waiters: (() => void)[]): void {
    for (const wake of waiters.splice(0)) wake()
  }
}

function acknowledge(receipts: readonly { receipt: Receipt; count: number }[]): void {
  for (const { receipt, count } of receipts) {
    receipt.open -= count
    if (receipt.open === 0) receipt.done?.()
  }
}
