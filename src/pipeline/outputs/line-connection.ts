/**
 * A connection to one address that is made when there is something to send, and made again when it breaks. What could not be written
 * is sent again: a receiver may see a piece twice, but none is left out.
 */
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'
import type { Log } from '../../base/log.ts'

export interface LineConnectionSettings {
  readonly host: string
  readonly port: number
  readonly reconnectMs: number
  readonly log: Log
  /** Present for a connection with TLS. */
  readonly tls?: ConnectionOptions | undefined
}

export class LineConnection {
  readonly #settings: LineConnectionSettings
  readonly #closing = new AbortController()
  #socket: Socket | undefined
  #last: Promise<void> = Promise.resolve()

  constructor(settings: LineConnectionSettings) {
    this.#settings = settings
  }

  /** Resolves when the bytes were handed to the system. Pieces keep their order. */
  send(bytes: string | Uint8Array): Promise<void> {
    this.#last = this.#last.then(() => this.#sendNow(bytes))
    return this.#last
  }

  async close(): Promise<void> {
    this.#closing.abort()
    const socket = this.#socket
    if (socket !== undefined) await new Promise<void>((resolve) => socket.end(resolve))
  }

  async #sendNow(bytes: string | Uint8Array): Promise<void> {
    const { host, port, reconnectMs, log } = this.#settings
    const { signal } = this.#closing
    while (!signal.aborted) {
      try {
        const socket = await this.#connected()
        await new Promise<void>((resolve, reject) =>
          socket.write(bytes, (error) => (error ? reject(error) : resolve())),
        )
        return
      } catch (error) {
        this.#socket = undefined
        log.warn(
          `No connection to ${host}:${port}, trying again in ${reconnectMs / 1000} s: ${(error as Error).message}`,
        )
        await sleep(reconnectMs, undefined, { signal }).catch(() => {})
      }
    }
  }

  #connected(): Promise<Socket> {
    if (this.#socket !== undefined && !this.#socket.destroyed && this.#socket.writable) {
      return Promise.resolve(this.#socket)
    }
    const { host, port, tls } = this.#settings
    return new Promise((resolve, reject) => {
      const socket: Socket = tls === undefined ? connect({ host, port }) : connectTls({ host, port, ...tls })
      socket.once(tls === undefined ? 'connect' : 'secureConnect', () => {
        this.#socket = socket
        resolve(socket)
      })
      socket.on('error', reject)
      // Whatever the other side says is of no interest, but must be read for its end to be seen.
      socket.resume()
    })
  }
}
