/**
 * Names a server may be called by. A page of anyone's can make its own name point to this machine (DNS rebinding) and then counts as
 * of the same origin for the browser; the `Host` header still tells the name, and a server that answers to its own names only is
 * out of reach for such pages.
 */

/** Names that lead to this machine whatever a name server says. */
const LOOPBACK_NAME = /^([a-z0-9-]+\.)*localhost$/
/** Numbers cannot be made to point elsewhere. */
const IPV4 = /^\d{1,3}(\.\d{1,3}){3}$/
const IPV6 = /^\[[0-9a-f:.]+(%[^\]]*)?\]$/

export class HostNames {
  readonly #allowed: readonly string[]

  /** Names beside those of this machine; `*.example.org` allows all below a name, `*` everything. */
  constructor(allowed: readonly string[] = []) {
    this.#allowed = allowed.map(normalize)
  }

  /** Whether a `Host` header names this server. Browsers always send one; what comes without is no browser. */
  has(header: string | undefined): boolean {
    if (header === undefined || header === '') return true
    const name = normalize(header.replace(/:\d*$/, ''))
    if (LOOPBACK_NAME.test(name) || IPV4.test(name) || IPV6.test(name)) return true
    return this.#allowed.some((allowed) => {
      if (allowed === '*' || allowed === name) return true
      return allowed.startsWith('*.') && name.endsWith(allowed.slice(1)) && name.length > allowed.length - 1
    })
  }
}

/** Names have no case, and may end with the dot of the root. */
const normalize = (name: string) => name.trim().toLowerCase().replace(/\.$/, '')
