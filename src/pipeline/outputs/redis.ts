/** `redis`: appends events to a list, or publishes them on a channel. */
import type { Event } from '../event/event.ts'
import { CLIENT_TLS_OPTIONS, clientTls } from '../net/tls-options.ts'
import { Delivery } from '../plugin/delivery.ts'
import { option } from '../plugin/options.ts'
import { outputPlugin } from '../plugin/output-plugin.ts'
import { RedisConnection } from '../redis/redis-connection.ts'
import { RedisError } from '../redis/reply-reader.ts'

const TOGETHER = 'The events of a batch are always sent together.'

export const redis = outputPlugin({
  name: 'redis',
  touches: 'network',
  options: {
    key: option.string({ required: true }),
    data_type: option.words(['list', 'channel'], { required: true }),
    codec: option.codec({ default: 'json' }),
    host: option.strings({ default: ['127.0.0.1'] }),
    port: option.number({ default: 6379 }),
    db: option.number({ default: 0 }),
    username: option.string(),
    password: option.password(),
    ...CLIENT_TLS_OPTIONS,
    timeout: option.number({ default: 5 }),
    batch: option.ignored(TOGETHER),
    batch_events: option.ignored(TOGETHER),
    batch_timeout: option.ignored(TOGETHER),
    shuffle_hosts: option.boolean({ default: true }),
    reconnect_interval: option.number({ default: 1 }),
    congestion_threshold: option.number({ default: 0 }),
    congestion_interval: option.number({ default: 1 }),
  },
  create(options, context) {
    const { log } = context
    const hosts = options.shuffle_hosts ? [...options.host].sort(() => Math.random() - 0.5) : options.host
    const tls = options.ssl_enabled ? clientTls(options) : undefined
    const delivery = new Delivery('redis', context)
    const timeoutMs = Math.max(0.001, options.timeout) * 1000
    let turn = 0
    let connection: RedisConnection | undefined
    const connected = async () => {
      if (connection !== undefined) return connection
      const [host, port] = hosts[turn++ % hosts.length]!.split(':')
      const { db: database, username: user, password } = options
      const address = { host: host!, port: Number(port ?? options.port) }
      connection = await RedisConnection.open({ ...address, database, user, password, tls, timeoutMs })
      return connection
    }
    /** Waits while a list is too long: a list that is not consumed must not exhaust the server's memory. */
    const waitForRoom = async (to: RedisConnection, key: string) => {
      if (options.data_type !== 'list' || options.congestion_threshold <= 0) return
      while (Number(await to.call('LLEN', key)) >= options.congestion_threshold) {
        log.warn(`Redis key ${key} is congested, waiting`)
        await delivery.wait(options.congestion_interval * 1000)
      }
    }
    const send = async (key: string, items: readonly Item[]) => {
      const to = await connected()
      await waitForRoom(to, key)
      const payloads = items.map(({ bytes }) => bytes)
      if (options.data_type === 'list') await to.call('RPUSH', key, ...payloads)
      else await Promise.all(payloads.map((payload) => to.call('PUBLISH', key, payload)))
    }
    /** Keys that were written are done: a failure of the next key does not repeat them. */
    const sendUntilTaken = (key: string, items: readonly Item[]) =>
      delivery.retry(
        async () => {
          try {
            await send(key, items)
          } catch (error) {
            if (error instanceof RedisError && isFinal(error)) {
              for (const { event } of items) await delivery.giveUp(event, `Redis refuses key ${key}: ${error.message}`)
              return
            }
            connection?.close()
            connection = undefined
            throw error
          }
        },
        { waitMs: options.reconnect_interval * 1000 },
      )
    return {
      async write(events) {
        const byKey = new Map<string, Item[]>()
        await delivery.forEach(events, (event) => {
          const bytes = options.codec.encode(event)
          const key = event.expand(options.key)
          const items = byKey.get(key)
          if (items === undefined) byKey.set(key, [{ event, bytes }])
          else items.push({ event, bytes })
        })
        for (const [key, items] of byKey) await sendUntilTaken(key, items)
      },
      async close() {
        delivery.close()
        connection?.close()
      },
    }
  },
})

interface Item {
  readonly event: Event
  readonly bytes: string | Uint8Array
}

/** Whether the key holds something other than a list. All other errors (memory, loading, permissions) can be fixed. */
function isFinal({ message }: RedisError): boolean {
  return message.startsWith('WRONGTYPE')
}
