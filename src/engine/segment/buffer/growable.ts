/**
 * Typed arrays that grow. `array` may be read directly up to `length`; a push may replace it. A list with a memory
 * allocates its arrays there, visible to other threads, and returns them when it grows or is released: a caller that
 * kept an old `array` would then read another list.
 */
import type { ListMemory } from './list-memory.ts'

/** A list's contents in the form sent to another thread. */
export interface PackedList<T> {
  readonly array: T
  readonly length: number
}

type Values = Int32Array | Float64Array | BigInt64Array | Uint8Array

interface ValuesClass<V extends Values> {
  new (capacity: number): V
  new (buffer: SharedArrayBuffer): V
  readonly BYTES_PER_ELEMENT: number
}

/** Each list has its own `push`: it is called for every value, and stays a plain store only for one type of array. */
abstract class GrowableList<V extends Values> {
  array: V
  length: number
  readonly #values: ValuesClass<V>
  readonly #memory: ListMemory | undefined

  constructor(values: ValuesClass<V>, capacity: number, memory: ListMemory | undefined) {
    this.#values = values
    this.#memory = memory
    this.array = this.#take(capacity)
    this.length = 0
  }

  /** Takes over the result of `pack`, for reading. */
  adopt({ array, length }: PackedList<V>): void {
    this.array = array
    this.length = length
  }

  pack(): PackedList<V> {
    return { array: this.array, length: this.length }
  }

  /**
   * Empties the list. Its memory then belongs to others: a list that is released twice, or written to after its
   * release, must not touch it again.
   */
  release(): void {
    const released = this.array
    this.array = new this.#values(0)
    this.length = 0
    this.#give(released)
  }

  get memoryBytes(): number {
    return this.array.byteLength
  }

  protected grow(capacity: number): void {
    const old = this.array
    this.array = this.#take(capacity)
    this.array.set(old.subarray(0, this.length) as never)
    this.#give(old)
  }

  /** Makes room for `capacity` elements in all. */
  protected fit(capacity: number): void {
    if (capacity > this.array.length) this.grow(Math.max(capacity, this.array.length * 2))
  }

  #take(capacity: number): V {
    const Values = this.#values
    if (this.#memory === undefined) return new Values(capacity)
    return new Values(this.#memory.take(capacity * Values.BYTES_PER_ELEMENT))
  }

  #give(array: V): void {
    if (array.length > 0) this.#memory?.give(array.buffer as unknown as SharedArrayBuffer)
  }
}

const CAPACITY_MIN = 16
const LOOP_BYTES_MAX = 48

export class IntList extends GrowableList<Int32Array> {
  constructor(capacity = CAPACITY_MIN, memory?: ListMemory) {
    super(Int32Array, capacity, memory)
  }

  /** Makes room for `capacity` elements in all. */
  ensure(capacity: number): void {
    this.fit(capacity)
  }

  push(value: number): void {
    if (this.length === this.array.length) this.grow(Math.max(CAPACITY_MIN, this.length * 2))
    this.array[this.length++] = value
  }
}

export class DoubleList extends GrowableList<Float64Array> {
  constructor(capacity = CAPACITY_MIN, memory?: ListMemory) {
    super(Float64Array, capacity, memory)
  }

  /** Makes room for `capacity` elements in all. */
  ensure(capacity: number): void {
    this.fit(capacity)
  }

  push(value: number): void {
    if (this.length === this.array.length) this.grow(Math.max(CAPACITY_MIN, this.length * 2))
    this.array[this.length++] = value
  }
}

export class LongList extends GrowableList<BigInt64Array> {
  constructor(capacity = CAPACITY_MIN, memory?: ListMemory) {
    super(BigInt64Array, capacity, memory)
  }

  /** Makes room for `capacity` elements in all. */
  ensure(capacity: number): void {
    this.fit(capacity)
  }

  push(value: bigint): void {
    if (this.length === this.array.length) this.grow(Math.max(CAPACITY_MIN, this.length * 2))
    this.array[this.length++] = value
  }
}

export class ByteList extends GrowableList<Uint8Array> {
  constructor(capacity = 64, memory?: ListMemory) {
    super(Uint8Array, capacity, memory)
  }

  push(value: number): void {
    if (this.length === this.array.length) this.ensure(1)
    this.array[this.length++] = value
  }

  append(source: Uint8Array, start: number, end: number): void {
    const count = end - start
    this.ensure(count)
    copyBytes(source, start, end, this.array, this.length)
    this.length += count
  }

  /** A varint: seven bits per byte, low ones first. `value` must not be negative. */
  pushVarint(value: number): void {
    this.ensure(5)
    while (value > 0x7f) {
      this.array[this.length++] = (value & 0x7f) | 0x80
      value >>>= 7
    }
    this.array[this.length++] = value
  }

  pushInt32(value: number): void {
    this.ensure(4)
    const at = this.length
    this.array[at] = value
    this.array[at + 1] = value >>> 8
    this.array[at + 2] = value >>> 16
    this.array[at + 3] = value >>> 24
    this.length = at + 4
  }

  /** Pads with zeros to a multiple of `step`. */
  align(step: number): void {
    while (this.length % step !== 0) this.push(0)
  }

  ensure(count: number): void {
    const needed = this.length + count
    if (needed > this.array.length) this.grow(Math.max(this.array.length * 2, needed))
  }

  /** The contents, without a copy. */
  view(): Uint8Array {
    return this.array.subarray(0, this.length)
  }
}

/** Copies `source[start, end)` to `target[at, …)` in a loop, unless it is long enough for a native copy. */
export function copyBytes(source: Uint8Array, start: number, end: number, target: Uint8Array, at: number): void {
  const count = end - start
  if (count > LOOP_BYTES_MAX) target.set(count === source.length ? source : source.subarray(start, end), at)
  else for (let i = 0; i < count; i++) target[at + i] = source[start + i]!
}
