/** `udp`: makes one event per datagram (or whatever the codec decodes from it). */
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import type { Event } from '../event/event.ts'
import { bindError } from '../net/listen.ts'
import { type Input, type InputSink, inputPlugin } from '../plugin/input-plugin.ts'
import { type OptionValues, option } from '../plugin/options.ts'
import type { PluginContext } from '../plugin/plugin-context.ts'
import { plainAddress } from './network-decoration.ts'

const OPTIONS = {
  port: option.number({ required: true }),
  host: option.string({ default: '0.0.0.0' }),
  codec: option.codec({ default: 'plain' }),
  buffer_size: option.number({ default: 65536 }),
  receive_buffer_bytes: option.number(),
  workers: option.ignored('One thread does the work of all inputs.'),
  queue_size: option.number({ default: 2000 }),
  source_ip_fieldname: option.field(),
} as const

export type UdpOptions = OptionValues<typeof OPTIONS>

export const udp = inputPlugin({
  name: 'udp',
  touches: 'network',
  options: OPTIONS,
  create: (options, context) => new UdpInput(options, context),
})

export class UdpInput implements Input {
  readonly #options: UdpOptions
  readonly #context: PluginContext
  readonly #socket: Socket
  readonly #sourceField: string
  /** Events that wait for room in the queue. UDP cannot slow a sender down. */
  #waiting: Event[] = []
  #pushing: Promise<void> | undefined
  #sink: InputSink | undefined
  #lost = 0

  constructor(options: UdpOptions, context: PluginContext) {
    this.#options = options
    this.#context = context
    this.#sourceField = options.source_ip_fieldname ?? (context.ecs === 'disabled' ? 'host' : '[host][ip]')
    this.#socket = createSocket({
      type: options.host.includes(':') ? 'udp6' : 'udp4',
      reuseAddr: true,
      ...(options.receive_buffer_bytes === undefined ? {} : { recvBufferSize: options.receive_buffer_bytes }),
    })
    this.#socket.on('message', (bytes, sender) => this.#take(bytes, sender))
  }

  async start(): Promise<void> {
    const { port, host } = this.#options
    await new Promise<void>((resolve, reject) => {
      this.#socket.once('error', (error) => reject(bindError(error, port, host)))
      this.#socket.bind({ port, address: host, exclusive: true }, () => resolve())
    })
    this.#socket.removeAllListeners('error')
    this.#socket.on('error', (error) => this.#context.log.warn(`udp ${host}:${port}: ${error.message}`))
    this.#context.log.info(`Listening for udp on ${host}:${port}`)
  }

  async run(sink: InputSink): Promise<void> {
    this.#sink = sink
    this.#push()
    await new Promise<void>((resolve) => this.#socket.once('close', () => resolve()))
    await this.#pushing
    if (this.#lost > 0) this.#context.log.warn(`${this.#lost} datagrams were lost because the queue was full`)
  }

  stop(): void {
    this.#socket.close()
  }

  #take(bytes: Buffer, sender: RemoteInfo): void {
    if (this.#waiting.length >= this.#options.queue_size) {
      if (this.#lost++ === 0) this.#context.log.warn('The queue is full: datagrams are lost')
      return
    }
    // Each datagram has its own decoder, so that datagrams never mix.
    const decoder = this.#options.codec.createDecoder(`${sender.address}:${sender.port}`)
    const events: Event[] = []
    decoder.decode(
      bytes.length > this.#options.buffer_size ? bytes.subarray(0, this.#options.buffer_size) : bytes,
      events,
    )
    decoder.flush(events)
    const address = plainAddress(sender.address)
    for (const event of events) {
      event.setDefault(this.#sourceField, address)
      this.#waiting.push(event)
    }
    this.#push()
  }

  #push(): void {
    const sink = this.#sink
    if (sink === undefined || this.#pushing !== undefined || this.#waiting.length === 0) return
    this.#pushing = this.#pushAll(sink).finally(() => {
      this.#pushing = undefined
    })
  }

  async #pushAll(sink: InputSink): Promise<void> {
    while (this.#waiting.length > 0) await sink.push(this.#waiting.splice(0))
  }
}
