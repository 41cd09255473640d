/** `lumberjack`: sends events to a lumberjack input, and waits until they are acknowledged. */
import { readFileSync } from 'node:fs'
import { connect, type TLSSocket } from 'node:tls'
import { deflateSync } from 'node:zlib'
import type { Event } from '../event/event.ts'
import { Delivery } from '../plugin/delivery.ts'
import { option } from '../plugin/options.ts'
import { outputPlugin } from '../plugin/output-plugin.ts'

const RECONNECT_MS = 500
const ACKNOWLEDGED_WITHIN_MS = 60_000

export const lumberjack = outputPlugin({
  name: 'lumberjack',
  touches: 'network',
  options: {
    hosts: option.strings({ required: true }),
    port: option.number({ required: true }),
    codec: option.codec({ default: 'plain' }),
    ssl_certificate: option.path({ required: true }),
    flush_size: option.number({ default: 1024 }),
    window_size: option.renamed('flush_size'),
    idle_flush_time: option.ignored('A batch is sent at once.'),
  },
  create(options, context) {
    const { hosts, port, codec, flush_size: windowSize } = options
    const delivery = new Delivery('lumberjack', context)
    const ca = readFileSync(options.ssl_certificate)
    let connection: LumberjackConnection | undefined
    let last = Promise.resolve()

    const send = async (lines: readonly string[]): Promise<void> => {
      connection ??= await LumberjackConnection.open(hosts[Math.floor(Math.random() * hosts.length)]!, port, ca)
      try {
        await connection.send(lines)
      } catch (error) {
        connection.close()
        connection = undefined
        throw error
      }
    }

    const write = async (events: readonly Event[]): Promise<void> => {
      const lines = await delivery.forEach(events, (event) =>
        Buffer.from(codec.encode(event) as string).toString('utf8'),
      )
      for (let at = 0; at < lines.length; at += windowSize) {
        await delivery.retry(() => send(lines.slice(at, at + windowSize)), { waitMs: RECONNECT_MS })
      }
    }

    return {
      write(events) {
        // One window at a time, because all windows of a connection share one sequence of numbers.
        const written = last.then(() => write(events))
        last = written.catch(() => {})
        return written
      },
      async close() {
        delivery.close()
        connection?.close()
      },
    }
  },
})

class LumberjackConnection {
  readonly #socket: TLSSocket
  #received: Buffer = Buffer.alloc(0)
  #waiting:
    | { readonly sequence: number; readonly resolve: () => void; readonly reject: (error: Error) => void }
    | undefined
  #failure: Error | undefined

  private constructor(socket: TLSSocket) {
    this.#socket = socket
    socket.on('data', (bytes: Buffer) => this.#take(bytes))
    socket.on('error', (error) => this.#fail(error))
    socket.on('close', () => this.#fail(new Error('the connection was closed')))
  }

  /** The certificate of the server is the one that is trusted; its name does not matter, as in Logstash. */
  static open(host: string, port: number, ca: Buffer): Promise<LumberjackConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host, port, ca, checkServerIdentity: () => undefined })
      socket.once('secureConnect', () => {
        socket.removeListener('error', reject)
        resolve(new LumberjackConnection(socket))
      })
      socket.once('error', reject)
    })
  }

  async send(lines: readonly string[]): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure
    const frames = Buffer.concat(lines.map((line, i) => dataFrame(i + 1, line)))
    const compressed = deflateSync(frames)
    const acknowledged = new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => this.#fail(new Error('no acknowledgement came')), ACKNOWLEDGED_WITHIN_MS)
      const settle = (end: () => void) => () => {
        clearTimeout(timer)
        end()
      }
      this.#waiting = {
        sequence: lines.length,
        resolve: settle(resolve),
        reject: (error) => settle(() => reject(error))(),
      }
    })
    this.#socket.write(Buffer.concat([head('W', lines.length), head('C', compressed.length), compressed]))
    await acknowledged
  }

  close(): void {
    this.#socket.destroy()
  }

  #take(bytes: Buffer): void {
    this.#received = Buffer.concat([this.#received, bytes])
    while (this.#received.length >= 6) {
      const sequence = this.#received.readUInt32BE(2)
      this.#received = this.#received.subarray(6)
      if (this.#waiting === undefined || sequence < this.#waiting.sequence) continue
      const { resolve } = this.#waiting
      this.#waiting = undefined
      resolve()
    }
  }

  #fail(error: Error): void {
    this.#failure ??= error
    this.#waiting?.reject(error)
    this.#waiting = undefined
  }
}

function head(kind: 'W' | 'C' | 'D', value: number): Buffer {
  const frame = Buffer.from(`1${kind}\0\0\0\0`, 'latin1')
  frame.writeUInt32BE(value, 2)
  return frame
}

function dataFrame(sequence: number, line: string): Buffer {
  return Buffer.concat([head('D', sequence), number(1), text('line'), text(line)])
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([number(bytes.length), bytes])
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
