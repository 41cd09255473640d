/** fingerprint: a hash over fields that does not depend on the order of the fields. */
import { createHash } from 'node:crypto'
import { illegalArgument } from '../../../base/api-error.ts'
import { murmur128 } from '../../../base/bytes/murmur3-128.ts'
import { JDouble, JFloat, JList, JMap, javaString } from '../../../engine/painless/index.ts'
import type { IngestBudget } from '../document/ingest-budget.ts'
import type { ProcessorFactory } from '../pipeline/processor.ts'

const METHODS = ['MD5', 'SHA-1', 'SHA-256', 'SHA-512', 'MurmurHash3']

export const fingerprint: ProcessorFactory = (reader) => {
  const fields = [...reader.strings('fields')].sort()
  if (fields.length === 0) throw reader.error('fields', 'must specify at least one field')
  if (fields.some((field) => field === '')) throw reader.error('fields', 'field path cannot be null nor empty')
  const target = reader.optionalString('target_field') ?? 'fingerprint'
  const salt = Buffer.from(reader.optionalString('salt') ?? '')
  const method = reader.optionalString('method') ?? 'SHA-1'
  if (!METHODS.includes(method)) {
    throw reader.error('method', `[${method}] must be one of the supported hash methods [${METHODS.join(',')}]`)
  }
  const ignoresMissing = reader.boolean('ignore_missing', false)
  return (document) => {
    const values: unknown[] = []
    for (const field of fields) {
      const value = document.find(field, true) ?? null
      if (value !== null) values.push(value)
      else if (!ignoresMissing) throw illegalArgument(`missing field [${field}] when calculating fingerprint`)
    }
    if (values.length === 0) return
    const parts: Uint8Array[] = [salt]
    for (const value of values) addParts(value, parts, document.budget)
    document.set(target, digest(method, Buffer.concat(parts)).toString('base64'))
  }
}

const UNITS_PER_PART = 50
const DELIMITER = Uint8Array.of(0)

function addParts(value: unknown, parts: Uint8Array[], budget: IngestBudget): void {
  budget.spend(UNITS_PER_PART)
  if (typeof value === 'string') budget.text(value.length)
  if (value instanceof JList) {
    for (const item of value.items) addParts(item, parts, budget)
  } else if (value instanceof JMap) {
    const entries = [...value.entries()].sort((a, b) => (String(a.key) < String(b.key) ? -1 : 1))
    for (const { key, value: member } of entries) {
      parts.push(DELIMITER, Buffer.from(String(key)))
      addParts(member, parts, budget)
    }
  } else parts.push(DELIMITER, bytesOf(value))
}

function bytesOf(value: unknown): Uint8Array {
  if (value === null || value === undefined) return new Uint8Array(0)
  if (typeof value === 'boolean') return Uint8Array.of(value ? 1 : 2)
  const bytes = Buffer.alloc(8)
  if (typeof value === 'number') {
    bytes.writeInt32LE(value)
    return bytes.subarray(0, 4)
  }
  if (typeof value === 'bigint') bytes.writeBigInt64LE(value)
  else if (value instanceof JDouble) bytes.writeDoubleLE(value.value)
  else if (value instanceof JFloat) {
    bytes.writeFloatLE(value.value)
    return bytes.subarray(0, 4)
  } else return Buffer.from(javaString(value))
  return bytes
}

function digest(method: string, bytes: Buffer): Buffer {
  if (method !== 'MurmurHash3') return createHash(method.replace('-', '')).update(bytes).digest()
  const [low, high] = murmur128(bytes)
  const out = Buffer.alloc(16)
  out.writeBigUInt64BE(low)
  out.writeBigUInt64BE(high, 8)
  return out
}
