/** `cidr`: succeeds when one of some addresses lies in one of some networks. */
import { readFileSync } from 'node:fs'
import { BlockList, isIP } from 'node:net'
import type { Event } from '../event/event.ts'
import { filterPlugin } from '../plugin/filter-plugin.ts'
import { option } from '../plugin/options.ts'
import { PluginOptionError } from '../plugin/plugin-context.ts'

export const cidr = filterPlugin({
  name: 'cidr',
  options: {
    address: option.strings({ default: [] }),
    network: option.strings({ default: [] }),
    network_path: option.path(),
    refresh_interval: option.number({ default: 600 }),
    separator: option.string({ default: '\n' }),
  },
  create({ address, network, network_path: path, refresh_interval: refreshS, separator }, { clock }) {
    if (path !== undefined && network.length > 0) {
      throw new PluginOptionError('The configuration options network and network_path are mutually exclusive')
    }
    let fromFile: BlockList | undefined
    let readMs = 0
    const networksOf = (event: Event): BlockList => {
      if (path === undefined) return listOf(network.map((text) => event.expand(text)))
      const nowMs = clock.nowMs()
      if (fromFile === undefined || nowMs - readMs >= refreshS * 1000) {
        fromFile = listOf(readFileSync(path, 'utf8').split(separator))
        readMs = nowMs
      }
      return fromFile
    }
    // Networks without references never change.
    const fixed = path === undefined && !network.some((text) => text.includes('%{')) ? listOf(network) : undefined
    return {
      filter(event) {
        const networks = fixed ?? networksOf(event)
        return address.some((text) => {
          const ip = event.expand(text)
          const version = isIP(ip)
          return version !== 0 && networks.check(ip, version === 4 ? 'ipv4' : 'ipv6')
        })
      },
    }
  },
})

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const text of networks) {
    const [ip = '', bits] = text.trim().split('/')
    const version = isIP(ip)
    if (version === 0) continue
    const family = version === 4 ? 'ipv4' : 'ipv6'
    if (bits === undefined) list.addAddress(ip, family)
    else list.addSubnet(ip, Number(bits), family)
  }
  return list
}
