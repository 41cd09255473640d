/**
 * The memory queue: bounded, with exact acknowledgement of every push.
 *
 * Inputs push lists; workers take batches of their own size. A list is acknowledged when its last event is, in whatever
 * order the batches are acknowledged.
 */
import type { Event } from '../event/event.ts'
import type { Batch, EventQueue, QueueState } from '../plugin/event-queue.ts'

/** The number of unacknowledged events of one push. */
interface Receipt {
  open: number
  readonly done: (() => void) | undefined
}

interface Entry {
  readonly events: Event[]
  /** Events before this index were already handed out. */
  from: number
  readonly receipt: Receipt
}

export class MemoryQueue implements EventQueue {
  readonly #countMax: number
  readonly #entries: (Entry | undefined)[] = []
  /** Entries before this index are used up. They are removed in larger blocks. */
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
    // Another worker may have taken the events while this one waited.
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
      // Released immediately. Otherwise used-up entries would stay referenced until the next removal.
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
