/** TreeMap over a sorted array. */
import { nullPointer } from '../../errors/java-throwable.ts'
import { compareTo } from '../equality.ts'
import type { JFunction } from '../java-object.ts'
import { spendMemory } from '../limits.ts'
import { JEntry } from './map.ts'
import { JNavigableMap } from './navigable-map.ts'

export class JTreeMap extends JNavigableMap {
  #entries: JEntry[] = []
  readonly #order: JFunction | null
  readonly #compare: (a: unknown, b: unknown) => number

  constructor(order: JFunction | null = null) {
    super()
    this.#order = order
    this.#compare = order === null ? natural : (a, b) => order.call(a, b)
  }

  get $class(): string {
    return 'java.util.TreeMap'
  }

  override get $listed(): string {
    return this.$class
  }

  compare(a: unknown, b: unknown): number {
    return this.#compare(a, b)
  }

  comparator_0(): JFunction | null {
    return this.#order
  }

  entries(): readonly JEntry[] {
    return this.#entries
  }

  entry(key: unknown): JEntry | undefined {
    if (this.#order === null) {
      if (key === null) throw nullPointer()
      if (this.#entries.length === 0) natural(key, key)
    }
    const found = this.#entries[this.bound(key, false)]
    return found !== undefined && this.#compare(key, found.key) === 0 ? found : undefined
  }

  put_2(key: unknown, value: unknown): unknown {
    if (this.#entries.length === 0) this.#compare(key, key)
    const at = this.bound(key, false)
    const found = this.#entries[at]
    if (found !== undefined && this.#compare(key, found.key) === 0) return found.setValue_1(value)
    spendMemory(2)
    this.changes++
    this.#entries = this.#entries.toSpliced(at, 0, treeEntry(key, value))
    return null
  }

  remove_1(key: unknown): unknown {
    const entry = this.entry(key)
    if (entry === undefined) return null
    this.changes++
    this.#entries = this.#entries.toSpliced(this.#entries.indexOf(entry), 1)
    return entry.value
  }

  clear_0(): void {
    this.changes++
    this.#entries = []
  }

  copyOf(entries: readonly JEntry[], order: JFunction | null): JTreeMap {
    spendMemory(2 * entries.length)
    const map = new JTreeMap(order)
    map.#entries = entries.map(({ key, value }) => treeEntry(key, value))
    return map
  }

  clone_0(): JTreeMap {
    return this.copyOf(this.#entries, this.#order)
  }
}

const treeEntry = (key: unknown, value: unknown) => new JEntry(key, value, 'java.util.TreeMap$Entry')

function natural(a: unknown, b: unknown): number {
  if (a === null) throw nullPointer('Cannot invoke "java.lang.Comparable.compareTo(Object)" because "k1" is null')
  return compareTo(a, b)
}
