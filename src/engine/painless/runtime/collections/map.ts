/** The methods that all maps share. Subclasses store the entries and define the iteration order. */
import { concurrentModification, nullPointer, unsupportedOperation } from '../../errors/java-throwable.ts'
import { equals, hashCode } from '../equality.ts'
import { type JFunction, JObject } from '../java-object.ts'
import { textOf } from '../java-text.ts'
import { checkString, spendSteps } from '../limits.ts'
import type { JCollection } from './collection.ts'
import { make } from './iterable.ts'
import type { JList } from './list.ts'
import { MapEntries, MapKeys, MapValues } from './map-views.ts'
import { getByPath } from './paths.ts'

/** An entry of a map. Its class name is that of the map's nodes. */
export class JEntry extends JObject {
  readonly key: unknown
  value: unknown
  // Not private: a private member takes longer to initialize than all others together.
  readonly nodeClass: string

  constructor(key: unknown, value: unknown, name = 'java.util.HashMap$Node') {
    super()
    this.key = key
    this.value = value
    this.nodeClass = name
  }

  get $class(): string {
    return this.nodeClass
  }

  override get $listed(): string {
    return 'java.util.Map.Entry'
  }

  getKey_0(): unknown {
    return this.key
  }

  getValue_0(): unknown {
    return this.value
  }

  setValue_1(value: unknown): unknown {
    const old = this.value
    this.value = value
    return old
  }

  override equals_1(other: unknown): boolean {
    return other instanceof JEntry && equals(this.key, other.key) && equals(this.value, other.value)
  }

  override hashCode_0(): number {
    return hashCode(this.key) ^ hashCode(this.value)
  }

  override toString_0(): string {
    return `${textOf(this.key)}=${textOf(this.value)}`
  }
}

/** The maximum nesting of maps in a text. Java would overflow its stack. */
const TEXT_DEPTH_MAX = 500
let textDepth = 0

export abstract class JMap extends JObject {
  /** Counts structural modifications, for the check in iterators. */
  changes = 0

  /** The entries in iteration order. The array becomes invalid when the map changes. */
  abstract entries(): readonly JEntry[]
  abstract entry(key: unknown): JEntry | undefined
  abstract put_2(key: unknown, value: unknown): unknown
  abstract remove_1(key: unknown): unknown
  abstract clear_0(): void
  abstract size_0(): number

  isEmpty_0(): boolean {
    return this.size_0() === 0
  }

  /** Adds a new key. Java's compute and merge insert at the head of the bucket; put appends. */
  insertFirst(key: unknown, value: unknown): void {
    this.put_2(key, value)
  }

  get_1(key: unknown): unknown {
    return this.entry(key)?.value ?? null
  }

  containsKey_1(key: unknown): boolean {
    return this.entry(key) !== undefined
  }

  containsValue_1(value: unknown): boolean {
    spendSteps(this.size_0())
    return this.entries().some((entry) => equals(entry.value, value))
  }

  getOrDefault_2(key: unknown, fallback: unknown): unknown {
    const entry = this.entry(key)
    return entry === undefined ? fallback : entry.value
  }

  putAll_1(other: JMap): void {
    if (other === null) throw nullPointer()
    for (const { key, value } of [...other.entries()]) this.put_2(key, value)
  }

  putIfAbsent_2(key: unknown, value: unknown): unknown {
    const old = this.get_1(key)
    if (old === null) this.put_2(key, value)
    return old
  }

  remove_2(key: unknown, value: unknown): boolean {
    const entry = this.entry(key)
    if (entry === undefined || !equals(entry.value, value)) return false
    this.remove_1(key)
    return true
  }

  replace_2(key: unknown, value: unknown): unknown {
    return this.containsKey_1(key) ? this.put_2(key, value) : null
  }

  replace_3(key: unknown, old: unknown, value: unknown): boolean {
    const entry = this.entry(key)
    if (entry === undefined || !equals(entry.value, old)) return false
    this.put_2(key, value)
    return true
  }

  replaceAll_1(map: JFunction): void {
    for (const entry of this.entries()) entry.setValue_1(map.call(entry.key, entry.value))
  }

  compute_2(key: unknown, map: JFunction): unknown {
    return this.#store(key, map.call(key, this.get_1(key)))
  }

  computeIfAbsent_2(key: unknown, map: JFunction): unknown {
    const old = this.get_1(key)
    if (old !== null) return old
    const value = map.call(key)
    if (value !== null) this.#store(key, value)
    return value
  }

  computeIfPresent_2(key: unknown, map: JFunction): unknown {
    const old = this.get_1(key)
    return old === null ? null : this.#store(key, map.call(key, old))
  }

  merge_3(key: unknown, value: unknown, map: JFunction): unknown {
    if (value === null) throw nullPointer()
    const old = this.get_1(key)
    return this.#store(key, old === null ? value : map.call(old, value))
  }

  #store(key: unknown, value: unknown): unknown {
    if (value === null) this.remove_1(key)
    else if (this.containsKey_1(key)) this.put_2(key, value)
    else this.insertFirst(key, value)
    return value
  }

  forEach_1(action: JFunction): void {
    const { changes } = this
    for (const { key, value } of this.entries()) action.call(key, value)
    if (this.changes !== changes) throw concurrentModification()
  }

  keySet_0(): JCollection {
    return new MapKeys(this)
  }

  values_0(): JCollection {
    return new MapValues(this)
  }

  entrySet_0(): JCollection {
    return new MapEntries(this)
  }

  collect_1(map: JFunction): JList {
    return make.list(this.entries().map(({ key, value }) => map.call(key, value)))
  }

  collect_2(into: JCollection, map: JFunction): JCollection {
    for (const { key, value } of this.entries()) into.add_1(map.call(key, value))
    return into
  }

  count_1(test: JFunction): number {
    return this.entries().filter(({ key, value }) => test.call(key, value)).length
  }

  each_1(action: JFunction): JMap {
    this.forEach_1(action)
    return this
  }

  every_1(test: JFunction): boolean {
    return this.entries().every(({ key, value }) => test.call(key, value))
  }

  find_1(test: JFunction): JEntry | null {
    return this.entries().find(({ key, value }) => test.call(key, value)) ?? null
  }

  findAll_1(test: JFunction): JMap {
    const found = make.hashMap()
    for (const { key, value } of this.entries()) if (test.call(key, value)) found.put_2(key, value)
    return found
  }

  findResult_1(map: JFunction): unknown {
    return this.findResult_2(null, map)
  }

  findResult_2(fallback: unknown, map: JFunction): unknown {
    for (const { key, value } of this.entries()) {
      const result = map.call(key, value)
      if (result !== null) return result
    }
    return fallback
  }

  findResults_1(map: JFunction): JList {
    return make.list(
      this.entries()
        .map(({ key, value }) => map.call(key, value))
        .filter((v) => v !== null),
    )
  }

  groupBy_1(group: JFunction): JMap {
    const groups = make.hashMap(true)
    for (const { key, value } of this.entries()) {
      const name = group.call(key, value)
      let own = groups.get_1(name) as JMap | null
      if (own === null) groups.put_2(name, (own = make.hashMap()))
      own.put_2(key, value)
    }
    return groups
  }

  stepTo(step: string): { value: unknown } | undefined {
    return this.containsKey_1(step) ? { value: this.get_1(step) } : undefined
  }

  getByPath_1(path: string): unknown {
    return getByPath(this, path, undefined)
  }

  getByPath_2(path: string, fallback: unknown): unknown {
    return getByPath(this, path, { value: fallback })
  }

  override equals_1(other: unknown): boolean {
    if (other === this) return true
    if (!(other instanceof JMap) || other.size_0() !== this.size_0()) return false
    spendSteps(this.size_0())
    return this.entries().every(({ key, value }) => other.containsKey_1(key) && equals(value, other.get_1(key)))
  }

  override hashCode_0(): number {
    let hash = 0
    for (const entry of this.entries()) hash = (hash + entry.hashCode_0()) | 0
    return hash
  }

  override toString_0(): string {
    if (++textDepth > TEXT_DEPTH_MAX) {
      textDepth = 0
      throw new RangeError('nested too deeply')
    }
    try {
      const own = (value: unknown) => (value === this ? '(this Map)' : textOf(value))
      let text = ''
      for (const { key, value } of this.entries()) {
        text += `${text === '' ? '' : ', '}${own(key)}=${own(value)}`
        checkString(1)
      }
      checkString(text.length)
      return `{${text}}`
    } finally {
      if (textDepth > 0) textDepth--
    }
  }
}

/** An entry of a read-only map. */
export class ReadOnlyEntry extends JEntry {
  readonly #refuse: () => Error

  constructor(
    entry: JEntry,
    refuse: () => Error,
    name = 'java.util.Collections$UnmodifiableMap$UnmodifiableEntrySet$UnmodifiableEntry',
  ) {
    super(entry.key, entry.value, name)
    this.#refuse = refuse
  }

  override setValue_1(): unknown {
    throw this.#refuse()
  }
}

/** A read-only view of another map. `refusal` is the message of the error. */
export class JReadOnlyMap extends JMap {
  readonly #map: JMap
  readonly #class: string
  readonly #refuse: () => Error

  constructor(map: JMap, name = 'java.util.Collections$UnmodifiableMap', refusal: string | null = null) {
    super()
    this.#map = map
    this.#class = name
    this.#refuse = () => unsupportedOperation(refusal)
  }

  get $class(): string {
    return this.#class
  }

  override get $listed(): string {
    return 'java.util.Map'
  }

  entries(): readonly JEntry[] {
    return this.#map.entries().map((entry) => new ReadOnlyEntry(entry, this.#refuse))
  }

  entry(key: unknown): JEntry | undefined {
    return this.#map.entry(key)
  }

  override get_1(key: unknown): unknown {
    return this.#map.get_1(key)
  }

  size_0(): number {
    return this.#map.size_0()
  }

  put_2(): unknown {
    throw this.#refuse()
  }

  remove_1(): unknown {
    throw this.#refuse()
  }

  clear_0(): void {
    throw this.#refuse()
  }

  override remove_2(): boolean {
    throw this.#refuse()
  }

  override putAll_1(): void {
    throw this.#refuse()
  }

  override putIfAbsent_2(): unknown {
    throw this.#refuse()
  }

  override replace_2(): unknown {
    throw this.#refuse()
  }

  override replace_3(): boolean {
    throw this.#refuse()
  }

  override replaceAll_1(): void {
    throw this.#refuse()
  }

  override compute_2(): unknown {
    throw this.#refuse()
  }

  override computeIfAbsent_2(): unknown {
    throw this.#refuse()
  }

  override computeIfPresent_2(): unknown {
    throw this.#refuse()
  }

  override merge_3(): unknown {
    throw this.#refuse()
  }
}
