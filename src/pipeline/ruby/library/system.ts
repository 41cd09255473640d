/** ENV, and the parts of Socket that open no connection. */
import { isIPv4, isIPv6 } from 'node:net'
import { hostname } from 'node:os'
import { errorClass } from '../core/exception.ts'
import { defineStatic, makeClass, ObjectClass } from '../runtime/classes.ts'
import { toInt, toText } from '../runtime/convert.ts'
import { raise } from '../runtime/errors.ts'
import { RHash } from '../runtime/hash.ts'
import { bytesString, str } from '../runtime/string.ts'

/** Empty until a filter runs that may read the environment. */
const ENV = new RHash()
ObjectClass.constants.set('ENV', ENV)

/** The password of the keystore is nobody's but the keystore's. */
const KEYSTORE_PASSWORD = /^(?:SANDPIPER|LOGSTASH)_KEYSTORE_PASS$/

/** Fills ENV. Called by filters that declare to touch the environment. */
export function exposeEnvironment(environment: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && !KEYSTORE_PASSWORD.test(name)) ENV.set(str(name), str(value))
  }
}

const SocketClass = makeClass('Socket')
SocketClass.allocate = null
errorClass('SocketError', 'StandardError', ObjectClass)
SocketClass.constants.set('AF_INET', 2)
SocketClass.constants.set('AF_INET6', 10)
defineStatic(SocketClass, 'gethostname', 0, () => str(hostname()))

/** The structure `sockaddr_in` of Linux: family, port, address. */
for (const name of ['sockaddr_in', 'pack_sockaddr_in']) {
  defineStatic(SocketClass, name, 2, (_self, [port, host]) => {
    const address = host === null || host === undefined ? '' : toText(host)
    const bytes = Buffer.alloc(isIPv6(address) ? 28 : 16)
    bytes.writeUInt16LE(isIPv6(address) ? 10 : 2, 0)
    bytes.writeUInt16BE(port === null || port === undefined ? 0 : Number(toInt(port)) & 0xffff, 2)
    if (isIPv4(address)) bytes.set(address.split('.').map(Number), 4)
    else if (isIPv6(address)) bytes.set(bytesOfV6(address), 8)
    else if (address !== '') throw raise('SocketError', `names are not looked up, an address is needed: ${address}`)
    return bytesString(bytes)
  })
}

function bytesOfV6(address: string): number[] {
  const withV4 = address.replace(/%.*$/, '').replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_all, a, b, c, d) => {
    const pair = (high: string, low: string) => ((Number(high) << 8) | Number(low)).toString(16)
    return `${pair(a, b)}:${pair(c, d)}`
  })
  const [head = '', tail] = withV4.split('::')
  const groups = (text: string) => (text === '' ? [] : text.split(':'))
  const after = groups(tail ?? '')
  const zeros = Array.from({ length: tail === undefined ? 0 : 8 - groups(head).length - after.length }, () => '0')
  return [...groups(head), ...zeros, ...after].flatMap((group) => {
    const value = Number.parseInt(group, 16)
    return [value >> 8, value & 0xff]
  })
}
