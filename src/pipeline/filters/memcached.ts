/** `memcached`: puts values of a memcached server into fields, and fields into the server. */
import { createHash } from 'node:crypto'
import type { Event } from '../event/event.ts'
import { textForm } from '../event/text-form.ts'
import { MemcachedConnection } from '../net/memcached-connection.ts'
import { filterPlugin } from '../plugin/filter-plugin.ts'
import { type ConfigValue, option } from '../plugin/options.ts'
import { PluginOptionError } from '../plugin/plugin-context.ts'

const PORT = 11_211
const TIMEOUT_MS = 5000
/** The maximum length of a key that the server accepts. */
const KEY_BYTES_MAX = 250

export const memcached = filterPlugin({
  name: 'memcached',
  touches: 'network',
  options: {
    hosts: option.strings({ default: ['localhost'] }),
    namespace: option.string(),
    get: option.hash({ default: new Map<string, ConfigValue>() }),
    set: option.hash({ default: new Map<string, ConfigValue>() }),
    ttl: option.number({ default: 0 }),
    tag_on_failure: option.string({ default: '_memcached_failure' }),
    lru_cache_ttl: option.number({ default: 0 }),
    lru_cache_max_size: option.number({ default: 1024 }),
  },
  create(options, { log, clock }) {
    if (options.ttl < 0) throw new PluginOptionError("'ttl' option cannot be negative")
    if (options.hosts.length === 0) throw new PluginOptionError("'hosts' cannot be empty")
    const servers = options.hosts.map(readHost)
    const prefix = options.namespace === undefined || options.namespace === '' ? '' : `${options.namespace}:`
    const connections = new Map<number, Promise<MemcachedConnection>>()
    const cache =
      options.lru_cache_ttl > 0 && options.lru_cache_max_size > 0
        ? new Map<string, { value: string | undefined; untilMs: number }>()
        : undefined

    /** The connection to the server that stores a key, chosen by a hash of the key. */
    const connectionOf = async (key: string): Promise<MemcachedConnection> => {
      const index = servers.length === 1 ? 0 : createHash('md5').update(key).digest().readUInt32BE(0) % servers.length
      const known = connections.get(index)
      if (known !== undefined && (await known.catch(() => undefined))?.isUsable === true) return known
      const opened = MemcachedConnection.open({ ...servers[index]!, timeoutMs: TIMEOUT_MS })
      connections.set(index, opened)
      return opened
    }

    const keyOf = (template: string, event: Event): string => {
      const key = prefix + event.expand(template)
      if (!/[\s\0-\x1f]/.test(key) && Buffer.byteLength(key) <= KEY_BYTES_MAX) return key
      const digest = createHash('md5').update(key).digest('hex')
      return `${key.replace(/\s/g, '_').slice(0, 200)}:md5:${digest}`
    }

    const read = async (key: string): Promise<string | undefined> => {
      const kept = cache?.get(key)
      if (kept !== undefined && kept.untilMs > clock.nowMs()) return kept.value
      const value = (await (await connectionOf(key)).get([key])).get(key)
      if (cache !== undefined) {
        cache.delete(key)
        cache.set(key, { value, untilMs: clock.nowMs() + options.lru_cache_ttl * 1000 })
        if (cache.size > options.lru_cache_max_size) cache.delete(cache.keys().next().value!)
      }
      return value
    }

    return {
      async filter(event) {
        let isMatch = false
        try {
          for (const [field, template] of options.set) {
            const value = event.get(field)
            if (value === undefined || value === null) continue
            const key = keyOf(String(template), event)
            await (await connectionOf(key)).set(key, textForm(value), options.ttl)
            isMatch = true
          }
          for (const [template, field] of options.get) {
            const value = await read(keyOf(template, event))
            if (value === undefined) continue
            event.set(String(field), value)
            isMatch = true
          }
        } catch (error) {
          log.error(`memcached communication error: ${(error as Error).message}`, { hosts: options.hosts.join(', ') })
          event.tag(options.tag_on_failure)
          return false
        }
        return isMatch
      },
      async close() {
        for (const opened of connections.values()) (await opened.catch(() => undefined))?.close()
      },
    }
  },
})

/** `host`, `host:port`, `[::1]:port`, `::1`. */
function readHost(text: string): { host: string; port: number } {
  const bracketed = /^\[(.*)\](?::(\d+))?$/.exec(text)
  if (bracketed !== null) return { host: bracketed[1]!, port: Number(bracketed[2] ?? PORT) }
  const [host = text, port, ...more] = text.split(':')
  return more.length > 0 ? { host: text, port: PORT } : { host, port: port === undefined ? PORT : Number(port) }
}
