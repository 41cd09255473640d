/** The client address of a request: that of the connection, or the one that a trusted proxy reports. */
import { BlockList, isIP } from 'node:net'

export class TrustedProxies {
  readonly #list = new BlockList()
  readonly #isEmpty: boolean

  /** `proxies` are addresses and ranges such as `10.0.0.0/8`. */
  constructor(proxies: readonly string[]) {
    this.#isEmpty = proxies.length === 0
    for (const proxy of proxies) {
      const [address, prefix] = proxy.split('/') as [string, string | undefined]
      const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
      if (prefix === undefined) this.#list.addAddress(address, family)
      else this.#list.addSubnet(address, Number(prefix), family)
    }
  }

  /** Each proxy appends the address of its client. The last address that is no trusted proxy is the client. */
  clientOf(connected: string | undefined, forwardedFor: string | string[] | undefined): string {
    let client = plain(connected ?? '')
    if (this.#isEmpty || forwardedFor === undefined || !this.#has(client)) return client
    const hops = [forwardedFor].flat().join(',').split(',')
    for (const hop of hops.reverse()) {
      const address = plain(hop.trim())
      if (isIP(address) === 0) return client
      client = address
      if (!this.#has(address)) return client
    }
    return client
  }

  #has(address: string): boolean {
    const family = isIP(address)
    return family !== 0 && this.#list.check(address, family === 6 ? 'ipv6' : 'ipv4')
  }
}

/** Prints IPv4-mapped IPv6 addresses as IPv4. */
const plain = (address: string) => (address.startsWith('::') ? address.replace(/^::ffff:(?=\d+\.)/i, '') : address)
