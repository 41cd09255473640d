/**
 * IP addresses. In the index every address is 16 bytes, with IPv4 mapped into ::ffff:0:0/96, so that one order covers
 * both.
 *
 * Parsing is strict: four decimal octets without leading zeros (`010` is octal to some and ten to others), or IPv6 with
 * at most one `::` and an optional IPv4 tail.
 */
import { illegalArgument, notANumber } from '../../base/api-error.ts'

export const IP_BYTES = 16

const DOT = 0x2e
const COLON = 0x3a
const PERCENT = 0x25

/** The longest accepted form: eight groups, or six and an IPv4 tail, with room for a scope id. */
const SCRATCH = new Uint8Array(128)

/** The 16 bytes of an address, or undefined if the text is not one. */
export function parseIp(text: string): Uint8Array | undefined {
  if (text.length > SCRATCH.length) return undefined
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code > 0x7f) return undefined
    SCRATCH[i] = code
  }
  const address = new Uint8Array(IP_BYTES)
  return parseIpInto(SCRATCH, 0, text.length, address, 0) ? address : undefined
}

/** Like `parseIp`, but throws the error of a request with an invalid address. */
export function requireIp(text: string): Uint8Array {
  const address = parseIp(text)
  if (address === undefined) throw illegalArgument(`'${text}' is not an IP string literal.`)
  return address
}

/**
 * Parses the address in `bytes[start, end)` into `out[at, at + 16)`. Returns false if it is invalid; those bytes of
 * `out` are then undefined.
 */
function parseIpInto(bytes: Uint8Array, start: number, end: number, out: Uint8Array, at: number): boolean {
  for (let i = start; i < end; i++) {
    if (bytes[i] === COLON) return parseIpv6(bytes, start, end, out, at)
  }
  if (!parseIpv4(bytes, start, end, out, at + 12)) return false
  out.fill(0, at, at + 10)
  out[at + 10] = 0xff
  out[at + 11] = 0xff
  return true
}

/** The address as Elasticsearch prints it: dotted for IPv4, otherwise lower case without the longest run of zeros. */
export function formatIp(address: Uint8Array, at = 0): string {
  if (isIpv4(address, at)) return `${address[at + 12]}.${address[at + 13]}.${address[at + 14]}.${address[at + 15]}`
  const { first, length } = longestZeroRun(address, at)
  let text = ''
  for (let group = 0; group < 8; group++) {
    if (group === first && length > 1) {
      text += '::'
      group += length - 1
      continue
    }
    if (text !== '' && !text.endsWith(':')) text += ':'
    text += groupAt(address, at, group).toString(16)
  }
  return text
}

function isIpv4(address: Uint8Array, at = 0): boolean {
  for (let i = 0; i < 10; i++) if (address[at + i] !== 0) return false
  return address[at + 10] === 0xff && address[at + 11] === 0xff
}

/** The first and last address of `ip/prefix`. */
export interface IpRange {
  low: Uint8Array
  high: Uint8Array
}

export function parseCidr(text: string): IpRange {
  // A trailing slash leaves a single part, because an empty prefix does not count.
  const parts = text.split('/')
  if (parts.length !== 2 || parts[1] === '') throw illegalArgument(`Expected [ip/prefix] but was [${text}]`)
  const [addressText, prefixText] = parts as [string, string]
  const address = requireIp(addressText)
  const v4 = !addressText.includes(':')
  if (!v4 && isIpv4(address)) {
    throw illegalArgument(
      `CIDR notation is not allowed with IPv6-mapped IPv4 address [${addressText} as it introduces ambiguity as to whether the prefix length should be interpreted as a v4 prefix length or a v6 prefix length`,
    )
  }
  if (!/^[+-]?\d+$/.test(prefixText) || Math.abs(Number(prefixText)) > 2 ** 31) throw notANumber(prefixText)
  const prefix = Number(prefixText)
  if (prefix < 0 || prefix > (v4 ? 32 : 128)) {
    throw illegalArgument(
      `Illegal prefix length [${prefix}] in [${text}]. Must be 0-32 for IPv4 ranges, 0-128 for IPv6 ranges`,
    )
  }
  return rangeOfPrefix(address, v4 ? prefix + 96 : prefix)
}

/** The addresses that share the first `prefixBits` of the 128 bits. */
function rangeOfPrefix(address: Uint8Array, prefixBits: number): IpRange {
  const low = address.slice()
  const high = address.slice()
  for (let bit = prefixBits; bit < 128; bit++) {
    low[bit >> 3]! &= ~(0x80 >> (bit & 7))
    high[bit >> 3]! |= 0x80 >> (bit & 7)
  }
  return { low, high }
}

/** The next address; undefined after the last. For exclusive bounds. */
export function nextIp(address: Uint8Array): Uint8Array | undefined {
  return step(address, 0xff, 0, 1)
}

/** The previous address; undefined before the first. */
export function previousIp(address: Uint8Array): Uint8Array | undefined {
  return step(address, 0, 0xff, -1)
}

function step(address: Uint8Array, edge: number, wrapped: number, delta: number): Uint8Array | undefined {
  const next = address.slice()
  for (let i = IP_BYTES - 1; i >= 0; i--) {
    if (next[i] === edge) {
      next[i] = wrapped
      continue
    }
    next[i]! += delta
    return next
  }
  return undefined
}

function parseIpv4(bytes: Uint8Array, start: number, end: number, out: Uint8Array, at: number): boolean {
  let octet = 0
  let digits = 0
  let octets = 0
  for (let i = start; i < end; i++) {
    const c = bytes[i]!
    if (c === DOT) {
      if (digits === 0 || octets === 3) return false
      out[at + octets++] = octet
      octet = 0
      digits = 0
      continue
    }
    const digit = c - 0x30
    if (digit < 0 || digit > 9) return false
    if (digits > 0 && octet === 0) return false
    octet = octet * 10 + digit
    if (octet > 255) return false
    digits++
  }
  if (digits === 0 || octets !== 3) return false
  out[at + 3] = octet
  return true
}

function parseIpv6(bytes: Uint8Array, start: number, textEnd: number, out: Uint8Array, at: number): boolean {
  // A scope id (`fe80::1%eth0`) names an interface of the sender and is ignored.
  let end = textEnd
  for (let i = start; i < textEnd; i++) if (bytes[i] === PERCENT) end = Math.min(end, i)
  if (end === textEnd - 1) return false

  let written = 0
  let gapAt = -1
  let i = start
  if (bytes[i] === COLON) {
    if (i + 1 >= end || bytes[i + 1] !== COLON) return false
    gapAt = 0
    i += 2
  }
  while (i < end) {
    if (written === IP_BYTES) return false
    const groupStart = i
    let group = 0
    let digit = hexDigit(bytes[i]!)
    while (digit >= 0) {
      group = (group << 4) | digit
      if (group > 0xffff) return false
      digit = ++i < end ? hexDigit(bytes[i]!) : -1
    }
    if (i < end && bytes[i] === DOT) {
      if (written > IP_BYTES - 4 || !parseIpv4(bytes, groupStart, end, out, at + written)) return false
      written += 4
      i = end
      break
    }
    if (i === groupStart) return false
    out[at + written++] = group >> 8
    out[at + written++] = group & 0xff
    if (i === end) break
    if (bytes[i] !== COLON) return false
    i++
    if (i < end && bytes[i] === COLON) {
      if (gapAt >= 0) return false
      gapAt = written
      i++
    } else if (i === end) {
      return false
    }
  }
  if (gapAt < 0) return written === IP_BYTES
  // The `::` replaces at least one group.
  if (written > IP_BYTES - 2) return false
  out.copyWithin(at + IP_BYTES - (written - gapAt), at + gapAt, at + written)
  out.fill(0, at + gapAt, at + IP_BYTES - (written - gapAt))
  return true
}

function hexDigit(c: number): number {
  if (c >= 0x30 && c <= 0x39) return c - 0x30
  const letter = c | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}

function groupAt(address: Uint8Array, at: number, group: number): number {
  return (address[at + group * 2]! << 8) | address[at + group * 2 + 1]!
}

function longestZeroRun(address: Uint8Array, at: number): { first: number; length: number } {
  let best = { first: -1, length: 0 }
  let runStart = -1
  for (let group = 0; group <= 8; group++) {
    if (group < 8 && groupAt(address, at, group) === 0) {
      if (runStart < 0) runStart = group
      continue
    }
    if (runStart >= 0 && group - runStart > best.length) best = { first: runStart, length: group - runStart }
    runStart = -1
  }
  return best
}
