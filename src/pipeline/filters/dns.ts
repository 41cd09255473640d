/** `dns`: resolves names to addresses, and addresses to names. */
import { promises as dnsPromises } from 'node:dns'
import { isIP } from 'node:net'
import type { Event } from '../event/event.ts'
import { filterPlugin } from '../plugin/filter-plugin.ts'
import { option } from '../plugin/options.ts'
import { PluginOptionError } from '../plugin/plugin-context.ts'

const OPTIONS = {
  resolve: option.strings({ default: [] }),
  reverse: option.strings({ default: [] }),
  action: option.words(['append', 'replace'], { default: 'append' }),
  nameserver: option.any(),
  timeout: option.number({ default: 0.5 }),
  max_retries: option.number({ default: 2 }),
  hit_cache_size: option.number({ default: 0 }),
  hit_cache_ttl: option.number({ default: 60 }),
  failed_cache_size: option.number({ default: 0 }),
  failed_cache_ttl: option.number({ default: 5 }),
  hostsfile: option.ignored('The hosts file of the system is used for names, unless `nameserver` is given.'),
  tag_on_timeout: option.strings({ default: ['_dnstimeout'] }),
} as const

export const dns = filterPlugin({
  name: 'dns',
  touches: 'network',
  options: OPTIONS,
  create(options, { clock, log }) {
    const resolver = new dnsPromises.Resolver({
      timeout: Math.max(1, options.timeout * 1000),
      tries: 1 + options.max_retries,
    })
    const servers = serversOf(options.nameserver)
    if (servers.length > 0) resolver.setServers(servers)
    const usesSystem = servers.length === 0
    const hits = new Memory(options.hit_cache_size, options.hit_cache_ttl * 1000, () => clock.nowMs())
    const misses = new Memory(options.failed_cache_size, options.failed_cache_ttl * 1000, () => clock.nowMs())

    /** Undefined if there is no record. Throws on a timeout. */
    const lookUp = async (text: string, isReverse: boolean): Promise<string | undefined> => {
      const key = `${isReverse ? 'r' : 'n'}${text}`
      const known = hits.get(key)
      if (known !== undefined) return known
      if (misses.get(key) !== undefined) return undefined
      const found = isReverse ? await nameOf(text) : await addressOf(text)
      if (found === undefined) misses.set(key, '-')
      else hits.set(key, found)
      return found
    }
    const addressOf = (name: string) =>
      usesSystem
        ? known(() => dnsPromises.lookup(name, { family: 4 }).then(({ address }) => [address]))
        : known(() => resolver.resolve4(name))
    const nameOf = (address: string) => known(() => resolver.reverse(address))

    const change = async (event: Event, field: string, isReverse: boolean): Promise<boolean> => {
      const value = event.get(field)
      const text = Array.isArray(value) ? value[0] : value
      if (typeof text !== 'string') return true
      if (Array.isArray(value) && value.length > 1) {
        log.warn(`DNS: skipping ${isReverse ? 'reverse' : 'resolve'}, can't deal with multiple values`, { field })
        return false
      }
      if (isReverse && isIP(text) === 0) return true
      const found = await lookUp(text, isReverse)
      if (found === undefined) return false
      if (options.action === 'replace') event.set(field, Array.isArray(value) ? [found] : found)
      else event.set(field, Array.isArray(value) ? [...value, found] : [text, found])
      return true
    }
    return {
      async filter(event) {
        try {
          for (const field of options.resolve) if (!(await change(event, field, false))) return false
          for (const field of options.reverse) if (!(await change(event, field, true))) return false
          return true
        } catch (error) {
          log.debug(`DNS: ${(error as Error).message}`)
          for (const tag of options.tag_on_timeout) event.tag(tag)
          return false
        }
      },
      close: async () => resolver.cancel(),
    }
  },
})

/** The first record; undefined if there is none. Throws on a timeout. */
async function known(ask: () => Promise<string[]>): Promise<string | undefined> {
  try {
    return (await ask())[0]
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ETIMEOUT' || code === 'ECONNREFUSED' || code === 'EAI_AGAIN') throw error
    return undefined
  }
}

/** Accepts a string, a list of strings, or a hash with `address` and search options. */
function serversOf(given: unknown): string[] {
  if (given === undefined) return []
  const hash = given as { address?: unknown }
  const list = typeof given === 'object' && !Array.isArray(given) ? hash.address : given
  const servers = (Array.isArray(list) ? list : [list]).map(String)
  const wrong = servers.find((server) => isIP(server.replace(/:\d+$/, '')) === 0 && isIP(server) === 0)
  if (wrong !== undefined) throw new PluginOptionError(`nameserver "${wrong}" is no address`)
  return servers
}

/** A cache with a time to live. The oldest entry is evicted when it is full. */
class Memory {
  readonly #sizeMax: number
  readonly #keepMs: number
  readonly #nowMs: () => number
  readonly #entries = new Map<string, { value: string; untilMs: number }>()

  constructor(sizeMax: number, keepMs: number, nowMs: () => number) {
    this.#sizeMax = sizeMax
    this.#keepMs = keepMs
    this.#nowMs = nowMs
  }

  get(key: string): string | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    if (entry.untilMs >= this.#nowMs()) return entry.value
    this.#entries.delete(key)
    return undefined
  }

  set(key: string, value: string): void {
    if (this.#sizeMax <= 0) return
    if (this.#entries.size >= this.#sizeMax) this.#entries.delete(this.#entries.keys().next().value!)
    this.#entries.set(key, { value, untilMs: this.#nowMs() + this.#keepMs })
  }
}
