/**
 * `beats`: receives events from Filebeat and other Beats, and acknowledges them after the outputs have written them.
 */
import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { Event } from '../event/event.ts'
import { isFields } from '../event/fields.ts'
import { parseJson } from '../event/json-text.ts'
import { Timestamp } from '../event/timestamp.ts'
import { listen } from '../net/listen.ts'
import { SERVER_TLS_OPTIONS, serverTls } from '../net/tls-options.ts'
import { type Input, type InputSink, inputPlugin } from '../plugin/input-plugin.ts'
import { type OptionValues, option } from '../plugin/options.ts'
import type { PluginContext } from '../plugin/plugin-context.ts'
import { BeatsAcknowledgements } from './beats-acknowledgements.ts'
import { FrameReader } from './lumberjack-frames.ts'
import { plainAddress } from './network-decoration.ts'

const OPTIONS = {
  port: option.number({ required: true }),
  host: option.string({ default: '0.0.0.0' }),
  codec: option.codec({ default: 'plain' }),
  client_inactivity_timeout: option.number({ default: 60 }),
  executor_threads: option.number(),
  event_loop_threads: option.number({ default: 0 }),
  ssl_handshake_timeout: option.number({ default: 10_000 }),
  add_hostname: option.boolean({ default: false }),
  include_codec_tag: option.boolean({ default: true }),
  ...SERVER_TLS_OPTIONS,
  ssl_client_authentication: option.words(['none', 'optional', 'required'], { default: 'none' }),
} as const

export const beats = inputPlugin({
  name: 'beats',
  options: OPTIONS,
  create: (options, context) => new BeatsInput(options, context),
})

class BeatsInput implements Input {
  readonly #options: OptionValues<typeof OPTIONS>
  readonly #context: PluginContext
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #sink: InputSink | undefined

  constructor(options: OptionValues<typeof OPTIONS>, context: PluginContext) {
    this.#options = options
    this.#context = context
    const take = (socket: Socket) => this.#take(socket)
    this.#server = options.ssl_enabled
      ? createTlsServer(serverTls(options, options.ssl_client_authentication), take)
      : createServer(take)
  }

  async start(): Promise<void> {
    await listen(this.#server, this.#options.port, this.#options.host)
    this.#context.log.info(`Listening for beats on ${this.#options.host}:${this.#options.port}`)
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
    socket.setTimeout(this.#options.client_inactivity_timeout * 1000, () => socket.destroy())
    this.#read(socket, this.#sink).catch((error: Error) => {
      if (!socket.destroyed) this.#context.log.warn(`A beats connection is closed: ${error.message}`)
      socket.destroy()
    })
  }

  async #read(socket: Socket, sink: InputSink): Promise<void> {
    const frames = new FrameReader()
    const acknowledgements = new BeatsAcknowledgements(socket)
    const address = plainAddress(socket.remoteAddress)
    let events: Event[] = []
    let last = 0
    const push = (): Promise<void> | undefined => {
      if (events.length === 0) return undefined
      const pushed = events
      events = []
      return sink.push(pushed, acknowledgements.expect(last))
    }
    for await (const bytes of socket as AsyncIterable<Buffer>) {
      for (const frame of frames.push(bytes)) {
        if (frame.kind === 'window') await push()
        else if (frame.kind === 'pairs')
          throw new Error('the sender speaks version 1 of the protocol: use the lumberjack input')
        else {
          last = frame.sequence
          events.push(this.#eventOf(frame.json, address))
        }
      }
      await push()
    }
  }

  #eventOf(json: string, address: string): Event {
    const now = new Timestamp(this.#context.clock.nowMs())
    const fields = parseJson(json)
    if (!isFields(fields)) throw new Error('an event is no JSON object')
    const event = Event.ofFields(fields, now)
    const isEcs = this.#context.ecs !== 'disabled'
    event.set(isEcs ? '[@metadata][input][beats][host][ip]' : '[@metadata][ip_address]', address)
    if (this.#options.include_codec_tag && event.has('message')) event.tag('beats_input_codec_plain_applied')
    const name = event.get('[host][name]')
    if (this.#options.add_hostname && typeof name === 'string') event.setDefault('[agent][hostname]', name)
    return event
  }
}
