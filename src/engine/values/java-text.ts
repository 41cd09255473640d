/**
 * Values in error messages, as the JVM prints them: `{a=1, b=[x, y]}`.
 *
 * Clients and people compare these messages, so objects print in the order of a Java hash map where Elasticsearch uses
 * one.
 */
import { formatDouble } from '../../base/json/json-writer.ts'

/**
 * A value read from JSON in the form of Java's `toString`. `hashed` prints object members in hash order and not their
 * own.
 */
export function javaText(value: unknown, hashed = false): string {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return `[${value.map((item) => javaText(item, hashed)).join(', ')}]`
  // Integers beyond 2^53 arrive as bigint, so a larger number was written as a decimal.
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : javaDouble(value)
  if (typeof value === 'object') {
    const names = hashed ? hashOrder(Object.keys(value)) : Object.keys(value)
    const members = names.map((name) => `${name}=${javaText((value as Record<string, unknown>)[name], hashed)}`)
    return `{${members.join(', ')}}`
  }
  return String(value)
}

/** A value of a mapping in the form of Java's `toString`: Elasticsearch reads mappings into hash maps. */
export const hashedText = (value: unknown): string => javaText(value, true)

/** The members of an object of a mapping, in the order in which Elasticsearch visits them. */
export function hashedEntries<T>(object: Readonly<Record<string, T>>): [string, T][] {
  return hashOrder(Object.keys(object)).map((name) => [name, object[name]!])
}

/** A double in a message: NaN and infinities are not quoted, unlike in JSON. */
export const javaDouble = (value: number) => (Number.isFinite(value) ? formatDouble(value) : String(value))

/** The class name that Elasticsearch prints for a value of the wrong type. */
export function javaClass(value: unknown): string {
  if (typeof value === 'string') return 'java.lang.String'
  if (typeof value === 'boolean') return 'java.lang.Boolean'
  if (typeof value === 'bigint') return BigInt.asIntN(64, value) === value ? 'java.lang.Long' : 'java.math.BigInteger'
  if (typeof value === 'number') {
    if (!Number.isInteger(value)) return 'java.lang.Double'
    return (value | 0) === value ? 'java.lang.Integer' : 'java.lang.Long'
  }
  if (Array.isArray(value)) return 'java.util.ArrayList'
  return 'java.util.LinkedHashMap'
}

export function javaSimpleClass(value: unknown): string {
  const name = javaClass(value)
  return name.slice(name.lastIndexOf('.') + 1)
}

/** String.hashCode. */
function javaHash(text: string): number {
  let hash = 0
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0
  return hash
}

/** The iteration order of a Java HashMap filled with `names` in sequence. */
export function hashOrder(names: readonly string[]): string[] {
  let capacity = 16
  while (names.length > capacity * 0.75) capacity *= 2
  const buckets: string[][] = Array.from({ length: capacity }, () => [])
  for (const name of names) {
    const hash = javaHash(name)
    buckets[(hash ^ (hash >>> 16)) & (capacity - 1)]!.push(name)
  }
  return buckets.flat()
}
