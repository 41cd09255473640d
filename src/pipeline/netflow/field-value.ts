/** Reads the value of a field from a flow record. */
import { Double } from '../../base/json/json-writer.ts'
import { Fields, type FieldValue } from '../event/fields.ts'
import type { FieldForm } from './field-definitions.ts'

export function readValue(bytes: Buffer, form: FieldForm): FieldValue {
  switch (form) {
    case 'u':
      return unsigned(bytes)
    case '4':
      return [...bytes].join('.')
    case '6':
      return ipv6Text(bytes)
    case 'm':
      return bytes.toString('hex').replaceAll(/..(?=.)/g, '$&:')
    case 'd':
      return floatOf(bytes)
    case 'f':
      return forwardingStatus(bytes)
    case 'a':
      return applicationId(bytes)
    case 'c':
      return bytes.toString('hex').replaceAll(/.{8}(?=.)/g, '$&-')
    case 'o':
      return bytes.toString('hex')
    default:
      return bytes.toString('utf8').replace(/\0+$/, '')
  }
}

function unsigned(bytes: Buffer): FieldValue {
  if (bytes.length <= 6) return bytes.length === 0 ? 0 : bytes.readUIntBE(0, bytes.length)
  const value = BigInt(`0x${bytes.toString('hex')}`)
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value
}

function floatOf(bytes: Buffer): FieldValue {
  const value = bytes.length === 4 ? bytes.readFloatBE(0) : bytes.readDoubleBE(0)
  return Number.isInteger(value) ? new Double(value) : value
}

/** The longest run of zeros is written as `::`, the first one if several are equally long. A single zero stays. */
export function ipv6Text(bytes: Buffer): string {
  const groups = Array.from({ length: 8 }, (_, i) => bytes.readUInt16BE(i * 2))
  let start = 0
  let length = 1
  for (let from = 0; from < 8; from++) {
    let end = from
    while (end < 8 && groups[end] === 0) end++
    if (end - from > length) [start, length] = [from, end - from]
  }
  const text = (some: readonly number[]) => some.map((group) => group.toString(16)).join(':')
  return length === 1 ? text(groups) : `${text(groups.slice(0, start))}::${text(groups.slice(start + length))}`
}

/** The forwarding status: two bits of status and six bits of reason. */
function forwardingStatus(bytes: Buffer): FieldValue {
  const value = bytes[bytes.length - 1] ?? 0
  return Object.assign(new Fields(), { reason: value & 0x3f, status: value >> 6 })
}

/** An application id: the classification engine and its selector, `3..80`. Engine 20 has an enterprise number between the two. */
function applicationId(bytes: Buffer): FieldValue {
  const engine = bytes[0] ?? 0
  if (engine === 20 && bytes.length > 5) {
    return `${engine}..${bytes.readUInt32BE(1)}..${String(unsigned(bytes.subarray(5)))}`
  }
  return `${engine}..${String(unsigned(bytes.subarray(1)))}`
}
