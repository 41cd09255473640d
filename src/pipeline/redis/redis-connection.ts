/** A connection to a Redis server, speaking RESP2: commands out, replies in, in their order. */
import { connect, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'
import { RedisError, type Reply, ReplyReader } from './reply-reader.ts'

export interface RedisSettings {
  readonly host: string
  readonly port: number
  /** A socket file instead of host and port. */
  readonly path?: string | undefined
  readonly database: number
  readonly user?: string | undefined
  readonly password?: string | undefined
  readonly tls?: ConnectionOptions | undefined
}

export class RedisConnection {
  readonly #socket: Socket
  readonly #replies = new ReplyReader()
  #waiting: { resolve: (reply: Reply) => void; reject: (error: Error) => void }[] = []
  /** Takes what the server sends without being asked: messages of channels. */
  onMessage: ((reply: Reply) => void) | undefined
  onClose: ((error: Error) => void) | undefined
  #failure: Error | undefined

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', (bytes: Buffer) => {
      this.#replies.push(bytes)
      for (let reply = this.#replies.next(); reply !== undefined; reply = this.#replies.next()) this.#take(reply)
    })
    socket.on('error', (error) => this.#fail(error))
    socket.on('close', () => this.#fail(new Error('the connection was closed')))
  }

  static async open(settings: RedisSettings): Promise<RedisConnection> {
    const { host, port, path, tls, user, password, database } = settings
    const socket: Socket =
      path !== undefined
        ? connect({ path })
        : tls === undefined
          ? connect({ host, port })
          : connectTls({ host, port, ...tls })
    await new Promise<void>((resolve, reject) => {
      socket.once(tls === undefined || path !== undefined ? 'connect' : 'secureConnect', resolve)
      socket.once('error', reject)
    })
    const connection = new RedisConnection(socket)
    if (password !== undefined) await connection.call('AUTH', ...(user === undefined ? [] : [user]), password)
    if (database !== 0) await connection.call('SELECT', String(database))
    return connection
  }

  /** Rejects with a `RedisError` when the server refuses, and with another error when the connection breaks. */
  call(...words: (string | Uint8Array)[]): Promise<Reply> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure)
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject })
      this.#socket.write(encodeCommand(words))
    })
  }

  close(): void {
    this.#socket.destroy()
  }

  #take(reply: Reply): void {
    const waiting = this.#waiting.shift()
    if (waiting === undefined) this.onMessage?.(reply)
    else if (reply instanceof RedisError) waiting.reject(reply)
    else waiting.resolve(reply)
  }

  #fail(error: Error): void {
    this.#failure ??= error
    for (const { reject } of this.#waiting.splice(0)) reject(this.#failure)
    this.#socket.destroy()
    this.onClose?.(this.#failure)
  }
}

function encodeCommand(words: readonly (string | Uint8Array)[]): Buffer {
  const pieces: Uint8Array[] = [Buffer.from(`*${words.length}\r\n`)]
  for (const word of words) {
    const bytes = typeof word === 'string' ? Buffer.from(word) : word
    pieces.push(Buffer.from(`$${bytes.length}\r\n`), bytes, Buffer.from('\r\n'))
  }
  return Buffer.concat(pieces)
}
