/** `gelf`: messages of Graylog's format over UDP, also in chunks and compressed, or over TCP, each ended by a zero byte. */
import { createServer } from 'node:net'
import { LinesDecoder } from '../codecs/lines-decoder.ts'
import type { Event } from '../event/event.ts'
import { Timestamp } from '../event/timestamp.ts'
import { GelfDatagrams } from '../gelf/gelf-datagrams.ts'
import { type GelfNames, gelfEvent } from '../gelf/gelf-events.ts'
import { listen } from '../net/listen.ts'
import { StreamServer } from '../net/stream-server.ts'
import { utf8 } from '../plugin/charset.ts'
import type { Codec, Decoder } from '../plugin/codec-plugin.ts'
import { type Input, inputPlugin } from '../plugin/input-plugin.ts'
import { type OptionValues, option } from '../plugin/options.ts'
import type { PluginContext } from '../plugin/plugin-context.ts'
import { plainAddress } from './network-decoration.ts'
import { readSocket } from './socket-reader.ts'
import { UdpInput } from './udp.ts'

const OPTIONS = {
  host: option.string({ default: '0.0.0.0' }),
  port: option.number({ default: 12201 }),
  port_tcp: option.number(),
  port_udp: option.number(),
  use_tcp: option.boolean({ default: false }),
  use_udp: option.boolean({ default: true }),
  remap: option.boolean({ default: true }),
  strip_leading_underscore: option.boolean({ default: true }),
  codec: option.ignored('Messages are always JSON.'),
} as const

type Options = OptionValues<typeof OPTIONS>

const SOURCE_FIELD = 'source_host'
const DATAGRAM_BYTES_MAX = 65_536
const QUEUE_SIZE = 2000

export const gelf = inputPlugin({
  name: 'gelf',
  touches: 'network',
  options: OPTIONS,
  create(options, context) {
    const names = { remap: options.remap, stripUnderscore: options.strip_leading_underscore }
    const inputs: Input[] = [
      ...(options.use_tcp ? [tcpInput(options, names, context)] : []),
      ...(options.use_udp ? [udpInput(options, names, context)] : []),
    ]
    return {
      start: async () => {
        for (const input of inputs) await input.start?.()
      },
      run: async (sink) => {
        await Promise.all(inputs.map((input) => input.run(sink)))
      },
      stop: () => {
        for (const input of inputs) input.stop()
      },
    }
  },
})

function udpInput(options: Options, names: GelfNames, context: PluginContext): Input {
  return new UdpInput(
    {
      port: options.port_udp ?? options.port,
      host: options.host,
      codec: datagramCodec(names, context),
      buffer_size: DATAGRAM_BYTES_MAX,
      receive_buffer_bytes: undefined,
      workers: undefined,
      queue_size: QUEUE_SIZE,
      source_ip_fieldname: SOURCE_FIELD,
    },
    context,
  )
}

function tcpInput(options: Options, names: GelfNames, context: PluginContext): Input {
  const { host, port, port_tcp: tcpPort = port } = options
  return new StreamServer({
    create: (take) => createServer(take),
    listen: async (server) => {
      await listen(server, tcpPort, host)
      context.log.info(`Listening for gelf on ${host}:${tcpPort}`)
    },
    read: (socket, sink) => {
      const address = plainAddress(socket.remoteAddress)
      const decorate = (event: Event) => event.set(SOURCE_FIELD, address)
      return readSocket(socket, new GelfLines(names, context), decorate, sink)
    },
    log: context.log,
  })
}

class GelfLines extends LinesDecoder {
  readonly #names: GelfNames

  constructor(names: GelfNames, context: PluginContext) {
    super(utf8, '\0', context)
    this.#names = names
  }

  decodeLine(line: string, out: Event[]): void {
    out.push(gelfEvent(line, this.#names, this.maker.now()))
  }
}

function datagramCodec(names: GelfNames, { clock, log }: PluginContext): Codec {
  const datagrams = new GelfDatagrams(() => clock.nowMs())
  const codec: Codec = {
    name: 'gelf',
    createDecoder(source = ''): Decoder {
      return {
        charset: utf8,
        pending: false,
        decode(bytes, out) {
          try {
            const text = datagrams.take(Buffer.from(bytes), source)
            if (text !== undefined) out.push(gelfEvent(text, names, new Timestamp(clock.nowMs())))
          } catch (error) {
            log.warn(`A datagram that is no GELF message is skipped: ${(error as Error).message}`)
          }
        },
        decodeLine(line, out) {
          out.push(gelfEvent(line, names, new Timestamp(clock.nowMs())))
        },
        flush() {},
      }
    },
    encode() {
      throw new Error('gelf messages are not written')
    },
    forStream: () => codec,
  }
  return codec
}
