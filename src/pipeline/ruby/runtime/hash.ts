/** Ruby's hashes: they keep the order of insertion, and compare keys by `eql?`. */
import { raise } from './errors.ts'
import { charge } from './limits.ts'
import { RBasic, RFloat, type RProc, RRange, RSymbol, type Value } from './model.ts'
import { RString } from './string.ts'

export interface HashEntry {
  readonly key: Value
  value: Value
}

/** What a key is filed under: equal for keys that are `eql?`. */
export type HashKey = string | number | bigint | boolean | null | object

/** Asks objects written in Ruby for their `hash`; set by `dispatch.ts`, which knows how to call methods. */
export const userKeys: { of: (value: RBasic) => HashKey } = { of: (value) => value }

export function hashKey(value: Value): HashKey {
  if (value instanceof RString) {
    const { text } = value
    // The mark of composed keys must not be made from data.
    return text.charCodeAt(0) === 0 ? `\0s${text}` : text
  }
  if (typeof value !== 'object' || value === null || value instanceof RSymbol) return value
  if (value instanceof RFloat) return `\0f${Object.is(value.value, -0) ? '-0' : value.value}`
  if (Array.isArray(value)) return `\0a${value.map(composed).join('\0,')}`
  if (value instanceof RHash)
    return `\0h${[...value.entries()]
      .map(({ key, value: item }) => `${composed(key)}\0:${composed(item)}`)
      .sort()
      .join('\0,')}`
  if (value instanceof RRange) return `\0r${composed(value.from)}\0,${composed(value.to)}${value.isExclusive}`
  return userKeys.of(value)
}

const identities = new WeakMap<object, number>()
let lastIdentity = 8

/** A number for every object, as `object_id` tells it. */
export function identityOf(value: object): number {
  let id = identities.get(value)
  if (id === undefined) {
    id = lastIdentity += 8
    identities.set(value, id)
  }
  return id
}

/** The key of an item of an array, as text that tells kinds apart. */
function composed(value: Value): string {
  const key = hashKey(value)
  switch (typeof key) {
    case 'string':
      return key.charCodeAt(0) === 0 ? `${key}\0;` : `"${key}\0;`
    case 'number':
    case 'bigint':
      return `#${key}`
    case 'object':
      if (key === null) return 'nil'
      return key instanceof RSymbol ? `:${key.name}\0;` : `@${identityOf(key)}`
    default:
      return String(key)
  }
}

export class RHash extends RBasic {
  readonly #map = new Map<HashKey, HashEntry>()
  defaultValue: Value = null
  defaultProc: RProc | null = null
  frozen = false
  byIdentity = false
  /** Set for the keyword arguments of a call. */
  isKeywords = false
  /** Above zero while the hash is gone through: no keys may be added then. */
  iterating = 0

  get size(): number {
    return this.#map.size
  }

  #keyOf(key: Value): HashKey {
    return this.byIdentity && key !== null && typeof key === 'object' ? key : hashKey(key)
  }

  /** The value, without the default; undefined where there is none. */
  get(key: Value): Value | undefined {
    return this.#map.get(this.#keyOf(key))?.value
  }

  entry(key: Value): HashEntry | undefined {
    return this.#map.get(this.#keyOf(key))
  }

  getText(name: string): Value | undefined {
    return this.#map.get(name.charCodeAt(0) === 0 ? `\0s${name}` : name)?.value
  }

  has(key: Value): boolean {
    return this.#map.has(this.#keyOf(key))
  }

  set(key: Value, value: Value): void {
    const filed = this.#keyOf(key)
    const old = this.#map.get(filed)
    if (old !== undefined) {
      old.value = value
      return
    }
    if (this.iterating > 0) throw raise('RuntimeError', "can't add a new key into hash during iteration")
    this.#map.set(filed, {
      key: key instanceof RString && !key.frozen && !this.byIdentity ? frozenCopy(key) : key,
      value,
    })
    if ((this.#map.size & 255) === 0) charge(256)
  }

  /** Adds an entry whose name is known to be new, for hashes made of fields. */
  addText(name: string, value: Value): void {
    const key = new RString(name)
    key.frozen = true
    this.#map.set(name.charCodeAt(0) === 0 ? `\0s${name}` : name, { key, value })
  }

  delete(key: Value): Value | undefined {
    const filed = this.#keyOf(key)
    const old = this.#map.get(filed)
    if (old !== undefined) this.#map.delete(filed)
    return old?.value
  }

  clear(): void {
    this.#map.clear()
  }

  entries(): IterableIterator<HashEntry> {
    return this.#map.values()
  }

  list(): HashEntry[] {
    return [...this.#map.values()]
  }

  copy(): RHash {
    const copy = new RHash()
    copy.byIdentity = this.byIdentity
    for (const [filed, { key, value }] of this.#map) copy.#map.set(filed, { key, value })
    if (this.#map.size > 100) charge(this.#map.size)
    return copy
  }

  checkFrozen(inspect: () => string): void {
    if (this.frozen) throw raise('FrozenError', `can't modify frozen Hash: ${inspect()}`)
  }
}

/** Text keys are copied and frozen, so that a later change of the text does not lose the entry. */
function frozenCopy(key: RString): RString {
  const copy = new RString(key.text)
  copy.encoding = key.encoding
  copy.frozen = true
  return copy
}

export function hashOf(pairs: Iterable<readonly [Value, Value]>): RHash {
  const hash = new RHash()
  for (const [key, value] of pairs) hash.set(key, value)
  return hash
}
