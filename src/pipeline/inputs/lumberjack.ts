/** `lumberjack`: receives events from senders that speak the protocol that Beats grew out of, always over TLS. */
import type { Socket } from 'node:net'
import { createServer, type Server } from 'node:tls'
import { Event } from '../event/event.ts'
import { isFields } from '../event/fields.ts'
import { parseJson } from '../event/json-text.ts'
import { Timestamp } from '../event/timestamp.ts'
import { listen } from '../net/listen.ts'
import { serverTls } from '../net/tls-options.ts'
import { type Input, type InputSink, inputPlugin } from '../plugin/input-plugin.ts'
import { type OptionValues, option } from '../plugin/options.ts'
import type { PluginContext } from '../plugin/plugin-context.ts'
import { BeatsAcknowledgements } from './beats-acknowledgements.ts'
import { type Frame, FrameReader } from './lumberjack-frames.ts'

const OPTIONS = {
  port: option.number({ required: true }),
  host: option.string({ default: '0.0.0.0' }),
  codec: option.codec({ default: 'plain' }),
  ssl_certificate: option.path({ required: true }),
  ssl_key: option.path({ required: true }),
  ssl_key_passphrase: option.password(),
  congestion_threshold: option.ignored('Senders wait by themselves while the queue is full.'),
  max_clients: option.ignored('The number of clients is not limited.'),
} as const

export const lumberjack = inputPlugin({
  name: 'lumberjack',
  options: OPTIONS,
  create: (options, context) => new LumberjackInput(options, context),
})

class LumberjackInput implements Input {
  readonly #options: OptionValues<typeof OPTIONS>
  readonly #context: PluginContext
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #sink: InputSink | undefined

  constructor(options: OptionValues<typeof OPTIONS>, context: PluginContext) {
    this.#options = options
    this.#context = context
    const tls = serverTls(
      { ...options, ssl_certificate_authorities: [], ssl_supported_protocols: [], ssl_cipher_suites: [] },
      'none',
    )
    this.#server = createServer(tls, (socket) => this.#take(socket))
  }

  async start(): Promise<void> {
    await listen(this.#server, this.#options.port, this.#options.host)
    this.#context.log.info(`Listening for lumberjack on ${this.#options.host}:${this.#options.port}`)
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
    this.#sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => this.#sockets.delete(socket))
    // The pipeline has not started yet, so the sender has to try again.
    if (this.#sink === undefined) return void socket.destroy()
    this.#read(socket, this.#sink).catch((error: Error) => {
      if (!socket.destroyed) this.#context.log.warn(`A lumberjack connection is closed: ${error.message}`)
      socket.destroy()
    })
  }

  async #read(socket: Socket, sink: InputSink): Promise<void> {
    const frames = new FrameReader()
    const acknowledgements = new BeatsAcknowledgements(socket, frames)
    for await (const bytes of socket as AsyncIterable<Buffer>) {
      let events: Event[] = []
      let last = 0
      const push = async () => {
        if (events.length > 0) await sink.push(events, acknowledgements.expect(last))
        events = []
      }
      for (const frame of frames.push(bytes)) {
        if (frame.kind === 'window') await push()
        else {
          last = frame.sequence
          this.#addEvents(frame, events)
        }
      }
      await push()
    }
  }

  /** The text named `line` goes through the codec; other names become fields. */
  #addEvents(frame: Exclude<Frame, { kind: 'window' }>, out: Event[]): void {
    if (frame.kind === 'event') {
      const fields = parseJson(frame.json)
      if (!isFields(fields)) throw new Error('an event is no JSON object')
      out.push(Event.ofFields(fields, new Timestamp(this.#context.clock.nowMs())))
      return
    }
    const decoder = this.#options.codec.createDecoder()
    const events: Event[] = []
    decoder.decode(Buffer.from(frame.pairs.get('line') ?? ''), events)
    decoder.flush(events)
    for (const event of events) {
      for (const [name, value] of frame.pairs) if (name !== 'line') event.fields[name] = value
      out.push(event)
    }
  }
}
