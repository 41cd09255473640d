/**
 * Connects pipelines of one process: one input listens on an address, and any number of outputs send to it.
 */
import type { Event } from '../event/event.ts'

/** Receives events. Resolves when the receiving pipeline has acknowledged them. */
export type Receiver = (events: Event[]) => Promise<void>

interface Address {
  receiver: Receiver | undefined
  senders: number
  waiters: (() => void)[]
}

class PipelineBus {
  readonly #addresses = new Map<string, Address>()

  listen(name: string, receiver: Receiver): void {
    const address = this.#address(name)
    if (address.receiver !== undefined) throw new Error(`Two pipeline inputs have the address "${name}"`)
    address.receiver = receiver
    this.#changed(address)
  }

  silence(name: string): void {
    const address = this.#address(name)
    address.receiver = undefined
    this.#changed(address)
  }

  /** Registers a sending output: an input does not end before its senders have. */
  join(name: string): void {
    this.#address(name).senders++
  }

  leave(name: string): void {
    const address = this.#address(name)
    address.senders--
    this.#changed(address)
  }

  /** Waits until an input listens, then sends. */
  async send(name: string, events: Event[]): Promise<void> {
    const address = this.#address(name)
    while (address.receiver === undefined) await this.#nextChange(address)
    await address.receiver(events)
  }

  /** Returns false if no input listens; the events are dropped. */
  async trySend(name: string, events: Event[]): Promise<boolean> {
    const { receiver } = this.#address(name)
    await receiver?.(events)
    return receiver !== undefined
  }

  async withoutSenders(name: string): Promise<void> {
    const address = this.#address(name)
    while (address.senders > 0) await this.#nextChange(address)
  }

  #address(name: string): Address {
    const known = this.#addresses.get(name)
    if (known !== undefined) return known
    const made: Address = { receiver: undefined, senders: 0, waiters: [] }
    this.#addresses.set(name, made)
    return made
  }

  #nextChange(address: Address): Promise<void> {
    return new Promise((resolve) => address.waiters.push(resolve))
  }

  #changed(address: Address): void {
    for (const wake of address.waiters.splice(0)) wake()
  }
}

/** The bus of this process. */
export const pipelineBus = new PipelineBus()
