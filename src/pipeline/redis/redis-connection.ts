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
  /** The longest time for a connection, and for the answer to a command. */
  readonly timeoutMs: number
}

/** A server that vanished without a word is noticed after this and the system's own number of probes. */
const KEEP_ALIVE_MS = 30_000

export class RedisConnection {
  readonly #socket: Socket
  readonly #replies = new ReplyReader()
  #waiting: { resolve: (reply: Reply) => void; reject: (error: Error) => void }[] = []
  /** Takes what the server sends without being asked: messages of channels. */
  onMessage: ((reply: Reply) => void) | undefined
  onClose: ((error: Error) => void) | undefined
  #failure: Error | undefined

  readonly #timeoutMs: number
  #isPaused = false

  private constructor(socket: Socket, timeoutMs: number) {
    this.#socket = socket
    this.#timeoutMs = timeoutMs
    socket.on('data', (bytes: Buffer) => {
      this.#replies.push(bytes)
      this.#takeReplies()
    })
    socket.on('error', (error) => this.#fail(error))
    socket.on('close', () => this.#fail(new Error('the connection was closed')))
  }

  static async open(settings: RedisSettings): Promise<RedisConnection> {
    const { host, port, path, tls, user, password, database, timeoutMs } = settings
    const socket: Socket =
      path !== undefined
        ? connect({ path })
        : tls === undefined
          ? connect({ host, port })
          : connectTls({ host, port, ...tls })
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => socket.destroy(new Error(`no connection within ${timeoutMs} ms`)), timeoutMs)
      socket.once(tls === undefined || path !== undefined ? 'connect' : 'secureConnect', () => {
        clearTimeout(timer)
        resolve()
      })
      socket.once('error', (error) => {
        clearTimeout(timer)
        reject(error)
      })
    })
    socket.setKeepAlive(true, KEEP_ALIVE_MS)
    const connection = new RedisConnection(socket, timeoutMs)
    try {
      if (password !== undefined) await connection.call('AUTH', ...(user === undefined ? [] : [user]), password)
      if (database !== 0) await connection.call('SELECT', String(database))
      return connection
    } catch (error) {
      connection.close()
      throw error
    }
  }

  /**
   * Rejects with a `RedisError` when the server refuses, and with another error when the connection breaks or the answer does not come
   * in time: then the connection is of no more use.
   */
  call(...words: (string | Uint8Array)[]): Promise<Reply> {
    return this.callWithin(this.#timeoutMs, ...words)
  }

  /** For commands that wait on the server's side. */
  callWithin(timeoutMs: number, ...words: (string | Uint8Array)[]): Promise<Reply> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure)
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#fail(new Error(`no answer to ${String(words[0])} within ${timeoutMs} ms`))
      }, timeoutMs)
      this.#waiting.push({
        resolve(reply) {
          clearTimeout(timer)
          resolve(reply)
        },
        reject(error) {
          clearTimeout(timer)
          reject(error)
        },
      })
      this.#socket.write(encodeCommand(words))
    })
  }

  /** A command whose answer comes as a message, on a connection that listens to channels. */
  send(...words: string[]): void {
    if (this.#failure === undefined) this.#socket.write(encodeCommand(words))
  }

  get isPaused(): boolean {
    return this.#isPaused
  }

  /** Reads nothing more until `resume`: the server holds back what it has, or its buffers do. */
  pause(): void {
    this.#isPaused = true
    this.#socket.pause()
  }

  resume(): void {
    this.#isPaused = false
    this.#takeReplies()
    if (!this.#isPaused) this.#socket.resume()
  }

  close(): void {
    this.#socket.destroy()
  }

  #takeReplies(): void {
    while (!this.#isPaused) {
      const reply = this.#replies.next()
      if (reply === undefined) return
      this.#take(reply)
    }
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
