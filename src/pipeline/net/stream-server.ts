/** The server of inputs that read streams: takes connections from the start on, and reads them once the pipeline runs. */
import type { Server, Socket } from 'node:net'
import type { Log } from '../../base/log.ts'
import type { Input, InputSink } from '../plugin/input-plugin.ts'

export interface StreamServerSettings {
  /** Creates the server that calls `take` for each connection. */
  create(take: (socket: Socket) => void): Server
  listen(server: Server): Promise<void>
  /** Reads a connection until it ends. An error closes the connection with a line in the log. */
  read(socket: Socket, sink: InputSink): Promise<void>
  readonly log: Log
}

export class StreamServer implements Input {
  readonly #settings: StreamServerSettings
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  readonly #reading = new Set<Promise<void>>()
  #sink: InputSink | undefined
  #waiting: Socket[] = []

  constructor(settings: StreamServerSettings) {
    this.#settings = settings
    this.#server = settings.create((socket) => this.#take(socket))
  }

  start(): Promise<void> {
    return this.#settings.listen(this.#server)
  }

  async run(sink: InputSink): Promise<void> {
    this.#sink = sink
    for (const socket of this.#waiting.splice(0)) this.#read(socket, sink)
    await new Promise((resolve) => this.#server.once('close', resolve))
    await Promise.all(this.#reading)
  }

  stop(): void {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
  }

  #take(socket: Socket): void {
    // A broken connection must not end the process.
    socket.on('error', () => {})
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
    if (this.#sink === undefined) this.#waiting.push(socket)
    else this.#read(socket, this.#sink)
  }

  #read(socket: Socket, sink: InputSink): void {
    const { read, log } = this.#settings
    const reading = read(socket, sink)
      .catch((error: Error) => log.warn(`A connection ended with an error: ${error.message}`))
      .finally(() => {
        this.#reading.delete(reading)
        socket.destroy()
      })
    this.#reading.add(reading)
  }
}
