/** IP addresses of the fields API, and CIDR blocks. */

import { parseIp } from '../../../values/ip.ts'
import { illegalArgument } from '../../errors/java-throwable.ts'
import { stringHash } from '../equality.ts'
import { JObject } from '../java-object.ts'
import { registerConstructors } from '../registry.ts'

export class IPAddress extends JObject {
  readonly text: string

  constructor(text: string) {
    super()
    this.text = text
  }

  get $class(): string {
    return 'org.elasticsearch.script.field.IPAddress'
  }

  isV4_0(): boolean {
    return !this.text.includes(':')
  }

  isV6_0(): boolean {
    return this.text.includes(':')
  }

  override equals_1(other: unknown): boolean {
    return other instanceof IPAddress && other.text === this.text
  }

  override hashCode_0(): number {
    return stringHash(this.text)
  }

  override toString_0(): string {
    return this.text
  }

  toJsonValue(): string {
    return this.text
  }
}

function bytesOf(text: string): Uint8Array {
  const bytes = parseIp(text)
  if (bytes === undefined) throw illegalArgument(`'${text}' is not an IP string literal.`)
  return bytes
}

/** The number of leading bits of the IPv4-mapped form. */
const V4_PREFIX_BITS = 96

class Cidr extends JObject {
  readonly #address: Uint8Array
  readonly #bits: number

  constructor(text: string) {
    super()
    const [address, bits] = text.split('/')
    this.#address = bytesOf(address!)
    const v4 = !address!.includes(':')
    const size = v4 ? 32 : 128
    const prefix = bits === undefined ? size : Number(bits)
    if (!Number.isInteger(prefix) || prefix < 0 || prefix > size)
      throw illegalArgument(
        `Illegal prefix length [${bits}] in [${text}]. Must be 0-32 for IPv4 ranges, 0-128 for IPv6 ranges`,
      )
    this.#bits = prefix + (v4 ? V4_PREFIX_BITS : 0)
  }

  get $class(): string {
    return 'org.elasticsearch.painless.api.CIDR'
  }

  contains_1(text: string | null): boolean {
    if (text === null || text === '') return false
    const other = bytesOf(text)
    for (let bit = 0; bit < this.#bits; bit++) {
      const mask = 0x80 >> (bit & 7)
      if ((this.#address[bit >> 3]! & mask) !== (other[bit >> 3]! & mask)) return false
    }
    return true
  }
}

registerConstructors('org.elasticsearch.script.field.IPAddress', {
  1: (text: string) => {
    bytesOf(text)
    return new IPAddress(text)
  },
})
registerConstructors('org.elasticsearch.painless.api.CIDR', { 1: (text: string) => new Cidr(text) })
