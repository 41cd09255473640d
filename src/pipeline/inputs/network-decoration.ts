/** Fields that network inputs add about the sender of an event. */
import { lookupService } from 'node:dns/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Event } from '../event/event.ts'

export interface Peer {
  readonly address: string
  readonly port: number
}

/** The address in its usual form: IPv4 mapped to IPv6 is shown as IPv4. */
export function plainAddress(address: string | undefined): string {
  return (address ?? '').replace(/^::ffff:(?=\d+\.)/, '')
}

/** Caches the host names of addresses for a while, because senders return and DNS servers can be slow. */
export class PeerNames {
  readonly #known = new Map<string, string>()

  async nameOf(address: string): Promise<string> {
    const known = this.#known.get(address)
    if (known !== undefined) return known
    const answer = lookupService(address, 0).catch(() => undefined)
    const found = await Promise.race([answer, sleep(PATIENCE_MS, undefined, { ref: false })])
    const name = found?.hostname ?? address
    if (this.#known.size >= NAMES_MAX) this.#known.clear()
    this.#known.set(address, name)
    return name
  }
}

const NAMES_MAX = 1000
/** A DNS server that does not answer must not delay the events. */
const PATIENCE_MS = 1000

/** Adds the fields of an event that arrived over a TCP connection. */
export function tcpDecoration(isEcs: boolean, peer: Peer, name: string): (event: Event) => void {
  if (!isEcs) {
    return (event) => {
      const { fields, metadata } = event
      if (fields['host'] === undefined) fields['host'] = name
      if (fields['port'] === undefined) fields['port'] = peer.port
      metadata['ip_address'] ??= peer.address
    }
  }
  return (event) => {
    event.setDefault('[@metadata][input][tcp][source][name]', name)
    event.setDefault('[@metadata][input][tcp][source][ip]', peer.address)
    event.setDefault('[@metadata][input][tcp][source][port]', peer.port)
  }
}
