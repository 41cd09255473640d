/** Ruby hashes. They keep insertion order and compare keys with `eql?`. */
import { raise } from './errors.ts'
import { charge } from './limits.ts'
import { RBasic, RFloat, type RProc, RRange, RSymbol, type Value } from './model.ts'
import { RString } from './string.ts'

export interface HashEntry {
  readonly key: Value
  value: Value
}

/** The JavaScript map key of a Ruby key. It is the same for keys that are `eql?`. */
export type HashKey = string | number | bigint | boolean | null | object

/** Calls `hash` on objects written in Ruby. Set by `dispatch.ts`, which can call methods. */
export const userKeys: { of: (value: RBasic) => HashKey } = { of: (value) => value }

export function hashKey(value: Value): HashKey {
  if (value instanceof RString) {
    const { text } = value
    // The prefix of composed keys must not occur in keys made from data.
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

/** A unique number of an object, which `object_id` returns. */
export function identityOf(value: object): number {
  let id = identities.get(value)
  if (id === undefined) {
    id = lastIdentity += 8
    identities.set(value, id)
  }
  return id
}

/** The key of an array item as text that distinguishes types. */
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
  /**
   * The entries of a hash made of fields, until a key is looked up. Code that only goes through the entries, as
   * `event.to_hash.each` does, then needs no map.
   */
  #list: HashEntry[] | undefined
  #map: Map<HashKey, HashEntry> | undefined
  defaultValue: Value = null
  defaultProc: RProc | null = null
  frozen = false
  byIdentity = false
  /** Whether the hash contains the keyword arguments of a call. */
  isKeywords = false
  /** Greater than zero during an iteration, in which no keys may be added. */
  iterating = 0

  get size(): number {
    return this.#list?.length ?? this.#map?.size ?? 0
  }

  get #entries(): Map<HashKey, HashEntry> {
    const map = (this.#map ??= new Map())
    if (this.#list !== undefined) {
      for (const entry of this.#list) map.set(hashKey(entry.key), entry)
      this.#list = undefined
    }
    return map
  }

  #keyOf(key: Value): HashKey {
    return this.byIdentity && key !== null && typeof key === 'object' ? key : hashKey(key)
  }

  /** The value without the default; undefined if the key is missing. */
  get(key: Value): Value | undefined {
    return this.#entries.get(this.#keyOf(key))?.value
  }

  entry(key: Value): HashEntry | undefined {
    return this.#entries.get(this.#keyOf(key))
  }

  getText(name: string): Value | undefined {
    return this.#entries.get(name.charCodeAt(0) === 0 ? `\0s${name}` : name)?.value
  }

  has(key: Value): boolean {
    return this.#entries.has(this.#keyOf(key))
  }

  set(key: Value, value: Value): void {
    const filed = this.#keyOf(key)
    const map = this.#entries
    const old = map.get(filed)
    if (old !== undefined) {
      old.value = value
      return
    }
    if (this.iterating > 0) throw raise('RuntimeError', "can't add a new key into hash during iteration")
    map.set(filed, {
      key: key instanceof RString && !key.frozen && !this.byIdentity ? frozenCopy(key) : key,
      value,
    })
    if ((map.size & 255) === 0) charge(256)
  }

  /** Adds an entry to a new hash. No two names may be equal. */
  addText(name: string, value: Value): void {
    const key = new RString(name)
    key.frozen = true
    const entry = { key, value }
    if (this.#map !== undefined) this.#map.set(hashKey(key), entry)
    else if (this.#list === undefined) this.#list = [entry]
    else this.#list.push(entry)
  }

  delete(key: Value): Value | undefined {
    const filed = this.#keyOf(key)
    const map = this.#entries
    const old = map.get(filed)
    if (old !== undefined) map.delete(filed)
    return old?.value
  }

  clear(): void {
    this.#list = undefined
    this.#map?.clear()
  }

  /** Calls a function with each entry. It skips entries that the function deletes; keys must not be added meanwhile. */
  each(visit: (entry: HashEntry) => void): void {
    const list = this.#list
    if (list === undefined) {
      for (const entry of this.#entries.values()) visit(entry)
      return
    }
    for (const entry of list) {
      // Once a key is looked up, the map says which entries are left.
      if (this.#list === list || this.#map?.get(hashKey(entry.key)) === entry) visit(entry)
    }
  }

  entries(): IterableIterator<HashEntry> {
    return this.#entries.values()
  }

  list(): HashEntry[] {
    return this.#list === undefined ? [...this.#entries.values()] : [...this.#list]
  }

  copy(): RHash {
    const copy = new RHash()
    copy.byIdentity = this.byIdentity
    const map = copy.#entries
    for (const [filed, { key, value }] of this.#entries) map.set(filed, { key, value })
    if (map.size > 100) charge(map.size)
    return copy
  }

  checkFrozen(inspect: () => string): void {
    if (this.frozen) throw raise('FrozenError', `can't modify frozen Hash: ${inspect()}`)
  }
}

/** String keys are copied and frozen, so that changing the string does not lose the entry. */
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
