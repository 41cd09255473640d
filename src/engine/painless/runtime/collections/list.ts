/** Lists over an array, with their views and iterators. */
import {
  concurrentModification,
  illegalArgument,
  illegalState,
  indexOutOfBounds,
  noSuchElement,
} from '../../errors/java-throwable.ts'
import { equals, hashCode } from '../equality.ts'
import { type JFunction, JObject } from '../java-object.ts'
import { spendMemory, spendSteps } from '../limits.ts'
import { sortInPlace } from '../sorting.ts'
import { JCollection } from './collection.ts'
import { JIterator, make } from './iterable.ts'
import { getByPath, pathIndex } from './paths.ts'

/** A java.util.List. The elements are in `items`; `changes` counts structural modifications. */
export abstract class JList extends JCollection {
  changes = 0
  abstract get items(): unknown[]

  [Symbol.iterator](): Iterator<unknown> {
    return this.#iterate()
  }

  *#iterate(): Generator<unknown> {
    const expected = this.changes
    for (let i = 0; i < this.items.length || i < 0; i++) {
      if (this.changes !== expected) throw concurrentModification()
      yield this.items[i]
    }
  }

  size_0(): number {
    return this.items.length
  }

  getLength_0(): number {
    return this.items.length
  }

  checkIndex(index: number): void {
    if (index < 0 || index >= this.items.length)
      throw indexOutOfBounds(`Index ${index} out of bounds for length ${this.items.length}`)
  }

  get_1(index: number): unknown {
    this.checkIndex(index)
    return this.items[index]
  }

  set_2(index: number, value: unknown): unknown {
    this.checkIndex(index)
    const old = this.items[index]
    this.items[index] = value
    return old
  }

  override add_1(value: unknown): boolean {
    spendMemory(1)
    this.changes++
    this.items.push(value)
    return true
  }

  add_2(index: number, value: unknown): void {
    this.#checkInsert(index)
    spendMemory(1)
    this.changes++
    this.items.splice(index, 0, value)
  }

  #checkInsert(index: number): void {
    if (index < 0 || index > this.items.length) throw indexOutOfBounds(`Index: ${index}, Size: ${this.items.length}`)
  }

  override addAll_1(others: JCollection): boolean {
    spendMemory(others.size_0())
    // The list may be added to itself.
    const values = others instanceof JList ? others.items : [...others]
    const count = values.length
    this.changes++
    const { items } = this
    for (let i = 0; i < count; i++) items.push(values[i])
    return count > 0
  }

  addAll_2(index: number, others: JCollection): boolean {
    this.#checkInsert(index)
    const values = [...others]
    spendMemory(values.length)
    this.changes++
    this.items.splice(index, 0, ...values)
    return values.length > 0
  }

  remove_1(index: number): unknown {
    this.checkIndex(index)
    this.changes++
    return this.items.splice(index, 1)[0]
  }

  clear_0(): void {
    this.changes++
    this.items.length = 0
  }

  removeWhere(test: (value: unknown) => boolean): boolean {
    const expected = this.changes
    const kept = this.items.filter((value) => !test(value))
    if (this.changes !== expected) throw concurrentModification()
    const changed = kept.length !== this.items.length
    if (changed) {
      this.changes++
      this.items.splice(0, this.items.length, ...kept)
    }
    return changed
  }

  indexOf_1(value: unknown): number {
    spendSteps(this.items.length)
    return this.items.findIndex((item) => equals(value, item))
  }

  lastIndexOf_1(value: unknown): number {
    spendSteps(this.items.length)
    return this.items.findLastIndex((item) => equals(value, item))
  }

  override contains_1(value: unknown): boolean {
    return this.indexOf_1(value) >= 0
  }

  sort_1(order: JFunction | null): void {
    sortInPlace(this.items, order)
    this.changes++
  }

  replaceAll_1(map: JFunction): void {
    for (let i = 0; i < this.items.length; i++) this.items[i] = map.call(this.items[i])
  }

  subList_2(from: number, to: number): JList {
    if (from < 0) throw indexOutOfBounds(`fromIndex = ${from}`)
    if (to > this.items.length) throw indexOutOfBounds(`toIndex = ${to}`)
    if (from > to) throw illegalArgument(`fromIndex(${from}) > toIndex(${to})`)
    return new SubList(this, from, to)
  }

  stepTo(step: string, path: string, position: number): { value: unknown } | undefined {
    const index = pathIndex(step, path, position)
    // Elasticsearch reads the element after the last one, which is an error.
    return index > this.items.length ? undefined : { value: this.get_1(index) }
  }

  getByPath_1(path: string): unknown {
    return getByPath(this, path, undefined)
  }

  getByPath_2(path: string, fallback: unknown): unknown {
    return getByPath(this, path, { value: fallback })
  }

  override iterator_0(): JIterator {
    let at = 0
    let expected = this.changes
    const check = () => {
      if (this.changes !== expected) throw concurrentModification()
    }
    const next = (): IteratorResult<unknown> => {
      if (at >= this.items.length && at === this.items.length) return { done: true, value: undefined }
      check()
      return { done: false, value: this.items[at++] }
    }
    const remove = () => {
      check()
      this.removeAt(--at)
      expected = this.changes
    }
    return new ListCursor(this, next, remove, () => at)
  }

  removeAt(index: number): void {
    this.remove_1(index)
  }

  listIterator_0(): JObject {
    return this.listIterator_1(0)
  }

  listIterator_1(index: number): JObject {
    if (index < 0 || index > this.items.length) throw indexOutOfBounds(`Index: ${index}`)
    return new ListIterator(this, index)
  }

  override equals_1(other: unknown): boolean {
    if (other === this) return true
    if (!(other instanceof JList) || other.items.length !== this.items.length) return false
    spendSteps(this.items.length)
    return this.items.every((item, i) => equals(item, other.items[i]))
  }

  override hashCode_0(): number {
    let hash = 1
    for (const item of this.items) hash = (Math.imul(31, hash) + hashCode(item)) | 0
    return hash
  }
}

/** A list iterator. Java checks only the size in hasNext, so a concurrent change fails in the following `next`. */
class ListCursor extends JIterator {
  readonly #list: JList
  readonly #at: () => number

  constructor(list: JList, next: () => IteratorResult<unknown>, remove: () => void, at: () => number) {
    super(next, remove, `${list.$class}$Itr`)
    this.#list = list
    this.#at = at
  }

  override hasNext_0(): boolean {
    return this.#at() !== this.#list.items.length
  }
}

class ListIterator extends JObject {
  readonly #list: JList
  #at: number
  #last = -1

  constructor(list: JList, at: number) {
    super()
    this.#list = list
    this.#at = at
  }

  get $class(): string {
    return 'java.util.ArrayList$ListItr'
  }

  override get $listed(): string {
    return 'java.util.ListIterator'
  }

  hasNext_0(): boolean {
    return this.#at < this.#list.items.length
  }

  hasPrevious_0(): boolean {
    return this.#at > 0
  }

  next_0(): unknown {
    if (!this.hasNext_0()) throw noSuchElement()
    this.#last = this.#at
    return this.#list.items[this.#at++]
  }

  previous_0(): unknown {
    if (!this.hasPrevious_0()) throw noSuchElement()
    this.#last = --this.#at
    return this.#list.items[this.#at]
  }

  nextIndex_0(): number {
    return this.#at
  }

  previousIndex_0(): number {
    return this.#at - 1
  }

  #current(): number {
    if (this.#last < 0) throw illegalState()
    return this.#last
  }

  set_1(value: unknown): void {
    this.#list.set_2(this.#current(), value)
  }

  remove_0(): void {
    this.#at = this.#current()
    this.#list.removeAt(this.#at)
    this.#last = -1
  }

  add_1(value: unknown): void {
    this.#list.add_2(this.#at++, value)
    this.#last = -1
  }

  forEachRemaining_1(action: JFunction): void {
    while (this.hasNext_0()) action.call(this.next_0())
  }
}

export class JArrayList extends JList {
  readonly #items: unknown[]

  constructor(items: unknown[] = []) {
    super()
    this.#items = items
  }

  get items(): unknown[] {
    return this.#items
  }

  get $class(): string {
    return 'java.util.ArrayList'
  }

  clone_0(): JArrayList {
    return new JArrayList([...this.items])
  }

  trimToSize_0(): void {}
}

make.list = (items) => {
  spendMemory(items.length)
  return new JArrayList(items)
}

/** A window of another list. Changes are made to that list. */
class SubList extends JList {
  readonly #parent: JList
  readonly #from: number
  #to: number
  #expected: number

  constructor(parent: JList, from: number, to: number) {
    super()
    this.#parent = parent
    this.#from = from
    this.#to = to
    this.#expected = parent.changes
  }

  get $class(): string {
    return 'java.util.ArrayList$SubList'
  }

  override get $listed(): string {
    return 'java.util.List'
  }

  get items(): unknown[] {
    if (this.#parent.changes !== this.#expected) throw concurrentModification()
    return this.#parent.items.slice(this.#from, this.#to)
  }

  #edit(change: (items: unknown[]) => void): void {
    const items = this.items
    change(items)
    this.#parent.items.splice(this.#from, this.#to - this.#from, ...items)
    this.#to = this.#from + items.length
    this.#parent.changes++
    this.changes++
    this.#expected = this.#parent.changes
  }

  override set_2(index: number, value: unknown): unknown {
    this.checkIndex(index)
    return this.#parent.set_2(this.#from + index, value)
  }

  override add_1(value: unknown): boolean {
    spendMemory(1)
    this.#edit((items) => items.push(value))
    return true
  }

  override add_2(index: number, value: unknown): void {
    if (index < 0 || index > this.items.length) throw indexOutOfBounds(`Index: ${index}, Size: ${this.items.length}`)
    this.#edit((items) => items.splice(index, 0, value))
  }

  override addAll_1(others: JCollection): boolean {
    const values = [...others]
    this.#edit((items) => items.push(...values))
    return values.length > 0
  }

  override remove_1(index: number): unknown {
    this.checkIndex(index)
    const old = this.items[index]
    this.#edit((items) => items.splice(index, 1))
    return old
  }

  override clear_0(): void {
    this.#edit((items) => {
      items.length = 0
    })
  }

  override removeWhere(test: (value: unknown) => boolean): boolean {
    const kept = this.items.filter((value) => !test(value))
    const changed = kept.length !== this.items.length
    if (changed) this.#edit((items) => items.splice(0, items.length, ...kept))
    return changed
  }

  override sort_1(order: JFunction | null): void {
    this.#edit((items) => sortInPlace(items, order))
  }

  override replaceAll_1(map: JFunction): void {
    this.#edit((items) => {
      for (const [i, item] of items.entries()) items[i] = map.call(item)
    })
  }
}
