/**
 * network_direction: inbound, outbound, internal or external, depending on which addresses are in internal networks.
 */
import { illegalArgument } from '../../../base/api-error.ts'
import { JList, javaString } from '../../../engine/painless/index.ts'
import { parseCidr, requireIp } from '../../../engine/values/ip.ts'
import type { ProcessorFactory } from '../pipeline/processor.ts'

const CIDRS: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fd00::/8'],
  link_local_unicast: ['169.254.0.0/16', 'fe80::/10'],
  interface_local_multicast: ['ff01::/16'],
  link_local_multicast: ['224.0.0.0/24', 'ff02::/16'],
  multicast: ['224.0.0.0/4', 'ff00::/8'],
  unspecified: ['0.0.0.0/32', '::/128'],
  broadcast: ['255.255.255.255/32'],
}
const OTHER_THAN_UNICAST = [
  ...CIDRS['loopback']!,
  ...CIDRS['unspecified']!,
  ...CIDRS['multicast']!,
  ...CIDRS['broadcast']!,
]

export const networkDirection: ProcessorFactory = (reader) => {
  const source = reader.optionalString('source_ip') ?? 'source.ip'
  const destination = reader.optionalString('destination_ip') ?? 'destination.ip'
  const target = reader.optionalString('target_field') ?? 'network.direction'
  const networks = reader.optionalStrings('internal_networks')
  const networksField = reader.optionalString('internal_networks_field')
  const ignoresMissing = reader.boolean('ignore_missing', true)
  if (networks === undefined && networksField === undefined) {
    throw reader.error('internal_networks', 'or [internal_networks_field] must be specified')
  }
  if (networks !== undefined && networksField !== undefined) {
    throw reader.error('internal_networks', 'and [internal_networks_field] cannot both be used in the same processor')
  }
  return (document) => {
    const listed = networksField === undefined ? undefined : document.find(networksField, ignoresMissing)
    if (networksField !== undefined && (listed === undefined || listed === null)) {
      if (ignoresMissing) return
      throw illegalArgument('unable to calculate network direction from document')
    }
    const internal = networks ?? (listed instanceof JList ? listed.items.map(javaString) : [javaString(listed)])
    const addresses = [source, destination].map((field) => document.text(field, ignoresMissing))
    if (addresses.some((address) => address === undefined || address === null)) {
      if (ignoresMissing) return
      throw illegalArgument('unable to calculate network direction from document')
    }
    const [from, to] = addresses.map((address) => isInternal(requireIp(address!), internal))
    document.set(target, from ? (to ? 'internal' : 'outbound') : to ? 'inbound' : 'external')
  }
}

const isInternal = (address: Uint8Array, networks: readonly string[]) =>
  networks.some((network) => isIn(address, network))

function isIn(address: Uint8Array, network: string): boolean {
  switch (network) {
    case 'public':
      return !['private', 'loopback', 'unspecified', 'broadcast', 'multicast', 'link_local_unicast'].some((name) =>
        isIn(address, name),
      )
    case 'unicast':
    case 'global_unicast': {
      const isLocal = network === 'unicast' ? false : isIn(address, 'link_local_unicast')
      return !isLocal && !OTHER_THAN_UNICAST.some((cidr) => covers(cidr, address))
    }
    default:
      return (CIDRS[network] ?? [network]).some((cidr) => covers(cidr, address))
  }
}

function covers(cidr: string, address: Uint8Array): boolean {
  const { low, high } = parseCidr(cidr)
  return Buffer.compare(low, address) <= 0 && Buffer.compare(address, high) <= 0
}
