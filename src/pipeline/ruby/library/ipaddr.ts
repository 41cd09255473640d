/** IPAddr */

import { errorClass } from '../core/exception.ts'
import { normal } from '../core/numbers/integer-math.ts'
import { ANY, Comparable, define, defineStatic, makeClass, setClass } from '../runtime/classes.ts'
import { toInt, toText } from '../runtime/convert.ts'
import { raise } from '../runtime/errors.ts'
import { RBasic, RRange, type Value } from '../runtime/model.ts'
import { bytesString, inspectText, RString, str } from '../runtime/string.ts'

class RAddress extends RBasic {
  readonly value: bigint
  readonly bits: 32 | 128
  readonly prefix: number
  constructor(value: bigint, bits: 32 | 128, prefix: number) {
    super()
    const mask = maskOf(bits, prefix)
    this.value = value & mask
    this.bits = bits
    this.prefix = prefix
  }

  get last(): bigint {
    return this.value | (~maskOf(this.bits, this.prefix) & maskOf(this.bits, this.bits))
  }
}

function maskOf(bits: number, prefix: number): bigint {
  return ((1n << BigInt(prefix)) - 1n) << BigInt(bits - prefix)
}

const IPAddrClass = makeClass('IPAddr')
IPAddrClass.included.push(Comparable)
setClass(RAddress, IPAddrClass)
errorClass('Error', 'ArgumentError', IPAddrClass)
errorClass('InvalidAddressError', 'IPAddr::Error', IPAddrClass)
errorClass('AddressFamilyError', 'IPAddr::Error', IPAddrClass)
errorClass('InvalidPrefixError', 'IPAddr::InvalidAddressError', IPAddrClass)

defineStatic(IPAddrClass, 'new', [0, 2], (_self, [address, family]) => {
  if (address === undefined) return new RAddress(0n, 128, 128)
  if (typeof address === 'number' || typeof address === 'bigint') {
    const bits = family === 10 || BigInt(address) >= 1n << 32n ? 128 : 32
    return new RAddress(BigInt(address), bits, bits)
  }
  return parseAddress(toText(address))
})

function parseAddress(text: string): RAddress {
  const [head, tail] = text.split('/') as [string, string | undefined]
  const plain = head.replace(/^\[(.*)\]$/, '$1').replace(/%.*$/, '')
  const v4 = parseV4(plain, text)
  const [value, bits]: [bigint, 32 | 128] = v4 !== undefined ? [v4, 32] : [parseV6(plain, text), 128]
  if (tail === undefined) return new RAddress(value, bits, bits)
  if (/^\d+$/.test(tail)) {
    if (Number(tail) > bits) throw raise('IPAddr::InvalidPrefixError', `invalid length: ${text}`)
    return new RAddress(value, bits, Number(tail))
  }
  const mask = bits === 32 ? parseV4(tail, text) : parseV6(tail, text)
  if (mask === undefined) throw invalid(text)
  const prefix = mask.toString(2).padStart(bits, '0').replace(/0+$/, '').length
  if (maskOf(bits, prefix) !== mask) throw raise('IPAddr::InvalidPrefixError', `invalid mask ${tail}: ${text}`)
  return new RAddress(value, bits, prefix)
}

function invalid(text: string): Error {
  return raise('IPAddr::InvalidAddressError', `invalid address: ${text}`)
}

function parseV4(text: string, whole: string): bigint | undefined {
  if (!/^\d+\.\d+\.\d+\.\d+$/.test(text)) {
    if (!text.includes(':')) throw invalid(whole)
    return undefined
  }
  let value = 0n
  for (const part of text.split('.')) {
    if (part.length > 1 && part.startsWith('0'))
      throw raise('IPAddr::InvalidAddressError', `zero-filled number in IPv4 address is ambiguous: ${whole}`)
    if (Number(part) > 255) throw invalid(whole)
    value = (value << 8n) | BigInt(part)
  }
  return value
}

function parseV6(text: string, whole: string): bigint {
  const tail = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text)
  const source = tail === null ? text : `${tail[1]}${hexPairs(parseV4(tail[2]!, whole)!)}`
  const halves = source.split('::')
  if (halves.length > 2) throw invalid(whole)
  const groups = (half: string) => (half === '' ? [] : half.split(':'))
  const before = groups(halves[0]!)
  const after = halves.length === 2 ? groups(halves[1]!) : []
  const missing = 8 - before.length - after.length
  if (halves.length === 1 ? before.length !== 8 : missing < 0) throw invalid(whole)
  const all = halves.length === 1 ? before : [...before, ...new Array<string>(missing).fill('0'), ...after]
  let value = 0n
  for (const group of all) {
    if (!/^[\da-fA-F]{1,4}$/.test(group)) throw invalid(whole)
    value = (value << 16n) | BigInt(`0x${group}`)
  }
  return value
}

function hexPairs(value: bigint): string {
  const text = value.toString(16).padStart(8, '0')
  return `${text.slice(0, 4)}:${text.slice(4)}`
}

function groupsOf(value: bigint): string[] {
  return value.toString(16).padStart(32, '0').match(/.{4}/g)!
}

function fullText({ value, bits }: { value: bigint; bits: number }): string {
  if (bits === 128) return groupsOf(value).join(':')
  return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.')
}

/** Compresses the longest run of zeros. */
function shortText(address: { value: bigint; bits: number }): string {
  if (address.bits === 32) return fullText(address)
  const { value } = address
  if (value >> 32n === 0xffffn) return `::ffff:${fullText({ value: value & 0xffffffffn, bits: 32 })}`
  const groups = groupsOf(value).map((group) => group.replace(/^0{1,3}/, ''))
  const text = groups.join(':')
  for (let length = 8; length >= 2; length--) {
    const run = new RegExp(`(^|:)${new Array(length).fill('0').join(':')}(:|$)`)
    if (run.test(text)) return text.replace(run, '::')
  }
  return text
}

function other(value: Value): RAddress {
  return value instanceof RAddress
    ? value
    : typeof value === 'number' || typeof value === 'bigint'
      ? new RAddress(BigInt(value), 32, 32)
      : parseAddress(toText(value))
}
define<RAddress>(IPAddrClass, 'include? ===', 1, (self, [address]) => {
  const inner = other(address!)
  return inner.bits === self.bits && inner.value >= self.value && inner.last <= self.last
})
define<RAddress>(IPAddrClass, 'ipv4?', 0, (self) => self.bits === 32)
define<RAddress>(IPAddrClass, 'ipv6?', 0, (self) => self.bits === 128)
define<RAddress>(IPAddrClass, 'to_s', 0, (self) => str(shortText(self)))
define<RAddress>(IPAddrClass, 'to_string', 0, (self) => str(fullText(self)))
define<RAddress>(IPAddrClass, 'to_i', 0, (self) => normal(self.value))
define<RAddress>(IPAddrClass, 'prefix', 0, (self) => self.prefix)
define<RAddress>(IPAddrClass, 'netmask', 0, (self) =>
  str(fullText({ value: maskOf(self.bits, self.prefix), bits: self.bits })),
)
define<RAddress>(IPAddrClass, 'family', 0, (self) => (self.bits === 32 ? 2 : 10))
define<RAddress>(IPAddrClass, 'inspect', 0, (self) =>
  str(
    `#<IPAddr: IPv${self.bits === 32 ? 4 : 6}:${fullText(self)}/${fullText({ value: maskOf(self.bits, self.prefix), bits: self.bits })}>`,
  ),
)
define<RAddress>(IPAddrClass, 'mask', 1, (self, [mask]) => {
  if (typeof mask === 'number') return masked(self, mask)
  const text = toText(mask!)
  return /^\d+$/.test(text) ? masked(self, Number(text)) : parseAddress(`${fullText(self)}/${text}`)
})
function masked(self: RAddress, prefix: number): RAddress {
  if (prefix < 0 || prefix > self.bits) throw raise('IPAddr::InvalidPrefixError', `invalid length: ${prefix}`)
  return new RAddress(self.value, self.bits, prefix)
}
define<RAddress>(
  IPAddrClass,
  'to_range',
  0,
  (self) =>
    new RRange(new RAddress(self.value, self.bits, self.bits), new RAddress(self.last, self.bits, self.bits), false),
)
define<RAddress>(IPAddrClass, 'hton', 0, (self) =>
  bytesString(Buffer.from(self.value.toString(16).padStart(self.bits / 4, '0'), 'hex')),
)
define<RAddress>(IPAddrClass, 'reverse', 0, (self) => {
  if (self.bits === 32) return str(`${fullText(self).split('.').reverse().join('.')}.in-addr.arpa`)
  return str(`${[...self.value.toString(16).padStart(32, '0')].reverse().join('.')}.ip6.arpa`)
})
define<RAddress>(IPAddrClass, 'succ', 0, (self) => new RAddress(self.value + 1n, self.bits, self.bits))
define<RAddress>(IPAddrClass, '<=>', 1, (self, [address]) => {
  if (!(address instanceof RAddress) || address.bits !== self.bits) return null
  return self.value < address.value ? -1 : self.value > address.value ? 1 : 0
})
define<RAddress>(IPAddrClass, '== eql?', 1, (self, [address]) => {
  if (!(address instanceof RAddress) && !(address instanceof RString)) return false
  const right = address instanceof RAddress ? address : tryParse(address.text)
  return right !== undefined && right.bits === self.bits && right.value === self.value
})
function tryParse(text: string): RAddress | undefined {
  try {
    return parseAddress(text)
  } catch {
    return undefined
  }
}
define<RAddress>(IPAddrClass, 'hash', 0, (self) => Number(self.value % 1_000_003n))
define<RAddress>(IPAddrClass, 'hash_key', 0, (self) => str(`\0I${self.bits}:${self.value}/${self.prefix}`))
for (const [op, apply] of [
  ['&', (a: bigint, b: bigint) => a & b],
  ['|', (a: bigint, b: bigint) => a | b],
] as const) {
  define<RAddress>(
    IPAddrClass,
    op,
    1,
    (self, [address]) =>
      new RAddress(
        apply(self.value, typeof address === 'number' ? BigInt(address) : other(address!).value),
        self.bits,
        self.bits,
      ),
  )
}
define<RAddress>(
  IPAddrClass,
  '+',
  1,
  (self, [by]) => new RAddress(self.value + BigInt(toInt(by!)), self.bits, self.bits),
)
define<RAddress>(
  IPAddrClass,
  '-',
  1,
  (self, [by]) => new RAddress(self.value - BigInt(toInt(by!)), self.bits, self.bits),
)
define<RAddress>(
  IPAddrClass,
  '~',
  0,
  (self) => new RAddress(~self.value & maskOf(self.bits, self.bits), self.bits, self.bits),
)

/** Whether an address is in one of the networks. */
function within(name: string, networks: readonly string[]): void {
  const parsed = networks.map(parseAddress)
  define<RAddress>(IPAddrClass, name, 0, (self) =>
    parsed.some((network) => network.bits === self.bits && self.value >= network.value && self.value <= network.last),
  )
}
within('private?', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'])
within('loopback?', ['127.0.0.0/8', '::1'])
within('link_local?', ['169.254.0.0/16', 'fe80::/10'])
within('ipv4_mapped?', ['::ffff:0:0/96'])
define<RAddress>(IPAddrClass, 'native', 0, (self) =>
  self.bits === 128 && self.value >> 32n === 0xffffn ? new RAddress(self.value & 0xffffffffn, 32, 32) : self,
)
define<RAddress>(
  IPAddrClass,
  'ipv4_mapped',
  0,
  (self) => new RAddress(self.value | 0xffff00000000n, 128, 96 + self.prefix),
)
define<RAddress>(IPAddrClass, 'dup clone', ANY, (self) => self)

export { inspectText }
