/** A RESP2 connection to a Redis server: sends commands and receives replies in order. */
import { connect, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'
import { RedisError, type Reply, ReplyReader } from './reply-reader.ts'

export interface RedisSettings {
  readonly host: string
  readonly port: number
  /** A socket file in place of host and port. */
  readonly path?: string | undefined
  readonly database: number
  readonly user?: string | undefined
  readonly password?: string | undefined
  readonly tls?: ConnectionOptions | undefined
  /** Timeout for connecting, and for the reply to a command. */
  readonly timeoutMs: number
}

/** A server that disappears silently is detected after this time plus the system's keep-alive probes. */
const KEEP_ALIVE_MS = 30_000

export class RedisConnection {
  readonly #socket: Socket
  readonly #replies = new ReplyReader()
  #waiting: { resolve: (reply: Reply) => void; reject: (error: Error) => void }[] = []
  /** Receives unrequested data: messages of channels. */
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
   * Rejects with a `RedisError` if the server rejects the command, and with another error if the connection breaks or
   * times out. The connection is then unusable.
   */
  call(...words: (string | Uint8Array)[]): Promise<Reply> {
    return this.callWithin(this.#timeoutMs, ...words)
  }

  /** For commands that block on the server. */
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

  /** Sends a command whose reply arrives as a message, on a connection subscribed to channels. */
  send(...words: string[]): void {
    if (this.#failure === undefined) this.#socket.write(encodeCommand(words))
  }

  get isPaused(): boolean {
    return this.#isPaused
  }

  /** Stops reading until `resume`: the data stays in the server's or the system's buffers. */
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
