/** A connection to a memcached server: the text protocol, commands and replies in order. */
import { connect, type Socket } from 'node:net'

export interface MemcachedSettings {
  readonly host: string
  readonly port: number
  readonly timeoutMs: number
}

interface Waiting {
  readonly resolve: (reply: MemcachedReply) => void
  readonly reject: (error: Error) => void
}

export interface MemcachedReply {
  /** `STORED`, `END`, `ERROR …` */
  readonly status: string
  readonly values: ReadonlyMap<string, string>
}

export class MemcachedConnection {
  readonly #socket: Socket
  readonly #timeoutMs: number
  #bytes: Buffer = Buffer.alloc(0)
  #values = new Map<string, string>()
  #waiting: Waiting[] = []
  #failure: Error | undefined

  private constructor(socket: Socket, timeoutMs: number) {
    this.#socket = socket
    this.#timeoutMs = timeoutMs
    socket.on('data', (bytes: Buffer) => {
      this.#bytes = Buffer.concat([this.#bytes, bytes])
      this.#takeReplies()
    })
    socket.on('error', (error) => this.#fail(error))
    socket.on('close', () => this.#fail(new Error('the connection was closed')))
  }

  static async open({ host, port, timeoutMs }: MemcachedSettings): Promise<MemcachedConnection> {
    const socket = connect({ host, port })
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => socket.destroy(new Error(`no connection within ${timeoutMs} ms`)), timeoutMs)
      socket.once('connect', () => {
        clearTimeout(timer)
        resolve()
      })
      socket.once('error', (error) => {
        clearTimeout(timer)
        reject(error)
      })
    })
    return new MemcachedConnection(socket, timeoutMs)
  }

  get isUsable(): boolean {
    return this.#failure === undefined
  }

  async get(keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const reply = await this.#send(`get ${keys.join(' ')}\r\n`)
    if (reply.status !== 'END') throw new Error(`memcached answered ${reply.status}`)
    return reply.values
  }

  async set(key: string, value: string, ttlSeconds: number): Promise<void> {
    const reply = await this.#send(`set ${key} 0 ${ttlSeconds} ${Buffer.byteLength(value)}\r\n${value}\r\n`)
    if (reply.status !== 'STORED') throw new Error(`memcached answered ${reply.status}`)
  }

  close(): void {
    this.#fail(new Error('the connection was closed'))
    this.#socket.destroy()
  }

  #send(command: string): Promise<MemcachedReply> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure)
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => this.#socket.destroy(new Error(`no answer within ${this.#timeoutMs} ms`)),
        this.#timeoutMs,
      )
      const done =
        <T>(settle: (value: T) => void) =>
        (value: T) => {
          clearTimeout(timer)
          settle(value)
        }
      this.#waiting.push({ resolve: done(resolve), reject: done(reject) })
      this.#socket.write(command)
    })
  }

  /** `VALUE key flags length`, its bytes, and a last line that ends the reply. */
  #takeReplies(): void {
    for (;;) {
      const end = this.#bytes.indexOf('\r\n')
      if (end < 0) return
      const line = this.#bytes.toString('utf8', 0, end)
      const value = /^VALUE (\S+) \d+ (\d+)/.exec(line)
      if (value !== null) {
        const from = end + 2
        const to = from + Number(value[2])
        if (this.#bytes.length < to + 2) return
        this.#values.set(value[1]!, this.#bytes.toString('utf8', from, to))
        this.#bytes = this.#bytes.subarray(to + 2)
        continue
      }
      this.#bytes = this.#bytes.subarray(end + 2)
      const values = this.#values
      this.#values = new Map()
      this.#waiting.shift()?.resolve({ status: line, values })
    }
  }

  #fail(error: Error): void {
    if (this.#failure !== undefined) return
    this.#failure = error
    for (const { reject } of this.#waiting.splice(0)) reject(error)
  }
}
