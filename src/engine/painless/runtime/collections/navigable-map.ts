/**
 * The methods of NavigableMap and NavigableSet, and the views that they return: ranges, the descending order, and maps that cannot be
 * changed. A view has no entries of its own, so that changes of a map and of its views show in each other.
 */
import { illegalArgument, noSuchElement, unsupportedOperation } from '../../errors/java-throwable.ts'
import { comparator } from '../functions/function-object.ts'
import type { JFunction } from '../java-object.ts'
import type { JIterator } from './iterable.ts'
import { type JEntry, JMap, ReadOnlyEntry } from './map.ts'
import { JSet } from './sets.ts'

const copyOf = (entry: JEntry | undefined): JEntry | null =>
  entry === undefined
    ? null
    : new ReadOnlyEntry(entry, unsupportedOperation, 'java.util.AbstractMap$SimpleImmutableEntry')

interface Bound {
  readonly key: unknown
  readonly inclusive: boolean
}

export abstract class JNavigableMap extends JMap {
  /** Null for the natural order. */
  abstract comparator_0(): JFunction | null
  abstract compare(a: unknown, b: unknown): number

  override get $listed(): string {
    return 'java.util.NavigableMap'
  }

  size_0(): number {
    return this.entries().length
  }

  /** The index of the first entry that is not below the key, or with `after` of the first entry above it. */
  bound(key: unknown, after: boolean): number {
    const entries = this.entries()
    let low = 0
    let high = entries.length
    while (low < high) {
      const middle = (low + high) >> 1
      const order = this.compare(key, entries[middle]!.key)
      if (order > 0 || (after && order === 0)) low = middle + 1
      else high = middle
    }
    return low
  }

  /** A tree of its own. */
  abstract copyOf(entries: readonly JEntry[], order: JFunction | null): JNavigableMap

  firstEntry_0(): JEntry | null {
    return copyOf(this.entries()[0])
  }

  lastEntry_0(): JEntry | null {
    return copyOf(this.entries().at(-1))
  }

  ceilingEntry_1(key: unknown): JEntry | null {
    return copyOf(this.entries()[this.bound(key, false)])
  }

  higherEntry_1(key: unknown): JEntry | null {
    return copyOf(this.entries()[this.bound(key, true)])
  }

  floorEntry_1(key: unknown): JEntry | null {
    return copyOf(this.entries()[this.bound(key, true) - 1])
  }

  lowerEntry_1(key: unknown): JEntry | null {
    return copyOf(this.entries()[this.bound(key, false) - 1])
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
    if (this.entries().length === 0) throw noSuchElement()
    return this.entries()[0]!.key
  }

  lastKey_0(): unknown {
    if (this.entries().length === 0) throw noSuchElement()
    return this.entries().at(-1)!.key
  }

  pollFirstEntry_0(): JEntry | null {
    return this.#poll(this.entries()[0])
  }

  pollLastEntry_0(): JEntry | null {
    return this.#poll(this.entries().at(-1))
  }

  #poll(entry: JEntry | undefined): JEntry | null {
    if (entry === undefined) return null
    this.remove_1(entry.key)
    return copyOf(entry)
  }

  headMap_1(to: unknown): JNavigableMap {
    return this.headMap_2(to, false)
  }

  tailMap_1(from: unknown): JNavigableMap {
    return this.tailMap_2(from, true)
  }

  subMap_2(from: unknown, to: unknown): JNavigableMap {
    return this.subMap_4(from, true, to, false)
  }

  headMap_2(to: unknown, inclusive: boolean): JNavigableMap {
    return new RangeView(this, undefined, this.checkBound('toKey', { key: to, inclusive }))
  }

  tailMap_2(from: unknown, inclusive: boolean): JNavigableMap {
    return new RangeView(this, this.checkBound('fromKey', { key: from, inclusive }), undefined)
  }

  subMap_4(from: unknown, fromInclusive: boolean, to: unknown, toInclusive: boolean): JNavigableMap {
    const lower = this.checkBound('fromKey', { key: from, inclusive: fromInclusive })
    const upper = this.checkBound('toKey', { key: to, inclusive: toInclusive })
    if (this.compare(from, to) > 0) throw illegalArgument('fromKey > toKey')
    return new RangeView(this, lower, upper)
  }

  /** Returns the bound of a view of this map if it may have that bound. */
  protected checkBound(_name: string, bound: Bound): Bound {
    // Java compares the key with itself to check its type.
    this.compare(bound.key, bound.key)
    return bound
  }

  descendingMap_0(): JNavigableMap {
    return new DescendingView(this)
  }

  navigableKeySet_0(): JTreeSet {
    return new JTreeSet(this)
  }

  descendingKeySet_0(): JTreeSet {
    return new JTreeSet(this.descendingMap_0())
  }
}

/** A map that shows entries of another one. */
abstract class View extends JNavigableMap {
  protected readonly map: JNavigableMap

  constructor(map: JNavigableMap) {
    super()
    this.map = map
  }

  comparator_0(): JFunction | null {
    return this.map.comparator_0()
  }

  compare(a: unknown, b: unknown): number {
    return this.map.compare(a, b)
  }

  entry(key: unknown): JEntry | undefined {
    return this.map.entry(key)
  }

  put_2(key: unknown, value: unknown): unknown {
    return this.map.put_2(key, value)
  }

  remove_1(key: unknown): unknown {
    return this.map.remove_1(key)
  }

  clear_0(): void {
    for (const { key } of [...this.entries()]) this.remove_1(key)
  }

  copyOf(entries: readonly JEntry[], order: JFunction | null): JNavigableMap {
    return this.map.copyOf(entries, order)
  }
}

class RangeView extends View {
  readonly #from: Bound | undefined
  readonly #to: Bound | undefined

  constructor(map: JNavigableMap, from: Bound | undefined, to: Bound | undefined) {
    super(map)
    this.#from = from
    this.#to = to
  }

  get $class(): string {
    return 'java.util.TreeMap$AscendingSubMap'
  }

  entries(): readonly JEntry[] {
    const { map } = this
    const from = this.#from && map.bound(this.#from.key, !this.#from.inclusive)
    const to = this.#to && map.bound(this.#to.key, this.#to.inclusive)
    return map.entries().slice(from ?? 0, Math.max(from ?? 0, to ?? Number.POSITIVE_INFINITY))
  }

  /** Whether a key is in the range; with `orEnd` also the ends of the range, which may be ends of a view of it. */
  #contains(key: unknown, orEnd = false): boolean {
    const from = this.#from && this.compare(key, this.#from.key)
    const to = this.#to && this.compare(key, this.#to.key)
    if (from !== undefined && (from < 0 || (from === 0 && !orEnd && !this.#from!.inclusive))) return false
    return to === undefined || to < 0 || (to === 0 && (orEnd || this.#to!.inclusive))
  }

  override checkBound(name: string, bound: Bound): Bound {
    if (!this.#contains(bound.key, !bound.inclusive)) throw illegalArgument(`${name} out of range`)
    return bound
  }

  override entry(key: unknown): JEntry | undefined {
    return this.#contains(key) ? super.entry(key) : undefined
  }

  override put_2(key: unknown, value: unknown): unknown {
    if (!this.#contains(key)) throw illegalArgument('key out of range')
    return super.put_2(key, value)
  }

  override remove_1(key: unknown): unknown {
    return this.#contains(key) ? super.remove_1(key) : null
  }
}

class DescendingView extends View {
  get $class(): string {
    return 'java.util.TreeMap$DescendingSubMap'
  }

  entries(): readonly JEntry[] {
    return this.map.entries().toReversed()
  }

  override comparator_0(): JFunction {
    return comparator((a, b) => this.compare(a, b))
  }

  override compare(a: unknown, b: unknown): number {
    return this.map.compare(b, a)
  }
}

/** A view that cannot be changed. */
export class ReadOnlyView extends View {
  readonly #name: string

  constructor(map: JNavigableMap, name: string) {
    super(map)
    this.#name = name
  }

  get $class(): string {
    return `java.util.Collections$${this.#name}`
  }

  entries(): readonly JEntry[] {
    return this.map.entries().map((entry) => new ReadOnlyEntry(entry, unsupportedOperation))
  }

  override put_2(): unknown {
    throw unsupportedOperation()
  }

  override remove_1(): unknown {
    throw unsupportedOperation()
  }

  override clear_0(): void {
    throw unsupportedOperation()
  }

  override pollFirstEntry_0(): JEntry | null {
    throw unsupportedOperation()
  }

  override pollLastEntry_0(): JEntry | null {
    throw unsupportedOperation()
  }

  override descendingMap_0(): JNavigableMap {
    return new ReadOnlyView(this.map.descendingMap_0(), this.#name)
  }
}

export class JTreeSet extends JSet {
  readonly tree: JNavigableMap

  constructor(tree: JNavigableMap) {
    super(tree, 'java.util.TreeSet')
    this.tree = tree
  }

  comparator_0(): JFunction | null {
    return this.tree.comparator_0()
  }

  first_0(): unknown {
    return this.tree.firstKey_0()
  }

  last_0(): unknown {
    return this.tree.lastKey_0()
  }

  ceiling_1(value: unknown): unknown {
    return this.tree.ceilingKey_1(value)
  }

  floor_1(value: unknown): unknown {
    return this.tree.floorKey_1(value)
  }

  higher_1(value: unknown): unknown {
    return this.tree.higherKey_1(value)
  }

  lower_1(value: unknown): unknown {
    return this.tree.lowerKey_1(value)
  }

  pollFirst_0(): unknown {
    return this.tree.pollFirstEntry_0()?.key ?? null
  }

  pollLast_0(): unknown {
    return this.tree.pollLastEntry_0()?.key ?? null
  }

  headSet_1(to: unknown): JTreeSet {
    return new JTreeSet(this.tree.headMap_1(to))
  }

  headSet_2(to: unknown, inclusive: boolean): JTreeSet {
    return new JTreeSet(this.tree.headMap_2(to, inclusive))
  }

  tailSet_1(from: unknown): JTreeSet {
    return new JTreeSet(this.tree.tailMap_1(from))
  }

  tailSet_2(from: unknown, inclusive: boolean): JTreeSet {
    return new JTreeSet(this.tree.tailMap_2(from, inclusive))
  }

  subSet_2(from: unknown, to: unknown): JTreeSet {
    return new JTreeSet(this.tree.subMap_2(from, to))
  }

  subSet_4(from: unknown, a: boolean, to: unknown, b: boolean): JTreeSet {
    return new JTreeSet(this.tree.subMap_4(from, a, to, b))
  }

  descendingSet_0(): JTreeSet {
    return new JTreeSet(this.tree.descendingMap_0())
  }

  descendingIterator_0(): JIterator {
    return this.descendingSet_0().iterator_0()
  }

  override clone_0(): JTreeSet {
    return new JTreeSet(this.tree.copyOf(this.tree.entries(), this.comparator_0()))
  }
}
