/** TreeMap and TreeSet over a sorted array. */
import { illegalArgument, noSuchElement, nullPointer } from '../../errors/java-throwable.ts'
import { compareTo } from '../equality.ts'
import { comparator } from '../functions/function-object.ts'
import type { JFunction } from '../java-object.ts'
import { spendMemory } from '../limits.ts'
import type { JCollection } from './collection.ts'
import { iteratorFrom, type JIterator } from './iterable.ts'
import { JEntry, JMap } from './map.ts'
import { JSet } from './sets.ts'

const copyOf = (entry: JEntry | undefined): JEntry | null =>
  entry === undefined ? null : new JEntry(entry.key, entry.value, 'java.util.AbstractMap$SimpleImmutableEntry')

export class JTreeMap extends JMap {
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

  entries(): readonly JEntry[] {
    return this.#entries
  }

  /** The index of the first entry that is not below the key, or with `after` of the first entry above it. */
  #bound(key: unknown, after: boolean): number {
    let low = 0
    let high = this.#entries.length
    while (low < high) {
      const middle = (low + high) >> 1
      const order = this.#compare(key, this.#entries[middle]!.key)
      if (order > 0 || (after && order === 0)) low = middle + 1
      else high = middle
    }
    return low
  }

  entry(key: unknown): JEntry | undefined {
    if (key === null && this.#order === null) throw nullPointer()
    const found = this.#entries[this.#bound(key, false)]
    return found !== undefined && this.#compare(key, found.key) === 0 ? found : undefined
  }

  put_2(key: unknown, value: unknown): unknown {
    if (this.#entries.length === 0) this.#compare(key, key)
    const at = this.#bound(key, false)
    const found = this.#entries[at]
    if (found !== undefined && this.#compare(key, found.key) === 0) return found.setValue_1(value)
    spendMemory(2)
    this.changes++
    this.#entries = this.#entries.toSpliced(at, 0, new JEntry(key, value, 'java.util.TreeMap$Entry'))
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

  size_0(): number {
    return this.#entries.length
  }

  comparator_0(): JFunction | null {
    return this.#order
  }

  firstEntry_0(): JEntry | null {
    return copyOf(this.#entries[0])
  }

  lastEntry_0(): JEntry | null {
    return copyOf(this.#entries.at(-1))
  }

  ceilingEntry_1(key: unknown): JEntry | null {
    return copyOf(this.#entries[this.#bound(key, false)])
  }

  higherEntry_1(key: unknown): JEntry | null {
    return copyOf(this.#entries[this.#bound(key, true)])
  }

  floorEntry_1(key: unknown): JEntry | null {
    return copyOf(this.#entries[this.#bound(key, true) - 1])
  }

  lowerEntry_1(key: unknown): JEntry | null {
    return copyOf(this.#entries[this.#bound(key, false) - 1])
  }

  ceilingKey_1(key: unknown): unknown {
    return this.ceilingEntry_1(key)?.key ?? null
  }

  higherKey_1(key: unknown): unknown {
    return this.higherEntry_1(key)?.key ?? null
  }

  floorKey_1(key: unknown): unknown {
    return this.floorEntry_1(key)?.key ?? null
  }

  lowerKey_1(key: unknown): unknown {
    return this.lowerEntry_1(key)?.key ?? null
  }

  firstKey_0(): unknown {
    if (this.#entries.length === 0) throw noSuchElement()
    return this.#entries[0]!.key
  }

  lastKey_0(): unknown {
    if (this.#entries.length === 0) throw noSuchElement()
    return this.#entries.at(-1)!.key
  }

  pollFirstEntry_0(): JEntry | null {
    return this.#poll(this.#entries[0])
  }

  pollLastEntry_0(): JEntry | null {
    return this.#poll(this.#entries.at(-1))
  }

  #poll(entry: JEntry | undefined): JEntry | null {
    if (entry === undefined) return null
    this.remove_1(entry.key)
    return copyOf(entry)
  }

  /** A copy of a range. Java returns a view, but scripts cannot keep one beyond their run. */
  #range(from: number, to: number): JTreeMap {
    const map = new JTreeMap(this.#order)
    map.#entries = this.#entries.slice(Math.max(from, 0), Math.max(to, 0))
    return map
  }

  headMap_1(to: unknown): JTreeMap {
    return this.headMap_2(to, false)
  }

  tailMap_1(from: unknown): JTreeMap {
    return this.tailMap_2(from, true)
  }

  subMap_2(from: unknown, to: unknown): JTreeMap {
    return this.subMap_4(from, true, to, false)
  }

  headMap_2(to: unknown, inclusive: boolean): JTreeMap {
    return this.#range(0, this.#bound(to, inclusive))
  }

  tailMap_2(from: unknown, inclusive: boolean): JTreeMap {
    return this.#range(this.#bound(from, !inclusive), this.#entries.length)
  }

  subMap_4(from: unknown, fromInclusive: boolean, to: unknown, toInclusive: boolean): JTreeMap {
    if (this.#compare(from, to) > 0) throw illegalArgument('fromKey > toKey')
    return this.#range(this.#bound(from, !fromInclusive), this.#bound(to, toInclusive))
  }

  descendingMap_0(): JTreeMap {
    const map = new JTreeMap(comparator((a, b) => this.#compare(b, a)))
    map.putAll_1(this)
    return map
  }

  navigableKeySet_0(): JTreeSet {
    return new JTreeSet(this)
  }

  descendingKeySet_0(): JTreeSet {
    return new JTreeSet(this.descendingMap_0())
  }

  clone_0(): JTreeMap {
    return this.#range(0, this.#entries.length)
  }

  override keySet_0(): JCollection {
    return super.keySet_0()
  }
}

function natural(a: unknown, b: unknown): number {
  if (a === null) throw nullPointer('Cannot invoke "java.lang.Comparable.compareTo(Object)" because "k1" is null')
  return compareTo(a, b)
}

export class JTreeSet extends JSet {
  readonly #tree: JTreeMap

  constructor(tree: JTreeMap) {
    super(tree, 'java.util.TreeSet')
    this.#tree = tree
  }

  comparator_0(): JFunction | null {
    return this.#tree.comparator_0()
  }

  first_0(): unknown {
    return this.#tree.firstKey_0()
  }

  last_0(): unknown {
    return this.#tree.lastKey_0()
  }

  ceiling_1(value: unknown): unknown {
    return this.#tree.ceilingKey_1(value)
  }

  floor_1(value: unknown): unknown {
    return this.#tree.floorKey_1(value)
  }

  higher_1(value: unknown): unknown {
    return this.#tree.higherKey_1(value)
  }

  lower_1(value: unknown): unknown {
    return this.#tree.lowerKey_1(value)
  }

  pollFirst_0(): unknown {
    return this.#tree.pollFirstEntry_0()?.key ?? null
  }

  pollLast_0(): unknown {
    return this.#tree.pollLastEntry_0()?.key ?? null
  }

  headSet_1(to: unknown): JTreeSet {
    return new JTreeSet(this.#tree.headMap_1(to))
  }

  headSet_2(to: unknown, inclusive: boolean): JTreeSet {
    return new JTreeSet(this.#tree.headMap_2(to, inclusive))
  }

  tailSet_1(from: unknown): JTreeSet {
    return new JTreeSet(this.#tree.tailMap_1(from))
  }

  tailSet_2(from: unknown, inclusive: boolean): JTreeSet {
    return new JTreeSet(this.#tree.tailMap_2(from, inclusive))
  }

  subSet_2(from: unknown, to: unknown): JTreeSet {
    return new JTreeSet(this.#tree.subMap_2(from, to))
  }

  subSet_4(from: unknown, a: boolean, to: unknown, b: boolean): JTreeSet {
    return new JTreeSet(this.#tree.subMap_4(from, a, to, b))
  }

  descendingSet_0(): JTreeSet {
    return new JTreeSet(this.#tree.descendingMap_0())
  }

  descendingIterator_0(): JIterator {
    return iteratorFrom(this.descendingSet_0())
  }

  override clone_0(): JTreeSet {
    return new JTreeSet(this.#tree.clone_0())
  }
}
