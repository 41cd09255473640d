/**
 * Sends datagrams. They are not confirmed, so only local errors are known. A datagram that is too large is given up;
 * others are given up after `retries` further attempts.
 */
import { createSocket, type Socket } from 'node:dgram'
import type { Event } from '../event/event.ts'
import type { Delivery } from '../plugin/delivery.ts'

export interface DatagramSettings {
  readonly host: string
  readonly retries: number
  readonly backoffMs: number
}

export class DatagramSender {
  readonly #settings: DatagramSettings
  readonly #delivery: Delivery
  readonly #socket: Socket

  constructor(settings: DatagramSettings, delivery: Delivery) {
    this.#settings = settings
    this.#delivery = delivery
    this.#socket = createSocket(settings.host.includes(':') ? 'udp6' : 'udp4')
    // Errors are reported to the send call that caused them.
    this.#socket.on('error', () => {})
  }

  /** Resolves when the system accepted the datagram, or the event is given up. */
  async send(event: Event, bytes: string | Uint8Array, port: number): Promise<void> {
    const { host, retries, backoffMs } = this.#settings
    let error = await this.#sendOnce(bytes, port)
    for (let i = 0; error !== null && !isFinal(error) && i < retries; i++) {
      await this.#delivery.wait(backoffMs)
      error = await this.#sendOnce(bytes, port)
    }
    if (error !== null) await this.#delivery.giveUp(event, `No datagram to ${host}:${port}: ${error.message}`)
  }

  async close(): Promise<void> {
    this.#delivery.close()
    await new Promise<void>((resolve) => this.#socket.close(resolve))
  }

  #sendOnce(bytes: string | Uint8Array, port: number): Promise<Error | null> {
    return new Promise((resolve) => {
      try {
        this.#socket.send(bytes, port, this.#settings.host, resolve)
      } catch (error) {
        // The port is not a valid port number.
        resolve(error as Error)
      }
    })
  }
}

function isFinal(error: Error): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'EMSGSIZE' || code?.startsWith('ERR_') === true
}
