/**
 * Typed arrays that grow. `array` may be read directly up to `length`; a push may replace it. A list that is made with a
 * memory takes its arrays from there, where other threads see them too, and gives them back when it grows or is released:
 * whoever keeps an old `array` would then read another list.
 */
import type { ListMemory } from './list-memory.ts'

/** A list's contents on their way to another thread. */
export interface PackedList<T> {
  readonly array: T
  readonly length: number
}

export class IntList {
  array: Int32Array
  length: number
  readonly #memory: ListMemory | undefined

  constructor(capacity = 16, memory?: ListMemory) {
    this.#memory = memory
    this.array = memory === undefined ? new Int32Array(capacity) : new Int32Array(memory.take(capacity * 4))
    this.length = 0
  }

  /** Takes over what `pack` made, for reading. */
  adopt({ array, length }: PackedList<Int32Array>): void {
    this.array = array
    this.length = length
  }

  push(value: number): void {
    if (this.length === this.array.length) this.#grow()
    this.array[this.length++] = value
  }

  pack(): PackedList<Int32Array> {
    return { array: this.array, length: this.length }
  }

  /** The list must not be used afterwards. */
  release(): void {
    this.#memory?.give(this.array.buffer as unknown as SharedArrayBuffer)
  }

  #grow(): void {
    const old = this.array
    const capacity = Math.max(16, old.length * 2)
    this.array = this.#memory === undefined ? new Int32Array(capacity) : new Int32Array(this.#memory.take(capacity * 4))
    this.array.set(old)
    this.#memory?.give(old.buffer as unknown as SharedArrayBuffer)
  }

  get memoryBytes(): number {
    return this.array.byteLength
  }
}

export class DoubleList {
  array: Float64Array
  length: number
  readonly #memory: ListMemory | undefined

  constructor(capacity = 16, memory?: ListMemory) {
    this.#memory = memory
    this.array = memory === undefined ? new Float64Array(capacity) : new Float64Array(memory.take(capacity * 8))
    this.length = 0
  }

  /** Takes over what `pack` made, for reading. */
  adopt({ array, length }: PackedList<Float64Array>): void {
    this.array = array
    this.length = length
  }

  push(value: number): void {
    if (this.length === this.array.length) this.#grow()
    this.array[this.length++] = value
  }

  pack(): PackedList<Float64Array> {
    return { array: this.array, length: this.length }
  }

  /** The list must not be used afterwards. */
  release(): void {
    this.#memory?.give(this.array.buffer as unknown as SharedArrayBuffer)
  }

  #grow(): void {
    const old = this.array
    const capacity = Math.max(16, old.length * 2)
    this.array =
      this.#memory === undefined ? new Float64Array(capacity) : new Float64Array(this.#memory.take(capacity * 8))
    this.array.set(old)
    this.#memory?.give(old.buffer as unknown as SharedArrayBuffer)
  }

  get memoryBytes(): number {
    return this.array.byteLength
  }
}

export class ByteList {
  array: Uint8Array
  length: number
  readonly #memory: ListMemory | undefined

  constructor(capacity = 64, memory?: ListMemory) {
    this.#memory = memory
    this.array = memory === undefined ? new Uint8Array(capacity) : new Uint8Array(memory.take(capacity))
    this.length = 0
  }

  /** Takes over what `pack` made, for reading. */
  adopt({ array, length }: PackedList<Uint8Array>): void {
    this.array = array
    this.length = length
  }

  pack(): PackedList<Uint8Array> {
    return { array: this.array, length: this.length }
  }

  /** The list must not be used afterwards. */
  release(): void {
    this.#memory?.give(this.array.buffer as unknown as SharedArrayBuffer)
  }

  push(value: number): void {
    if (this.length === this.array.length) this.ensure(1)
    this.array[this.length++] = value
  }

  /** Appends `source[start, end)`; a loop, because most runs are shorter than a native copy is worth. */
  append(source: Uint8Array, start: number, end: number): void {
    const count = end - start
    this.ensure(count)
    const target = this.array
    let at = this.length
    if (count > 48) target.set(source.subarray(start, end), at)
    else for (let i = start; i < end; i++) target[at++] = source[i]!
    this.length += count
  }

  /** Variable-length: seven bits a byte, low ones first. `value` must not be negative. */
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
    if (needed <= this.array.length) return
    const old = this.array
    const capacity = Math.max(old.length * 2, needed)
    this.array = this.#memory === undefined ? new Uint8Array(capacity) : new Uint8Array(this.#memory.take(capacity))
    this.array.set(old.subarray(0, this.length))
    this.#memory?.give(old.buffer as unknown as SharedArrayBuffer)
  }

  /** The contents, not copied. */
  view(): Uint8Array {
    return this.array.subarray(0, this.length)
  }

  get memoryBytes(): number {
    return this.array.byteLength
  }
}
