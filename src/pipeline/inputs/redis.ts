/** `redis`: reads events from a list or from channels. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Event } from '../event/event.ts'
import { CLIENT_TLS_OPTIONS, clientTls } from '../net/tls-options.ts'
import { type Input, type InputSink, inputPlugin } from '../plugin/input-plugin.ts'
import { type OptionValues, option } from '../plugin/options.ts'
import type { PluginContext } from '../plugin/plugin-context.ts'
import { RedisConnection } from '../redis/redis-connection.ts'
import type { Reply } from '../redis/reply-reader.ts'

const RECONNECT_MS = 1000
/** Timeout for connections, and for replies of commands that do not block. */
const ANSWER_MS = 10_000
/** The blocking time used for a `timeout` of 0. */
const FOREVER_SECONDS = 60
/** Ping interval of a connection that only receives messages. */
const PING_MS = 30_000

const OPTIONS = {
  key: option.string({ required: true }),
  data_type: option.words(['list', 'channel', 'pattern_channel'], { required: true }),
  codec: option.codec({ default: 'json' }),
  host: option.string({ default: '127.0.0.1' }),
  port: option.number({ default: 6379 }),
  path: option.touching('files', option.string()),
  db: option.number({ default: 0 }),
  timeout: option.number({ default: 5 }),
  username: option.string(),
  password: option.password(),
  ...CLIENT_TLS_OPTIONS,
  batch_count: option.number({ default: 125 }),
  threads: option.number({ default: 1 }),
  command_map: option.hash(),
} as const

export const redis = inputPlugin({
  name: 'redis',
  touches: 'network',
  options: OPTIONS,
  create: (options, context) => new RedisInput(options, context),
})

class RedisInput implements Input {
  readonly #options: OptionValues<typeof OPTIONS>
  readonly #context: PluginContext
  readonly #stopping = new AbortController()
  readonly #connections = new Set<RedisConnection>()

  constructor(options: OptionValues<typeof OPTIONS>, context: PluginContext) {
    this.#options = options
    this.#context = context
  }

  async run(sink: InputSink): Promise<void> {
    const count = this.#options.data_type === 'list' ? Math.max(1, this.#options.threads) : 1
    await Promise.all(Array.from({ length: count }, () => this.#runOne(sink)))
  }

  stop(): void {
    this.#stopping.abort()
    for (const connection of this.#connections) connection.close()
  }

  async #runOne(sink: InputSink): Promise<void> {
    const { signal } = this.#stopping
    const { host, port, path, db, username, password, ssl_enabled: isSecure, data_type: type } = this.#options
    while (!signal.aborted) {
      let connection: RedisConnection | undefined
      try {
        connection = await RedisConnection.open({
          host,
          port,
          path,
          database: db,
          user: username,
          password,
          timeoutMs: ANSWER_MS,
          ...(isSecure ? { tls: clientTls(this.#options) } : {}),
        })
        this.#connections.add(connection)
        await (type === 'list' ? this.#readList(connection, sink) : this.#readChannel(connection, sink))
      } catch (error) {
        if (signal.aborted) return
        this.#context.log.warn(`Redis connection problem: ${(error as Error).message}`)
        await sleep(RECONNECT_MS, undefined, { signal }).catch(() => {})
      } finally {
        if (connection !== undefined) this.#connections.delete(connection)
        connection?.close()
      }
    }
  }

  /** Blocks for the first item, then takes all available items: many items cost only one more round trip. */
  async #readList(connection: RedisConnection, sink: InputSink): Promise<void> {
    const { key, timeout, batch_count: batch } = this.#options
    while (!this.#stopping.signal.aborted) {
      // Without an item the reply comes after `timeout` seconds. 0 would block forever, which is indistinguishable from
      // a dead server.
      const seconds = timeout > 0 ? timeout : FOREVER_SECONDS
      const waitMs = seconds * 1000 + ANSWER_MS
      const first = await connection.callWithin(waitMs, this.#command('BLPOP'), key, String(seconds))
      if (!Array.isArray(first)) continue
      const events: Event[] = []
      this.#decode(first[1]!, events)
      if (batch > 1) {
        const pops = Array.from({ length: batch - 1 }, () => connection.call(this.#command('LPOP'), key))
        for (const item of await Promise.all(pops)) if (item !== null) this.#decode(item, events)
      }
      await sink.push(events)
    }
  }

  async #readChannel(connection: RedisConnection, sink: InputSink): Promise<void> {
    const isPattern = this.#options.data_type === 'pattern_channel'
    const closed = new Promise<void>((_, reject) => {
      connection.onClose = reject
    })
    // The rejection is handled by the caller that awaits it. While subscribing nobody does.
    closed.catch(() => {})
    let isAlive = true
    // Messages may follow the subscription reply immediately.
    connection.onMessage = (reply) => {
      if (!Array.isArray(reply)) return
      isAlive = true
      // The reply to a ping looks like a message: its kind, and the data sent with it.
      if (String(reply[0]) === 'pong') return
      const events: Event[] = []
      this.#decode(reply[reply.length - 1]!, events)
      const room = sink.push(events)
      if (room === undefined) return
      // The queue is full. Redis buffers the messages up to its own limits.
      connection.pause()
      void room.then(() => connection.resume())
    }
    await connection.call(this.#command(isPattern ? 'PSUBSCRIBE' : 'SUBSCRIBE'), this.#options.key)
    const timer = setInterval(() => {
      // A paused reader receives nothing, which says nothing about the server.
      if (!isAlive && !connection.isPaused) connection.close()
      isAlive = false
      connection.send('PING')
    }, PING_MS)
    try {
      await closed
    } finally {
      clearInterval(timer)
    }
  }

  /** Servers may rename commands to protect them. */
  #command(name: string): string {
    const renamed = this.#options.command_map?.get(name.toLowerCase())
    return renamed === undefined ? name : String(renamed)
  }

  #decode(item: Reply, out: Event[]): void {
    if (!Buffer.isBuffer(item)) return
    const decoder = this.#options.codec.createDecoder()
    decoder.decode(item, out)
    decoder.flush(out)
  }
}
