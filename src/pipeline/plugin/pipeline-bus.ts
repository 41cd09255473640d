/**
 * Where pipelines of one program find each other: an address is taken by one input, and any number of outputs send to
 * it.
 */
import type { Event } from '../event/event.ts'

/** Takes events; resolves when the pipeline behind the address is done with them. */
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

  /** An output that may send: an input does not end before its senders have. */
  join(name: string): void {
    this.#address(name).senders++
  }

  leave(name: string): void {
    const address = this.#address(name)
    address.senders--
    this.#changed(address)
  }

  /** Waits for somebody to listen first. */
  async send(name: string, events: Event[]): Promise<void> {
    const address = this.#address(name)
    while (address.receiver === undefined) await this.#nextChange(address)
    await address.receiver(events)
  }

  /** False when nobody listens: the events are dropped. */
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

/** The one of this program. */
export const pipelineBus = new PipelineBus()
