/** Connections through an HTTP proxy: the proxy forwards plain requests and opens a tunnel for encrypted ones. */
import { type ClientRequestArgs, Agent as HttpAgent, request } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { isIP } from 'node:net'
import type { Duplex } from 'node:stream'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'

import { PluginOptionError } from '../plugin/plugin-context.ts'
import { whenTrusted } from './trusted-fingerprints.ts'

export interface AgentSettings {
  readonly connectionsMax: number
  readonly tls: ConnectionOptions | undefined
  /** Fingerprints of authorities that are trusted besides those of `tls`. */
  readonly trustedFingerprints?: readonly string[] | undefined
}

/** Parses the address of a `proxy` option. */
export function proxyOf(text: string | undefined): URL | undefined {
  if (text === undefined || text === '') return undefined
  try {
    return new URL(text.includes('://') ? text : `http://${text}`)
  } catch {
    throw new PluginOptionError(`proxy "${text}" is no address`)
  }
}

/** The authorization headers of a request to this proxy. */
export function proxyHeaders(proxy: URL): Record<string, string> {
  if (proxy.username === '') return {}
  const login = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`
  return { 'proxy-authorization': `Basic ${Buffer.from(login).toString('base64')}` }
}

/** Keeps its connections to the proxy; each request names its server. */
export class PlainProxyAgent extends HttpAgent {
  readonly #proxy: URL

  constructor(proxy: URL, { connectionsMax }: AgentSettings) {
    super({ keepAlive: true, maxSockets: connectionsMax })
    this.#proxy = proxy
  }

  override createConnection(options: ClientRequestArgs, callback?: (error: Error | null, stream: Duplex) => void) {
    const address = { ...options, host: this.#proxy.hostname, port: Number(this.#proxy.port || 80) }
    return super.createConnection(address, callback)
  }
}

/** Trusts servers by the fingerprint of an authority. */
export class FingerprintAgent extends HttpsAgent {
  readonly #fingerprints: readonly string[]

  constructor({ connectionsMax, tls, trustedFingerprints = [] }: AgentSettings, keepAlive: boolean) {
    // A resumed session has no chain of certificates to check.
    super({ keepAlive, maxSockets: connectionsMax, ...tls, rejectUnauthorized: false, maxCachedSessions: 0 })
    this.#fingerprints = trustedFingerprints
  }

  override createConnection(options: ConnectionOptions, callback?: (error: Error | null, stream: Duplex) => void) {
    const { host = '' } = options
    whenTrusted(connectTls(options), host, this.#fingerprints, (error, stream) => callback?.(error, stream))
    return undefined
  }
}

export class TunnelAgent extends HttpsAgent {
  readonly #proxy: URL
  readonly #tls: ConnectionOptions
  readonly #fingerprints: readonly string[]

  constructor(proxy: URL, { connectionsMax, tls, trustedFingerprints = [] }: AgentSettings) {
    super({ keepAlive: true, maxSockets: connectionsMax, ...tls })
    this.#proxy = proxy
    this.#fingerprints = trustedFingerprints
    this.#tls = trustedFingerprints.length === 0 ? (tls ?? {}) : { ...tls, rejectUnauthorized: false }
  }

  override createConnection(options: ClientRequestArgs, callback?: (error: Error | null, stream: Duplex) => void) {
    const target = `${options.host}:${options.port ?? 443}`
    const asking = request({
      host: this.#proxy.hostname,
      port: Number(this.#proxy.port || 80),
      method: 'CONNECT',
      path: target,
      headers: { host: target, ...proxyHeaders(this.#proxy) },
      agent: false,
    })
    const fail = (error: Error) => callback?.(error, undefined as unknown as Duplex)
    asking.on('connect', ({ statusCode }, socket) => {
      if (statusCode !== 200) {
        socket.destroy()
        fail(new Error(`the proxy responded with ${statusCode} to a request for ${target}`))
        return
      }
      const host = options.host ?? ''
      const secure = connectTls({ ...this.#tls, socket, host, ...(isIP(host) === 0 ? { servername: host } : {}) })
      if (this.#fingerprints.length === 0) callback?.(null, secure)
      else whenTrusted(secure, host, this.#fingerprints, (error, stream) => callback?.(error, stream))
    })
    asking.on('error', fail)
    asking.end()
    return undefined
  }
}
