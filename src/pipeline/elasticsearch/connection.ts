/**
 * Sends requests to one of several hosts in turn. A host that does not answer is left out until it answers a health check.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../base/log.ts'
import { type HttpAnswer, HttpSender } from '../net/http-request.ts'
import type { ConnectionSettings } from './connection-options.ts'

interface Host {
  readonly base: URL
  /** The timer of the next health check of a host that did not answer. */
  check?: NodeJS.Timeout | undefined
}

export interface ApiRequest {
  readonly method: string
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | undefined
}

export class ElasticsearchConnection {
  readonly #settings: ConnectionSettings
  readonly #log: Log
  readonly #sender: HttpSender
  #hosts: Host[]
  readonly #headers: Readonly<Record<string, string>>
  #turn = 0
  #isClosed = false
  readonly #sniffTimer: NodeJS.Timeout | undefined

  constructor(settings: ConnectionSettings, log: Log) {
    this.#settings = settings
    this.#log = log
    const { connectionsMax, tls, trustedFingerprints, proxy, sniffing } = settings
    this.#sender = new HttpSender({ connectionsMax, tls, trustedFingerprints, proxy })
    if (sniffing !== undefined) {
      this.#sniffTimer = setInterval(() => void this.#sniff(sniffing.path), sniffing.delayMs)
      this.#sniffTimer.unref()
    }
    this.#hosts = settings.bases.map((base) => ({ base }))
    this.#headers = {
      ...(settings.authorization === undefined ? {} : { authorization: settings.authorization }),
      ...settings.headers,
    }
  }

  /** Tries every host that is not left out once. Throws if none answers. */
  async send(request: ApiRequest): Promise<HttpAnswer> {
    let last: unknown
    for (const host of this.#candidates()) {
      try {
        const answer = await this.#sendTo(host, request)
        this.#use(host)
        return answer
      } catch (error) {
        last = error
        this.#leaveOut(host)
        this.#log.warn(`No answer from ${host.base.origin}: ${describe(error)}`)
      }
    }
    throw last instanceof Error ? new Error(describe(last)) : new Error('no host is alive')
  }

  /** Waits until a host answers a request. Undefined if `signal` ends the waiting. */
  async waitFor(request: ApiRequest, signal: AbortSignal): Promise<HttpAnswer | undefined> {
    while (!signal.aborted) {
      try {
        const answer = await this.send(request)
        if (answer.status < 500 && answer.status !== 429) return answer
        this.#log.warn(`The search service is not ready: ${request.path} answered ${answer.status}`)
      } catch {
        // The failure was already logged with the address.
      }
      await sleep(this.#settings.resurrectDelayMs, undefined, { signal }).catch(() => {})
    }
    return undefined
  }

  close(): void {
    this.#isClosed = true
    clearInterval(this.#sniffTimer)
    for (const host of this.#hosts) this.#use(host)
    this.#sender.close()
  }

  /** Replaces the hosts by the nodes that the cluster reports. A failed or unreadable response changes nothing. */
  async #sniff(path: string): Promise<void> {
    try {
      const answer = await this.send({ method: 'GET', path })
      const [first] = this.#settings.bases
      const addresses = publishedAddresses(answer.text)
      if (answer.status !== 200 || addresses.length === 0) return
      const bases = addresses.map((address) => {
        const base = new URL(first!)
        base.host = address
        return base
      })
      const before = this.#hosts
      this.#hosts = bases.map((base) => {
        const known = before.find((host) => host.base.href === base.href)
        return known ?? { base }
      })
      for (const host of before) if (!this.#hosts.includes(host)) this.#use(host)
    } catch (error) {
      this.#log.debug(`Could not ask for the nodes: ${describe(error)}`)
    }
  }

  #leaveOut(host: Host): void {
    if (host.check !== undefined || this.#isClosed || !this.#hosts.includes(host)) return
    host.check = setTimeout(() => void this.#check(host), this.#settings.resurrectDelayMs)
    host.check.unref()
  }

  #use(host: Host): void {
    clearTimeout(host.check)
    host.check = undefined
  }

  async #check(host: Host): Promise<void> {
    let isHealthy = false
    try {
      isHealthy = (await this.#sendTo(host, { method: 'HEAD', path: this.#settings.healthPath })).status < 500
    } catch {
      // The host is asked again later.
    }
    host.check = undefined
    if (!isHealthy) this.#leaveOut(host)
    else this.#log.info(`${host.base.origin} answers again`)
  }

  /** The hosts in round-robin order. If all are left out, all are tried. */
  #candidates(): Host[] {
    const start = this.#turn++ % this.#hosts.length
    const inTurn = [...this.#hosts.slice(start), ...this.#hosts.slice(0, start)]
    const alive = inTurn.filter(({ check }) => check === undefined)
    return alive.length === 0 ? inTurn : alive
  }

  #sendTo({ base }: Host, { method, path, query, headers, body }: ApiRequest): Promise<HttpAnswer> {
    const url = new URL(base)
    url.pathname = `${base.pathname === '/' ? '' : base.pathname}${path}`
    for (const [name, value] of Object.entries({ ...this.#settings.parameters, ...query })) {
      url.searchParams.set(name, value)
    }
    const all = { ...this.#headers, ...headers }
    return this.#sender.send({ method, url, headers: all, body, timeoutMs: this.#settings.timeoutMs })
  }
}

/**
 * Addresses of nodes that hold data or forward requests, without dedicated masters. An address may have the form
 * `name/ip:port`.
 */
function publishedAddresses(text: string): string[] {
  const { nodes = {} } = JSON.parse(text) as {
    nodes?: Record<string, { roles?: string[]; http?: { publish_address?: string } }>
  }
  return Object.values(nodes).flatMap(({ roles = [], http }) => {
    const isMasterOnly = roles.length === 1 && roles[0] === 'master'
    const address = http?.publish_address?.replace(/^([^/]+)\/.*:(\d+)$/, '$1:$2')
    return address === undefined || isMasterOnly ? [] : [address]
  })
}

/** A failure to connect to several addresses of one name is an error that hides its reasons. */
function describe(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(describe).join('; ')
  return (error as Error).message
}
