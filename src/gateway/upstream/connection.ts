/** One connection to a node: exchanges follow each other, one at a time. */

import { connect as connectPlain, type Socket } from 'node:net'
import { connect as connectSecure } from 'node:tls'
import { poison } from '../../base/memory/poison.ts'
import type { ClientPresence } from '../../http/client/client-presence.ts'
import { ResponseReader, type UpstreamAnswer } from './response-reader.ts'
import { ClientGone, ExchangeFailed } from './upstream-errors.ts'

/** How connections to nodes are made. */
export interface ConnectionSettings {
  readonly connectMs: number
  /** Certificates of the authorities that sign the nodes' certificates, in PEM; the system's when absent. */
  readonly ca?: string | undefined
  /** A client certificate and its private key in PEM, for clusters that ask for one. */
  readonly cert?: string | undefined
  readonly key?: string | undefined
}

export interface UpstreamRequest {
  readonly method: string
  /** Path and query string. */
  readonly uri: string
  /** Names and values, without those of the connection and of the body's length. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** The client that waits for the answer. */
  readonly client?: ClientPresence | undefined
}

interface Exchange {
  readonly reader: ResponseReader
  readonly client: ClientPresence | undefined
  readonly resolve: (answer: UpstreamAnswer) => void
  readonly reject: (error: Error) => void
}

const JOINED_BYTES_MAX = 14 * 1024
/**
 * What a socket has received, until its reader has taken it, which it does at once: all sockets share the memory. A socket
 * without such a buffer would allocate 64 kB for every response.
 */
const RECEIVED = Buffer.allocUnsafeSlow(64 * 1024)

export class Connection {
  readonly #socket: Socket
  readonly #host: string
  readonly #clientLeft = () => this.#abandon()
  #exchange: Exchange | undefined
  #hasServed = false
  #hasAnswer = false
  #isOpen = true
  #onClose: (() => void) | undefined
  /** When the last exchange ended. */
  idleSinceMs = 0

  private constructor(socket: Socket, host: string) {
    this.#socket = socket
    this.#host = host
    socket.setNoDelay(true)
    socket.on('end', () => this.#onEnd())
    socket.on('close', () => this.#fail('the connection was closed'))
    socket.on('error', (error) => this.#fail(error.message))
  }

  /** Fails with an `ExchangeFailed` that says that nothing was sent. */
  static open(url: URL, { connectMs, ca, cert, key }: ConnectionSettings): Promise<Connection> {
    const isSecure = url.protocol === 'https:'
    const host = url.hostname.replace(/^\[|\]$/g, '')
    const port = Number(url.port || (isSecure ? 443 : 80))
    return new Promise((resolve, reject) => {
      let connection: Connection | undefined
      const callback = (bytes: number) => {
        const received = RECEIVED.subarray(0, bytes)
        if (connection !== undefined) connection.#onData(received)
        poison(received)
        return true
      }
      const plain = { host, port, onread: { buffer: RECEIVED, callback } }
      const servername = /^[\d.]+$|:/.test(host) ? '' : host
      const identity = cert === undefined ? {} : { cert, key }
      const secure = { ...plain, servername, ...(ca === undefined ? {} : { ca }), ...identity }
      const socket = isSecure ? connectSecure(secure) : connectPlain(plain)
      const give = (reason: string) => {
        clearTimeout(timer)
        socket.destroy()
        reject(new ExchangeFailed(reason, false))
      }
      // A busy process runs a timer before it learns of connections that were made in time.
      const timer = setTimeout(() => setImmediate(tooLate), connectMs)
      const tooLate = () => {
        if (connection === undefined) give(`no connection within ${connectMs} ms`)
      }
      const onError = (error: Error) => give(error.message)
      socket.once('error', onError)
      socket.once(isSecure ? 'secureConnect' : 'connect', () => {
        clearTimeout(timer)
        socket.off('error', onError)
        connection = new Connection(socket, url.host)
        resolve(connection)
      })
    })
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  /** Called once when the connection closes. */
  onClose(listener: () => void): void {
    this.#onClose = listener
  }

  /** A closed connection carries no further exchange, although its socket reports the end later. */
  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#socket.destroy()
    this.#onClose?.()
  }

  /** Sends a request and waits for its complete response. A client that disconnects closes the connection. */
  exchange(request: UpstreamRequest): Promise<UpstreamAnswer> {
    const { method, client } = request
    return new Promise((resolve, reject) => {
      if (client?.isGone === true) {
        reject(new ClientGone())
        return
      }
      client?.add(this.#clientLeft)
      this.#hasAnswer = false
      this.#exchange = { reader: new ResponseReader(method === 'HEAD'), client, resolve, reject }
      this.#write(request)
    })
  }

  /** Nobody waits for the answer any more. */
  #abandon(): void {
    const exchange = this.#exchange
    this.#exchange = undefined
    this.close()
    exchange?.reject(new ClientGone())
  }

  #write({ method, uri, headers, body }: UpstreamRequest): void {
    let head = `${method} ${uri} HTTP/1.1\r\nhost: ${this.#host}\r\n`
    for (const name in headers) head += `${name}: ${headers[name]}\r\n`
    if (body.length > 0 || method === 'POST' || method === 'PUT') head += `content-length: ${body.length}\r\n`
    head += '\r\n'
    const socket = this.#socket
    if (body.length === 0) {
      socket.write(head, 'latin1')
      return
    }
    if (body.length <= JOINED_BYTES_MAX) {
      // A copy of a small body, as text, costs less than a second write.
      socket.write(head + body.toString('latin1'), 'latin1')
      return
    }
    socket.cork()
    socket.write(head, 'latin1')
    socket.write(body)
    socket.uncork()
  }

  #onData(chunk: Buffer): void {
    const exchange = this.#exchange
    if (exchange === undefined) {
      // Bytes without a request.
      this.close()
      return
    }
    this.#hasAnswer = true
    try {
      if (exchange.reader.add(chunk)) this.#complete(exchange)
    } catch (error) {
      this.#fail((error as Error).message)
    }
  }

  #onEnd(): void {
    const exchange = this.#exchange
    if (exchange?.reader.end() === true) this.#complete(exchange)
    else this.#fail('the node closed the connection')
  }

  #complete({ reader, client, resolve }: Exchange): void {
    this.#exchange = undefined
    client?.remove(this.#clientLeft)
    this.#hasServed = true
    this.idleSinceMs = Date.now()
    if (!reader.canKeepAlive) this.close()
    resolve(reader.answer())
  }

  #fail(reason: string): void {
    const exchange = this.#exchange
    this.#exchange = undefined
    this.close()
    exchange?.client?.remove(this.#clientLeft)
    exchange?.reject(new ExchangeFailed(reason, true, this.#hasServed && !this.#hasAnswer))
  }
}
