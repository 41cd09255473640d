/**
 * A connection to a broker. Each request carries a correlation id that its response repeats. A broker responds in
 * order.
 *
 *     int32 length | int16 api | int16 version | int32 id | string client        and back        int32 length | int32 id
 */
import { connect, isIP, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'
import { check } from './kafka-error.ts'
import { authenticate, type SaslCredentials } from './sasl.ts'
import { WireReader, WireWriter } from './wire.ts'

/**
 * An API and the version of it that we use: the newest before compact strings, which every broker since 2.3 supports.
 */
export interface Api {
  readonly name: string
  readonly key: number
  readonly version: number
}

const SASL_HANDSHAKE: Api = { name: 'SaslHandshake', key: 17, version: 1 }
const API_VERSIONS: Api = { name: 'ApiVersions', key: 18, version: 0 }
const SASL_AUTHENTICATE: Api = { name: 'SaslAuthenticate', key: 36, version: 1 }

export interface BrokerSettings {
  readonly clientId: string
  readonly requestTimeoutMs: number
  readonly tls: ConnectionOptions | undefined
  readonly sasl: SaslCredentials | undefined
}

export interface BrokerAddress {
  readonly host: string
  readonly port: number
}

interface Waiting {
  readonly resolve: (answer: WireReader) => void
  readonly reject: (error: Error) => void
  readonly timer: NodeJS.Timeout
}

export class BrokerConnection {
  readonly #settings: BrokerSettings
  readonly #socket: Socket
  readonly #waiting = new Map<number, Waiting>()
  readonly #versions = new Map<number, { min: number; max: number }>()
  #pieces: Buffer[] = []
  #pieceBytes = 0
  #number = 0
  #failure: Error | undefined

  private constructor(socket: Socket, settings: BrokerSettings) {
    this.#settings = settings
    this.#socket = socket
    socket.setNoDelay(true)
    socket.on('data', (bytes: Buffer) => this.#take(bytes))
    socket.on('error', (error) => this.#fail(error))
    socket.on('close', () => this.#fail(new Error('the broker closed the connection')))
  }

  static async open(address: BrokerAddress, settings: BrokerSettings): Promise<BrokerConnection> {
    const connection = new BrokerConnection(await connectTo(address, settings), settings)
    try {
      await connection.#greet()
      return connection
    } catch (error) {
      connection.close()
      throw error
    }
  }

  get isOpen(): boolean {
    return this.#failure === undefined
  }

  /** `extraMs` is the additional time that the broker may wait, as in a fetch. */
  async call<T>(api: Api, write: (body: WireWriter) => void, read: (answer: WireReader) => T, extraMs = 0): Promise<T> {
    const known = this.#versions.get(api.key)
    if (known !== undefined && (api.version < known.min || api.version > known.max)) {
      throw new Error(`the broker speaks ${api.name} ${known.min} to ${known.max}, version ${api.version} is needed`)
    }
    return read(await this.#exchange(api, write, this.#settings.requestTimeoutMs + extraMs))
  }

  /** Sends a request without a response: produce with `acks` 0. */
  send(api: Api, write: (body: WireWriter) => void): void {
    if (this.#failure !== undefined) throw this.#failure
    this.#socket.write(this.#encode(api, ++this.#number, write))
  }

  close(): void {
    this.#fail(new Error('the connection was closed'))
  }

  async #greet(): Promise<void> {
    await this.call(
      API_VERSIONS,
      () => {},
      (answer) => {
        check(answer.int16(), 'ApiVersions')
        answer.array(() => this.#versions.set(answer.int16(), { min: answer.int16(), max: answer.int16() }))
      },
    )
    const { sasl } = this.#settings
    if (sasl === undefined) return
    await this.call(
      SASL_HANDSHAKE,
      (body) => body.string(sasl.mechanism),
      (answer) => check(answer.int16(), `SASL mechanism ${sasl.mechanism}`),
    )
    await authenticate(sasl, (message) =>
      this.call(
        SASL_AUTHENTICATE,
        (body) => body.bytes(message),
        (answer) => {
          const code = answer.int16()
          const reason = answer.string()
          check(code, `SASL authentication of ${sasl.user}${reason === undefined ? '' : ` (${reason})`}`)
          return Buffer.from(answer.bytes() ?? [])
        },
      ),
    )
  }

  #exchange(api: Api, write: (body: WireWriter) => void, timeoutMs: number): Promise<WireReader> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure)
    return new Promise((resolve, reject) => {
      const number = ++this.#number
      const timer = setTimeout(
        () => this.#fail(new Error(`the broker did not answer ${api.name} within ${timeoutMs} ms`)),
        timeoutMs,
      )
      this.#waiting.set(number, { resolve, reject, timer })
      this.#socket.write(this.#encode(api, number, write))
    })
  }

  #encode(api: Api, number: number, write: (body: WireWriter) => void): Buffer {
    const message = new WireWriter()
    message.int32(0).int16(api.key).int16(api.version).int32(number).string(this.#settings.clientId)
    write(message)
    const bytes = message.finish()
    bytes.writeInt32BE(bytes.length - 4, 0)
    return bytes
  }

  /** Chunks are joined only when a complete response has arrived, because fetch responses are large. */
  #take(bytes: Buffer): void {
    this.#pieces.push(bytes)
    this.#pieceBytes += bytes.length
    while (this.#pieceBytes >= 4) {
      if (this.#pieces[0]!.length < 4) this.#pieces = [Buffer.concat(this.#pieces)]
      const end = 4 + this.#pieces[0]!.readInt32BE(0)
      if (this.#pieceBytes < end) return
      const whole = this.#pieces.length === 1 ? this.#pieces[0]! : Buffer.concat(this.#pieces)
      this.#pieces = end === whole.length ? [] : [whole.subarray(end)]
      this.#pieceBytes = whole.length - end
      this.#answer(new WireReader(whole.subarray(4, end)))
    }
  }

  #answer(answer: WireReader): void {
    const number = answer.int32()
    const waiting = this.#waiting.get(number)
    if (waiting === undefined) return
    this.#waiting.delete(number)
    clearTimeout(waiting.timer)
    waiting.resolve(answer)
  }

  #fail(error: Error): void {
    if (this.#failure !== undefined) return
    this.#failure = error
    this.#socket.destroy()
    for (const { reject, timer } of this.#waiting.values()) {
      clearTimeout(timer)
      reject(error)
    }
    this.#waiting.clear()
  }
}

async function connectTo({ host, port }: BrokerAddress, settings: BrokerSettings): Promise<Socket> {
  const socket: Socket =
    settings.tls === undefined
      ? connect({ host, port })
      : connectTls({ host, port, ...(isIP(host) === 0 ? { servername: host } : {}), ...settings.tls })
  const timer = setTimeout(() => socket.destroy(new Error('no connection in time')), settings.requestTimeoutMs)
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once(settings.tls === undefined ? 'connect' : 'secureConnect', resolve)
      socket.once('error', reject)
    })
  } catch (error) {
    throw new Error(`could not connect to broker ${host}:${port}: ${(error as Error).message}`)
  } finally {
    clearTimeout(timer)
  }
  return socket
}
