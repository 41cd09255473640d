/** Typed arrays that grow. `array` may be read directly up to `length`; a push may replace it. */

export class IntList {
  array: Int32Array
  length: number

  constructor(capacity = 16) {
    this.array = new Int32Array(capacity)
    this.length = 0
  }

  push(value: number): void {
    if (this.length === this.array.length) {
      const grown = new Int32Array(this.array.length * 2)
      grown.set(this.array)
      this.array = grown
    }
    this.array[this.length++] = value
  }

  get memoryBytes(): number {
    return this.array.byteLength
  }
}

export class DoubleList {
  array: Float64Array
  length: number

  constructor(capacity = 16) {
    this.array = new Float64Array(capacity)
    this.length = 0
  }

  push(value: number): void {
    if (this.length === this.array.length) {
      const grown = new Float64Array(this.array.length * 2)
      grown.set(this.array)
      this.array = grown
    }
    this.array[this.length++] = value
  }

  get memoryBytes(): number {
    return this.array.byteLength
  }
}

export class ByteList {
  array: Uint8Array
  length: number

  constructor(capacity = 64) {
    this.array = new Uint8Array(capacity)
    this.length = 0
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
    const grown = new Uint8Array(Math.max(this.array.length * 2, needed))
    grown.set(this.array.subarray(0, this.length))
    this.array = grown
  }

  /** The contents, not copied. */
  view(): Uint8Array {
    return this.array.subarray(0, this.length)
  }

  get memoryBytes(): number {
    return this.array.byteLength
  }
}
