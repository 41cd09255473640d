/** LinkedList, ArrayDeque, PriorityQueue, Vector and Stack. */
import { arrayIndexOutOfBounds, noSuchElement, nullPointer, throwable } from '../../errors/java-throwable.ts'
import { compareTo, equals } from '../equality.ts'
import type { JFunction } from '../java-object.ts'
import { spendMemory } from '../limits.ts'
import { JCollection } from './collection.ts'
import { JEnumeration } from './enumeration.ts'
import { JNamedList } from './fixed-list.ts'
import { JIterator } from './iterable.ts'

/** The methods of Deque over an array. A LinkedList is also a list. */
export class JLinkedList extends JNamedList {
  constructor(items: unknown[] = [], name = 'java.util.LinkedList') {
    super(items, name)
  }

  protected accept(value: unknown): void {
    void value
  }

  #first(): unknown {
    if (this.items.length === 0) throw noSuchElement()
    return this.items[0]
  }

  #last(): unknown {
    if (this.items.length === 0) throw noSuchElement()
    return this.items.at(-1)
  }

  addFirst_1(value: unknown): void {
    this.accept(value)
    spendMemory(1)
    this.changes++
    this.items.unshift(value)
  }

  addLast_1(value: unknown): void {
    this.add_1(value)
  }

  override add_1(value: unknown): boolean {
    this.accept(value)
    return super.add_1(value)
  }

  offer_1(value: unknown): boolean {
    return this.add_1(value)
  }

  offerLast_1(value: unknown): boolean {
    return this.add_1(value)
  }

  getFirst_0(): unknown {
    return this.#first()
  }

  element_0(): unknown {
    return this.#first()
  }

  getLast_0(): unknown {
    return this.#last()
  }

  peek_0(): unknown {
    return this.items[0] ?? null
  }

  peekFirst_0(): unknown {
    return this.items[0] ?? null
  }

  peekLast_0(): unknown {
    return this.items.at(-1) ?? null
  }

  offerFirst_1(value: unknown): boolean {
    this.addFirst_1(value)
    return true
  }

  push_1(value: unknown): void {
    this.addFirst_1(value)
  }

  pollFirst_0(): unknown {
    if (this.items.length === 0) return null
    this.changes++
    return this.items.shift()
  }

  pollLast_0(): unknown {
    if (this.items.length === 0) return null
    this.changes++
    return this.items.pop()
  }

  poll_0(): unknown {
    return this.pollFirst_0()
  }

  removeFirst_0(): unknown {
    this.#first()
    return this.pollFirst_0()
  }

  removeLast_0(): unknown {
    this.#last()
    return this.pollLast_0()
  }

  pop_0(): unknown {
    return this.removeFirst_0()
  }

  remove_0(): unknown {
    return this.removeFirst_0()
  }

  removeFirstOccurrence_1(value: unknown): boolean {
    return this.#removeFound(this.items.findIndex((item) => equals(value, item)))
  }

  removeLastOccurrence_1(value: unknown): boolean {
    return this.#removeFound(this.items.findLastIndex((item) => equals(value, item)))
  }

  #removeFound(at: number): boolean {
    if (at < 0) return false
    this.removeAt(at)
    return true
  }

  override removeAt(at: number): void {
    this.changes++
    this.items.splice(at, 1)
  }

  descendingIterator_0(): JIterator {
    let at = this.items.length
    const next = (): IteratorResult<unknown> =>
      at === 0 ? { done: true, value: undefined } : { done: false, value: this.items[--at] }
    return new JIterator(next, () => this.removeAt(at))
  }

  override clone_0(): JLinkedList {
    return new JLinkedList([...this.items], this.$class)
  }
}

/** ArrayDeque has no list methods and allows no nulls. */
export class JArrayDeque extends JLinkedList {
  constructor(items: unknown[] = []) {
    super(items, 'java.util.ArrayDeque')
  }

  protected override accept(value: unknown): void {
    if (value === null) throw nullPointer()
  }

  override remove_1(value: unknown): boolean {
    return this.removeFirstOccurrence_1(value)
  }

  override equals_1(other: unknown): boolean {
    return this === other
  }

  override clone_0(): JArrayDeque {
    return new JArrayDeque([...this.items])
  }
}

export class JVector extends JNamedList {
  constructor(items: unknown[] = [], name = 'java.util.Vector') {
    super(items, name)
  }

  #at(index: number): number {
    if (index < 0 || index >= this.items.length)
      throw arrayIndexOutOfBounds(
        index < 0 ? `Index ${index} out of bounds for length ${this.items.length}` : `${index} >= ${this.items.length}`,
      )
    return index
  }

  override get_1(index: number): unknown {
    if (index < 0 || index >= this.items.length) throw arrayIndexOutOfBounds(`Array index out of range: ${index}`)
    return this.items[index]
  }

  addElement_1(value: unknown): void {
    this.add_1(value)
  }

  elementAt_1(index: number): unknown {
    return this.items[this.#at(index)]
  }

  firstElement_0(): unknown {
    if (this.items.length === 0) throw noSuchElement()
    return this.items[0]
  }

  lastElement_0(): unknown {
    if (this.items.length === 0) throw noSuchElement()
    return this.items.at(-1)
  }

  insertElementAt_2(value: unknown, index: number): void {
    if (index > this.items.length) throw arrayIndexOutOfBounds(`${index} > ${this.items.length}`)
    if (index < 0) throw arrayIndexOutOfBounds(`arraycopy: source index ${index} out of bounds for object array`)
    this.add_2(index, value)
  }

  elements_0(): JEnumeration {
    return new JEnumeration(this)
  }

  removeAllElements_0(): void {
    this.clear_0()
  }

  removeElement_1(value: unknown): boolean {
    const at = this.indexOf_1(value)
    if (at >= 0) this.remove_1(at)
    return at >= 0
  }

  removeElementAt_1(index: number): void {
    this.remove_1(this.#at(index))
  }

  setElementAt_2(value: unknown, index: number): void {
    this.set_2(this.#at(index), value)
  }

  override clone_0(): JVector {
    return new JVector([...this.items], this.$class)
  }
}

export class JStack extends JVector {
  constructor(items: unknown[] = []) {
    super(items, 'java.util.Stack')
  }

  empty_0(): boolean {
    return this.items.length === 0
  }

  peek_0(): unknown {
    if (this.items.length === 0) throw throwable('java.util.EmptyStackException')
    return this.items.at(-1)
  }

  pop_0(): unknown {
    const top = this.peek_0()
    this.changes++
    this.items.pop()
    return top
  }

  push_1(value: unknown): unknown {
    this.add_1(value)
    return value
  }

  search_1(value: unknown): number {
    const at = this.lastIndexOf_1(value)
    return at < 0 ? -1 : this.items.length - at
  }
}

/** A binary heap with the layout of Java's, because the iteration order is visible to scripts. */
export class JPriorityQueue extends JCollection {
  readonly #heap: unknown[] = []
  readonly #compare: (a: unknown, b: unknown) => number

  constructor(order: JFunction | null = null) {
    super()
    this.#compare = order === null ? compareTo : (a, b) => order.call(a, b)
  }

  get $class(): string {
    return 'java.util.PriorityQueue'
  }

  [Symbol.iterator](): Iterator<unknown> {
    return this.#heap[Symbol.iterator]()
  }

  size_0(): number {
    return this.#heap.length
  }

  clear_0(): void {
    this.#heap.length = 0
  }

  override add_1(value: unknown): boolean {
    if (value === null) throw nullPointer()
    spendMemory(1)
    const heap = this.#heap
    let at = heap.push(value) - 1
    if (at === 0) this.#compare(value, value)
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (this.#compare(value, heap[parent]) >= 0) break
      heap[at] = heap[parent]
      at = parent
    }
    heap[at] = value
    return true
  }

  offer_1(value: unknown): boolean {
    return this.add_1(value)
  }

  peek_0(): unknown {
    return this.#heap[0] ?? null
  }

  poll_0(): unknown {
    const heap = this.#heap
    if (heap.length === 0) return null
    const top = heap[0]
    const last = heap.pop()
    if (heap.length > 0) this.#siftDown(0, last)
    return top
  }

  #siftDown(start: number, value: unknown): void {
    const heap = this.#heap
    let at = start
    const half = heap.length >> 1
    while (at < half) {
      let child = 2 * at + 1
      if (child + 1 < heap.length && this.#compare(heap[child], heap[child + 1]) > 0) child++
      if (this.#compare(value, heap[child]) <= 0) break
      heap[at] = heap[child]
      at = child
    }
    heap[at] = value
  }

  element_0(): unknown {
    if (this.#heap.length === 0) throw noSuchElement()
    return this.#heap[0]
  }

  remove_0(): unknown {
    this.element_0()
    return this.poll_0()
  }

  removeWhere(test: (value: unknown) => boolean): boolean {
    const kept = this.#heap.filter((value) => !test(value))
    const changed = kept.length !== this.#heap.length
    this.#heap.length = 0
    for (const value of kept) this.add_1(value)
    return changed
  }
}
