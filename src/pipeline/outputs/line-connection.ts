/**
 * A connection to one address, opened on demand and reopened when it breaks. Data that could not be handed to the
 * system is sent again: a receiver may see it twice, but nothing is lost.
 */
import { connect, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'
import type { Delivery } from '../plugin/delivery.ts'

const CONNECT_TIMEOUT_MS = 30_000
/** A peer that disappears silently is detected after this time plus the system's keep-alive probes. */
const KEEP_ALIVE_MS = 30_000

export interface LineConnectionSettings {
  readonly host: string
  readonly port: number
  readonly reconnectMs: number
  readonly delivery: Delivery
  /** Present for a TLS connection. */
  readonly tls?: ConnectionOptions | undefined
}

export class LineConnection {
  readonly #settings: LineConnectionSettings
  #socket: Socket | undefined
  #last: Promise<void> = Promise.resolve()

  constructor(settings: LineConnectionSettings) {
    this.#settings = settings
  }

  /** Resolves when the bytes were handed to the system. The order is kept. */
  send(bytes: string | Uint8Array): Promise<void> {
    const sent = this.#last.then(() => this.#sendNow(bytes))
    this.#last = sent.catch(() => {})
    return sent
  }

  async close(): Promise<void> {
    this.#settings.delivery.close()
    const socket = this.#socket
    if (socket !== undefined) await new Promise<void>((resolve) => socket.end(resolve))
  }

  #sendNow(bytes: string | Uint8Array): Promise<void> {
    const { host, port, reconnectMs, delivery } = this.#settings
    return delivery.retry(() => this.#attempt(bytes), {
      waitMs: reconnectMs,
      describe: ({ message }) =>
        `No connection to ${host}:${port}, trying again every ${reconnectMs / 1000} s: ${message}`,
    })
  }

  async #attempt(bytes: string | Uint8Array): Promise<void> {
    const socket = await this.#connected()
    try {
      await new Promise<void>((resolve, reject) => socket.write(bytes, (error) => (error ? reject(error) : resolve())))
    } catch (error) {
      this.#socket = undefined
      socket.destroy()
      throw error
    }
  }

  #connected(): Promise<Socket> {
    if (this.#socket !== undefined && !this.#socket.destroyed && this.#socket.writable) {
      return Promise.resolve(this.#socket)
    }
    const { host, port, tls } = this.#settings
    return new Promise((resolve, reject) => {
      const socket: Socket = tls === undefined ? connect({ host, port }) : connectTls({ host, port, ...tls })
      const timer = setTimeout(
        () => socket.destroy(new Error(`no connection within ${CONNECT_TIMEOUT_MS / 1000} s`)),
        CONNECT_TIMEOUT_MS,
      )
      socket.setKeepAlive(true, KEEP_ALIVE_MS)
      socket.once(tls === undefined ? 'connect' : 'secureConnect', () => {
        clearTimeout(timer)
        this.#socket = socket
        resolve(socket)
      })
      socket.on('error', (error) => {
        clearTimeout(timer)
        reject(error)
      })
      // The peer's data is discarded, but it must be read to detect the end of the connection.
      socket.resume()
    })
  }
}
