/** `redis`: appends events to a list, or publishes them on a channel. */
import { setTimeout as sleep } from 'node:timers/promises'
import { CLIENT_TLS_OPTIONS, clientTls } from '../net/tls-options.ts'
import { option } from '../plugin/options.ts'
import { outputPlugin } from '../plugin/output-plugin.ts'
import { RedisConnection } from '../redis/redis-connection.ts'

export const redis = outputPlugin({
  name: 'redis',
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
    batch: option.boolean({ default: false }),
    batch_events: option.number({ default: 50 }),
    batch_timeout: option.number({ default: 5 }),
    shuffle_hosts: option.boolean({ default: true }),
    reconnect_interval: option.number({ default: 1 }),
    congestion_threshold: option.number({ default: 0 }),
    congestion_interval: option.number({ default: 1 }),
  },
  create(options, { log }) {
    const hosts = options.shuffle_hosts ? [...options.host].sort(() => Math.random() - 0.5) : options.host
    const tls = options.ssl_enabled ? clientTls(options) : undefined
    const closing = new AbortController()
    let turn = 0
    let connection: RedisConnection | undefined
    const connected = async () => {
      if (connection !== undefined) return connection
      const [host, port] = hosts[turn++ % hosts.length]!.split(':')
      const { db: database, username: user, password } = options
      const address = { host: host!, port: Number(port ?? options.port) }
      connection = await RedisConnection.open({ ...address, database, user, password, tls })
      return connection
    }
    /** A list that nobody empties must not fill the server's memory. */
    const waitForRoom = async (to: RedisConnection, key: string) => {
      if (options.data_type !== 'list' || options.congestion_threshold <= 0) return
      while (Number(await to.call('LLEN', key)) >= options.congestion_threshold) {
        log.warn(`Redis key ${key} is congested, waiting`)
        await sleep(options.congestion_interval * 1000, undefined, { signal: closing.signal })
      }
    }
    const send = async (byKey: ReadonlyMap<string, (string | Uint8Array)[]>) => {
      const to = await connected()
      for (const [key, payloads] of byKey) {
        await waitForRoom(to, key)
        if (options.data_type === 'list') await to.call('RPUSH', key, ...payloads)
        else await Promise.all(payloads.map((payload) => to.call('PUBLISH', key, payload)))
      }
    }
    return {
      async write(events) {
        const byKey = new Map<string, (string | Uint8Array)[]>()
        for (const event of events) {
          const key = event.expand(options.key)
          byKey.set(key, [...(byKey.get(key) ?? []), options.codec.encode(event)])
        }
        while (!closing.signal.aborted) {
          try {
            return await send(byKey)
          } catch (error) {
            connection?.close()
            connection = undefined
            log.warn(`Failed to send events to Redis, trying again: ${(error as Error).message}`)
            await sleep(options.reconnect_interval * 1000, undefined, { signal: closing.signal }).catch(() => {})
          }
        }
      },
      async close() {
        closing.abort()
        connection?.close()
      },
    }
  },
})
