/** `cidr`: succeeds if one of the addresses is in one of the networks. */
import { readFileSync } from 'node:fs'
import { BlockList, isIP } from 'node:net'
import type { Event } from '../event/event.ts'
import { filterPlugin } from '../plugin/filter-plugin.ts'
import { option } from '../plugin/options.ts'
import { PluginOptionError } from '../plugin/plugin-context.ts'

export const cidr = filterPlugin({
  name: 'cidr',
  touches: 'nothing',
  options: {
    address: option.strings({ default: [] }),
    /** A field that contains one address or a list of addresses. */
    address_field: option.field(),
    network: option.strings({ default: [] }),
    network_path: option.path(),
    refresh_interval: option.number({ default: 600 }),
    separator: option.string({ default: '\n' }),
  },
  create(options, { clock, log }) {
    const { address, address_field: field, network, network_path: path } = options
    const { refresh_interval: refreshS, separator } = options
    const warn = (text: string) => log.warn('Invalid IP network, skipping', { network: text })
    if (address.length > 0 && field !== undefined) {
      throw new PluginOptionError('The configuration options address and address_field are mutually exclusive')
    }
    if (path !== undefined && network.length > 0) {
      throw new PluginOptionError('The configuration options network and network_path are mutually exclusive')
    }
    let fromFile: BlockList | undefined
    let readMs = 0
    const networksOf = (event: Event): BlockList => {
      if (path === undefined)
        return listOf(
          network.flatMap((text) => event.expand(text).split(',')),
          warn,
        )
      const nowMs = clock.nowMs()
      if (fromFile === undefined || nowMs - readMs >= refreshS * 1000) {
        readMs = nowMs
        fromFile = readList(path) ?? fromFile
      }
      return fromFile ?? new BlockList()
    }
    /** An unreadable or empty file keeps the previous networks. */
    const readList = (file: string): BlockList | undefined => {
      try {
        const networks = readFileSync(file, 'utf8').split(separator)
        return networks.join('') === '' ? undefined : listOf(networks, warn)
      } catch (error) {
        log.error('Error while opening/parsing the file', { path: file, exception: (error as Error).message })
        return undefined
      }
    }
    const addressesOf = (event: Event): string[] => {
      const given = address.map((text) => event.expand(text))
      const value = field === undefined ? undefined : event.get(field)
      for (const item of Array.isArray(value) ? value : [value]) if (typeof item === 'string') given.push(item)
      return given
    }
    // Networks without references never change.
    const isFixed = path === undefined && !network.some((text) => text.includes('%{'))
    const fixed = isFixed
      ? listOf(
          network.flatMap((text) => text.split(',')),
          warn,
        )
      : undefined
    return {
      filter(event) {
        const networks = fixed ?? networksOf(event)
        return addressesOf(event).some((ip) => {
          const version = isIP(ip)
          return version !== 0 && networks.check(ip, version === 4 ? 'ipv4' : 'ipv6')
        })
      },
    }
  },
})

/** Networks in the form `10.0.0.0/8`, `10.0.0.0/255.0.0.0`, or single addresses. */
function listOf(networks: readonly string[], warn: (network: string) => void): BlockList {
  const list = new BlockList()
  for (const text of networks) {
    const [ip = '', length] = text.trim().split('/')
    const version = isIP(ip)
    const bits = length === undefined ? undefined : prefixLength(length)
    if (version === 0 || (bits !== undefined && !(bits <= (version === 4 ? 32 : 128)))) {
      if (text.trim() !== '') warn(text)
      continue
    }
    const family = version === 4 ? 'ipv4' : 'ipv6'
    if (bits === undefined) list.addAddress(ip, family)
    else list.addSubnet(ip, bits, family)
  }
  return list
}

/** NaN if the text is neither a number nor a mask. */
function prefixLength(text: string): number {
  if (/^\d+$/.test(text)) return Number(text)
  const bits =
    isIP(text) === 4 ? text.split('.').reduce((all, part) => all + Number(part).toString(2).padStart(8, '0'), '') : ''
  return /^1*0*$/.test(bits) && bits !== '' ? bits.lastIndexOf('1') + 1 : Number.NaN
}
