/**
 * HashMap and LinkedHashMap. Keys are found with a JavaScript map; a few strings, the members of most documents, are compared one
 * by one, because making a JavaScript map takes longer. The iteration order of a HashMap is that of Java's
 * table: by bucket, and within a bucket by insertion. It is computed when the map is iterated and kept until the map
 * changes.
 */
import { Boxed } from '../boxed.ts'
import { equals, hashCode } from '../equality.ts'
import { JObject } from '../java-object.ts'
import { spendMemory } from '../limits.ts'
import { make } from './iterable.ts'
import { JEntry, JMap } from './map.ts'

class HashEntry extends JEntry {
  /** The next entry whose key is an object with the same hash. */
  next: HashEntry | undefined
  /** The place within the bucket. Entries inserted at the head of the bucket count downward. */
  order = 0
}

/** The key of the JavaScript map. Objects are found by their hash, under a string that no key of a script can have. */
function indexKey(key: unknown): unknown {
  if (typeof key === 'string') return key
  if (key instanceof Boxed) return `\u0000${key.constructor.name}${Object.is(key.value, -0) ? '-0' : key.value}`
  return key instanceof JObject ? key.hashCode_0() + 0.5 : key
}

/** Up to this number of strings are not indexed. */
const FEW = 12

export class JHashMap extends JMap {
  /** Whether every key there has been is a string, as in a map made of JSON. */
  hasTextKeys = true
  /** The entries in the order of insertion, until there is an index. */
  #few: HashEntry[] = []
  #index: Map<unknown, HashEntry> | undefined
  #size = 0
  #inserted = 0
  #capacity: number
  #ordered: readonly JEntry[] | undefined
  readonly #linked: boolean
  readonly #class: string

  constructor(linked = false, capacity = 16, name = linked ? 'java.util.LinkedHashMap' : 'java.util.HashMap') {
    super()
    this.#linked = linked
    this.#capacity = capacity
    this.#class = name
  }

  get $class(): string {
    return this.#class
  }

  /** Finds an entry. Keys are compared as well, because a string key may start with the mark of boxed keys. */
  entry(key: unknown): HashEntry | undefined {
    const index = this.#index
    if (index === undefined) return typeof key === 'string' ? this.#fewWith(key) : undefined
    if (typeof key === 'string') {
      const first = index.get(key)
      if (first === undefined || first.key === key) return first
    }
    let entry = index.get(indexKey(key))
    while (entry !== undefined && !equals(entry.key, key)) entry = entry.next
    return entry
  }

  #fewWith(key: string): HashEntry | undefined {
    const few = this.#few
    for (let i = 0; i < few.length; i++) if (few[i]!.key === key) return few[i]
    return undefined
  }

  override insertFirst(key: unknown, value: unknown): void {
    this.put_2(key, value)
    this.entry(key)!.order = -this.#inserted
  }

  put_2(key: unknown, value: unknown): unknown {
    const known = this.entry(key)
    if (known !== undefined) {
      const old = known.value
      known.value = value
      return old
    }
    spendMemory(2)
    if (typeof key !== 'string') this.hasTextKeys = false
    const entry = new HashEntry(key, value, this.#linked ? 'java.util.LinkedHashMap$Entry' : 'java.util.HashMap$Node')
    entry.order = ++this.#inserted
    if (this.#index === undefined && this.hasTextKeys && this.#size < FEW) this.#few.push(entry)
    else addTo((this.#index ??= this.#indexFew()), entry)
    this.#size++
    if (this.#size > this.#capacity * 0.75) this.#capacity *= 2
    this.#changed()
    return null
  }

  #indexFew(): Map<unknown, HashEntry> {
    const index = new Map<unknown, HashEntry>()
    for (const entry of this.#few) addTo(index, entry)
    this.#few = []
    return index
  }

  #changed(): void {
    this.changes++
    this.#ordered = undefined
  }

  remove_1(key: unknown): unknown {
    const entry = this.entry(key)
    if (entry === undefined) return null
    if (this.#index === undefined) this.#few.splice(this.#few.indexOf(entry), 1)
    else removeFrom(this.#index, key, entry)
    this.#size--
    this.#changed()
    return entry.value
  }

  clear_0(): void {
    this.#few = []
    this.#index?.clear()
    this.#size = 0
    this.#changed()
  }

  size_0(): number {
    return this.#size
  }

  entries(): readonly JEntry[] {
    this.#ordered ??= this.#order()
    return this.#ordered
  }

  /** Calls `visit` for every entry in an undefined order, because computing Java's order takes longer. */
  forEachEntry(visit: (entry: JEntry) => void): void {
    for (const first of this.#index?.values() ?? this.#few) {
      for (let entry: HashEntry | undefined = first; entry !== undefined; entry = entry.next) visit(entry)
    }
  }

  #order(): readonly JEntry[] {
    const all = this.#index === undefined ? this.#few.slice() : entriesOf(this.#index)
    if (this.#linked || all.length < 2) return all
    const mask = this.#capacity - 1
    const buckets = all.map((entry) => {
      const hash = hashCode(entry.key)
      return (hash ^ (hash >>> 16)) & mask
    })
    const order = all.map((_, i) => i).sort((a, b) => buckets[a]! - buckets[b]! || all[a]!.order - all[b]!.order)
    return order.map((i) => all[i]!)
  }

  clone_0(): JHashMap {
    const copy = new JHashMap(this.#linked, this.#capacity, this.#class)
    copy.putAll_1(this)
    return copy
  }
}

/** Adds an entry whose key is not in the index. */
function addTo(index: Map<unknown, HashEntry>, entry: HashEntry): void {
  const { key } = entry
  const place = indexKey(key)
  // The caller has not found the key. A string that cannot be the index key of another object therefore has no entries
  // at its place.
  const isPlain = typeof key === 'string' && key.charCodeAt(0) !== 0
  const first = isPlain ? undefined : index.get(place)
  if (first === undefined) index.set(place, entry)
  else {
    let last = first
    while (last.next !== undefined) last = last.next
    last.next = entry
  }
}

function removeFrom(index: Map<unknown, HashEntry>, key: unknown, entry: HashEntry): void {
  const place = indexKey(key)
  const first = index.get(place)!
  if (first === entry) {
    if (entry.next === undefined) index.delete(place)
    else index.set(place, entry.next)
    return
  }
  let before = first
  while (before.next !== entry) before = before.next!
  before.next = entry.next
}

function entriesOf(index: ReadonlyMap<unknown, HashEntry>): HashEntry[] {
  const all: HashEntry[] = []
  for (let entry of index.values() as IterableIterator<HashEntry | undefined>)
    for (; entry !== undefined; entry = entry.next) all.push(entry)
  return all
}

/** The table size that Java chooses for a copy of a map with this number of entries. */
export function capacityFor(size: number): number {
  const wanted = Math.trunc(Math.fround(size / 0.75 + 1))
  let capacity = 1
  while (capacity < wanted) capacity *= 2
  return Math.max(capacity, size === 0 ? 16 : 1)
}

export function copyOfMap(source: JMap, linked = false): JHashMap {
  const copy = new JHashMap(linked, capacityFor(source.size_0()))
  copy.putAll_1(source)
  return copy
}

make.hashMap = (linked) => new JHashMap(linked)
