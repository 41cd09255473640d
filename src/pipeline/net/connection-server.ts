/** The server of inputs with a protocol of their own: listens, reads every connection, and closes all of them on stop. */
import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'
import type { Log } from '../../base/log.ts'
import type { Input, InputSink } from '../plugin/input-plugin.ts'
import { listen } from './listen.ts'

export interface ConnectionServerSettings {
  /** The protocol's name in log lines. */
  readonly name: string
  readonly host: string
  readonly port: number
  readonly tls: TlsOptions | undefined
  /** A connection on which nothing is received for this time is closed; never if undefined. */
  readonly idleMs?: number
  readonly log: Log
  /** Reads a connection until it ends. An error closes the connection with a line in the log. */
  read(socket: Socket, sink: InputSink): Promise<void>
}

export class ConnectionServer implements Input {
  readonly #settings: ConnectionServerSettings
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #sink: InputSink | undefined

  constructor(settings: ConnectionServerSettings) {
    this.#settings = settings
    const take = (socket: Socket) => this.#take(socket)
    this.#server = settings.tls === undefined ? createServer(take) : createTlsServer(settings.tls, take)
  }

  async start(): Promise<void> {
    const { name, host, port, log } = this.#settings
    await listen(this.#server, port, host)
    log.info(`Listening for ${name} on ${host}:${port}`)
  }

  async run(sink: InputSink): Promise<void> {
    this.#sink = sink
    await new Promise((resolve) => this.#server.once('close', resolve))
  }

  stop(): void {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
  }

  #take(socket: Socket): void {
    const { name, idleMs, log, read } = this.#settings
    this.#sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => this.#sockets.delete(socket))
    // The pipeline has not started yet, so the sender has to try again.
    if (this.#sink === undefined) return void socket.destroy()
    if (idleMs !== undefined) socket.setTimeout(idleMs, () => socket.destroy())
    read(socket, this.#sink).catch((error: Error) => {
      if (!socket.destroyed) log.warn(`A ${name} connection is closed: ${error.message}`)
      socket.destroy()
    })
  }
}
