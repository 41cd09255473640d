/**
 * The host names a server accepts. Any web page can make its own name resolve to this machine (DNS rebinding), after
 * which the browser treats our server as same-origin. The `Host` header still carries the page's name, so a server that
 * accepts only its own names is unreachable for such pages.
 */

/** Names that resolve to this machine whatever a DNS server answers. */
const LOOPBACK_NAME = /^([a-z0-9-]+\.)*localhost$/
/** A numeric address cannot be rebound. */
const IPV4 = /^\d{1,3}(\.\d{1,3}){3}$/
const IPV6 = /^\[[0-9a-f:.]+(%[^\]]*)?\]$/

export class HostNames {
  readonly #allowed: readonly string[]
  /** The last accepted header: a client sends the same one with every request. */
  #lastAccepted = ''

  /** Additional names: `*.example.org` allows all names below, `*` every name. */
  constructor(allowed: readonly string[] = []) {
    this.#allowed = allowed.map(normalize)
  }

  /**
   * Whether a `Host` header names this server. Browsers always send the header, so a request without it is accepted.
   */
  has(header: string | undefined): boolean {
    if (header === undefined || header === '' || header === this.#lastAccepted) return true
    if (!this.#isAccepted(header)) return false
    this.#lastAccepted = header
    return true
  }

  #isAccepted(header: string): boolean {
    const name = normalize(header.replace(/:\d*$/, ''))
    if (LOOPBACK_NAME.test(name) || IPV4.test(name) || IPV6.test(name)) return true
    return this.#allowed.some((allowed) => {
      if (allowed === '*' || allowed === name) return true
      return allowed.startsWith('*.') && name.endsWith(allowed.slice(1)) && name.length > allowed.length - 1
    })
  }
}

/** Host names are case-insensitive and may end with the root dot. */
const normalize = (name: string) => name.trim().toLowerCase().replace(/\.$/, '')
