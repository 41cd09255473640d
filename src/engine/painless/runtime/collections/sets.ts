/** Sets over maps: HashSet, LinkedHashSet, TreeSet and read-only sets. */
import { unsupportedOperation } from '../../errors/java-throwable.ts'
import { hashCode } from '../equality.ts'
import type { JFunction } from '../java-object.ts'
import { JCollection } from './collection.ts'
import { JHashMap } from './hash-map.ts'
import type { JIterator } from './iterable.ts'
import type { JMap } from './map.ts'
import { isSet } from './map-views.ts'

export class JSet extends JCollection {
  readonly $isSet = true
  readonly map: JMap
  readonly #class: string

  constructor(map: JMap, name = 'java.util.HashSet') {
    super()
    this.map = map
    this.#class = name
  }

  get $class(): string {
    return this.#class
  }

  [Symbol.iterator](): Iterator<unknown> {
    return this.map.keySet_0()[Symbol.iterator]()
  }

  override iterator_0(): JIterator {
    return this.map.keySet_0().iterator_0()
  }

  size_0(): number {
    return this.map.size_0()
  }

  override add_1(value: unknown): boolean {
    if (this.map.containsKey_1(value)) return false
    this.map.put_2(value, true)
    return true
  }

  remove_1(value: unknown): boolean {
    if (!this.map.containsKey_1(value)) return false
    this.map.remove_1(value)
    return true
  }

  override contains_1(value: unknown): boolean {
    return this.map.containsKey_1(value)
  }

  clear_0(): void {
    this.map.clear_0()
  }

  removeWhere(test: (value: unknown) => boolean): boolean {
    return this.map.keySet_0().removeWhere(test)
  }

  override equals_1(other: unknown): boolean {
    if (other === this) return true
    if (!(other instanceof JCollection) || !isSet(other) || other.size_0() !== this.size_0()) return false
    return this.containsAll_1(other)
  }

  override hashCode_0(): number {
    let hash = 0
    for (const value of this) hash = (hash + hashCode(value)) | 0
    return hash
  }

  clone_0(): JSet {
    const copy = new JHashMap(this.#class === 'java.util.LinkedHashSet')
    const set = new JSet(copy, this.#class)
    set.addAll_1(this)
    return set
  }
}

export const newHashSet = (capacity = 16): JSet => new JSet(new JHashMap(false, capacity))
export const newLinkedHashSet = (): JSet => new JSet(new JHashMap(true), 'java.util.LinkedHashSet')

export function hashSetOf(values: Iterable<unknown>): JSet {
  const all = [...values]
  const wanted = Math.max(Math.trunc(all.length / 0.75) + 1, 16)
  let capacity = 1
  while (capacity < wanted) capacity *= 2
  const set = newHashSet(capacity)
  for (const value of all) set.add_1(value)
  return set
}

export class JReadOnlySet extends JSet {
  readonly #name: string

  constructor(map: JMap, name = 'java.util.Collections$UnmodifiableSet') {
    super(map, name)
    this.#name = name
  }

  override get $class(): string {
    return this.#name
  }

  override get $listed(): string {
    return 'java.util.Set'
  }

  override add_1(): boolean {
    throw unsupportedOperation()
  }

  override remove_1(): boolean {
    throw unsupportedOperation()
  }

  override clear_0(): void {
    throw unsupportedOperation()
  }

  override removeWhere(): boolean {
    throw unsupportedOperation()
  }

  override addAll_1(): boolean {
    throw unsupportedOperation()
  }

  override removeIf_1(_test: JFunction): boolean {
    throw unsupportedOperation()
  }
}
