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
  if (value instanceof RString) return textKey(value.text)
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

function textKey(text: string): string {
  // The prefix of composed keys must not occur in keys made from data.
  return text.charCodeAt(0) === 0 ? `\0s${text}` : text
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

/** An entry with its JavaScript key. */
interface FiledEntry extends HashEntry {
  readonly filed: HashKey
}

/** Up to this many entries of a list are searched one by one, which costs less than filling a map. */
const SEARCHED_MAX = 8

export class RHash extends RBasic {
  /**
   * The entries of a small hash, or of a hash made of fields until a key is looked up. Code that only goes through the
   * entries, as `event.to_hash.each` does, then needs no map.
   */
  #list: FiledEntry[] | undefined
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
      for (const entry of this.#list) map.set(entry.filed, entry)
      this.#list = undefined
    }
    return map
  }

  #keyOf(key: Value): HashKey {
    return this.byIdentity && key !== null && typeof key === 'object' ? key : hashKey(key)
  }

  #find(filed: HashKey): HashEntry | undefined {
    const list = this.#list
    if (list === undefined) return this.#map?.get(filed)
    if (list.length > SEARCHED_MAX) return this.#entries.get(filed)
    for (let i = 0; i < list.length; i++) if (list[i]!.filed === filed) return list[i]
    return undefined
  }

  /** The value without the default; undefined if the key is missing. */
  get(key: Value): Value | undefined {
    return this.#find(this.#keyOf(key))?.value
  }

  entry(key: Value): HashEntry | undefined {
    return this.#find(this.#keyOf(key))
  }

  getText(name: string): Value | undefined {
    return this.#find(textKey(name))?.value
  }

  has(key: Value): boolean {
    return this.#find(this.#keyOf(key)) !== undefined
  }

  set(key: Value, value: Value): void {
    const filed = this.#keyOf(key)
    const old = this.#find(filed)
    if (old !== undefined) {
      old.value = value
      return
    }
    if (this.iterating > 0) throw raise('RuntimeError', "can't add a new key into hash during iteration")
    this.#add({
      key: key instanceof RString && !key.frozen && !this.byIdentity ? frozenCopy(key) : key,
      value,
      filed,
    })
  }

  #add(entry: FiledEntry): void {
    if (this.#map === undefined && this.#list === undefined) this.#list = [entry]
    else if (this.#list !== undefined && this.#list.length < SEARCHED_MAX) this.#list.push(entry)
    else {
      const map = this.#entries
      map.set(entry.filed, entry)
      if ((map.size & 255) === 0) charge(256)
    }
  }

  /** Adds an entry to a new hash. No two names may be equal. */
  addText(name: string, value: Value): void {
    const entry = { key: nameKey(name), value, filed: textKey(name) }
    if (this.#map !== undefined) this.#map.set(entry.filed, entry)
    else if (this.#list === undefined) this.#list = [entry]
    else this.#list.push(entry)
  }

  delete(key: Value): Value | undefined {
    const filed = this.#keyOf(key)
    const old = this.#find(filed)
    // An iteration over the list continues correctly only if the list is not changed.
    if (old !== undefined) this.#entries.delete(filed)
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
      if (this.#list === list || this.#map?.get(entry.filed) === entry) visit(entry)
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
    if (this.#list !== undefined) copy.#list = this.#list.map((entry) => ({ ...entry }))
    else if (this.#map !== undefined) {
      copy.#map = new Map()
      for (const [filed, { key, value }] of this.#map) copy.#map.set(filed, { key, value })
    }
    if (copy.size > 100) charge(copy.size)
    return copy
  }

  checkFrozen(inspect: () => string): void {
    if (this.frozen) throw raise('FrozenError', `can't modify frozen Hash: ${inspect()}`)
  }
}

/** Events have the same names again and again, so their frozen keys are shared, as those of literals are in Ruby. */
const nameKeys = new Map<string, RString>()
const NAME_KEYS_MAX = 1000

function nameKey(name: string): RString {
  let key = nameKeys.get(name)
  if (key === undefined) {
    key = new RString(name)
    key.frozen = true
    if (name.length <= 200 && nameKeys.size < NAME_KEYS_MAX) nameKeys.set(name, key)
  }
  return key
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
