/** `fingerprint`: hashes fields, to make ids that are equal for equal events. */
import { createHash, createHmac, randomUUID } from 'node:crypto'
import { murmur128 } from '../../base/bytes/murmur3-128.ts'
import { murmur3 } from '../../base/murmur3.ts'
import type { Event } from '../event/event.ts'
import { Fields, type FieldValue, isFields, namesOf } from '../event/fields.ts'
import { rubyText } from '../event/ruby-text.ts'
import { filterPlugin } from '../plugin/filter-plugin.ts'
import { option } from '../plugin/options.ts'
import { PluginOptionError } from '../plugin/plugin-context.ts'

const METHODS = [
  ...(['SHA1', 'SHA256', 'SHA384', 'SHA512', 'MD5', 'MURMUR3', 'MURMUR3_128'] as const),
  ...(['IPV4_NETWORK', 'UUID', 'PUNCTUATION'] as const),
] as const

export type Hash = (value: FieldValue) => FieldValue

export const fingerprint = filterPlugin({
  name: 'fingerprint',
  touches: 'nothing',
  options: {
    source: option.strings({ default: ['message'] }),
    target: option.field(),
    method: option.words(METHODS, { default: 'SHA1' }),
    key: option.password(),
    base64encode: option.boolean({ default: false }),
    concatenate_sources: option.boolean({ default: false }),
    concatenate_all_fields: option.boolean({ default: false }),
  },
  create(options, { ecs }) {
    const target = options.target ?? (ecs === 'disabled' ? 'fingerprint' : '[event][hash]')
    const hash = hashOf(options.method, options.key, options.base64encode)
    return {
      filter(event) {
        if (options.method === 'UUID') {
          event.set(target, randomUUID())
          return true
        }
        if (options.method === 'PUNCTUATION') {
          for (const field of [...options.source].sort()) punctuate(event, field, target)
          return true
        }
        if (options.concatenate_all_fields) event.set(target, hash(joined(event, namesOf(event.fields).sort())))
        else if (options.concatenate_sources) event.set(target, hash(joined(event, [...options.source].sort())))
        else for (const field of options.source) hashField(event, field, target, hash)
        return true
      },
    }
  },
})

/** Joins as `|a|x|b|y|`, so that moving text between fields changes the hash. */
function joined(event: Event, names: readonly string[]): string {
  return `${names.map((name) => `|${name}|${rubyText(sorted(event.get(name) ?? null))}`).join('')}|`
}

function hashField(event: Event, field: string, target: string, hash: Hash): void {
  const value = event.get(field)
  if (value === undefined) return
  event.set(target, Array.isArray(value) ? value.map((item) => hash(sorted(item))) : hash(sorted(value)))
}

/** Sorts the members of objects, so that equal objects have equal hashes. */
function sorted(value: FieldValue): FieldValue {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isFields(value)) return value
  const fields = new Fields()
  for (const name of namesOf(value).sort()) fields[name] = sorted(value[name]!)
  return fields
}

function punctuate(event: Event, field: string, target: string): void {
  const value = event.get(field)
  if (value !== undefined && value !== null) event.set(target, rubyText(value).replace(/[^\p{P}\p{S}]/gu, ''))
}

export function hashOf(method: (typeof METHODS)[number], key: string | undefined, base64: boolean): Hash {
  const encoding = base64 ? 'base64' : 'hex'
  switch (method) {
    case 'MURMUR3':
      return (value) => {
        const bytes = bytesOf(value)
        return murmur3(bytes, 0, bytes.length, 0) >>> 0
      }
    case 'MURMUR3_128':
      return (value) => murmurBytes(value).toString(encoding)
    case 'IPV4_NETWORK': {
      const bits = Number(key)
      if (key === undefined || !(bits >= 0 && bits <= 32)) {
        throw new PluginOptionError('Key value is empty. please fill in a subnet prefix length')
      }
      return (value) => networkOf(rubyText(value), bits)
    }
    default: {
      const algorithm = method.toLowerCase()
      if (key === undefined) return (value) => createHash(algorithm).update(rubyText(value)).digest(encoding)
      return (value) => createHmac(algorithm, key).update(rubyText(value)).digest(encoding)
    }
  }
}

/** Integers are hashed as their eight bytes, other values as text. */
function bytesOf(value: FieldValue): Buffer {
  if (typeof value !== 'bigint' && !Number.isSafeInteger(value)) return Buffer.from(rubyText(value))
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64LE(BigInt.asIntN(64, BigInt(value as number | bigint)))
  return bytes
}

function networkOf(address: string, bits: number): string {
  const octets = address.split('.').map(Number)
  if (octets.length !== 4 || octets.some((octet) => !(octet >= 0 && octet <= 255))) return address
  const number = octets.reduce((sum, octet) => sum * 256 + octet, 0)
  const network = number - (number % 2 ** (32 - bits))
  return [24, 16, 8, 0].map((shift) => Math.floor(network / 2 ** shift) % 256).join('.')
}

/** Logstash's seed. */
const MURMUR_128_SEED = 2

/** The sixteen bytes of the hash. Integers are hashed as four bytes if they fit, otherwise as eight. */
function murmurBytes(value: FieldValue): Buffer {
  const isSmall = typeof value === 'number' && (value | 0) === value
  const bytes = isSmall ? Buffer.alloc(4) : bytesOf(value)
  if (isSmall) bytes.writeInt32LE(value)
  const [first, second] = murmur128(bytes, MURMUR_128_SEED)
  const out = Buffer.alloc(16)
  out.writeBigUInt64LE(first, 0)
  out.writeBigUInt64LE(second, 8)
  return out
}
