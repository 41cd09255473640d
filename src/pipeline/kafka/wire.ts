/** The primitive values of Kafka's protocol, big-endian, in the versions before compact strings. */

const START_BYTES = 512

export class WireWriter {
  #bytes = Buffer.allocUnsafe(START_BYTES)
  #length = 0

  int8(value: number): this {
    const at = this.#grow(1)
    this.#bytes.writeInt8(value, at)
    return this
  }

  int16(value: number): this {
    const at = this.#grow(2)
    this.#bytes.writeInt16BE(value, at)
    return this
  }

  int32(value: number): this {
    const at = this.#grow(4)
    this.#bytes.writeInt32BE(value, at)
    return this
  }

  uint32(value: number): this {
    const at = this.#grow(4)
    this.#bytes.writeUInt32BE(value, at)
    return this
  }

  int64(value: number | bigint): this {
    const at = this.#grow(8)
    this.#bytes.writeBigInt64BE(BigInt(value), at)
    return this
  }

  boolean(value: boolean): this {
    return this.int8(value ? 1 : 0)
  }

  string(value: string | undefined): this {
    if (value === undefined) return this.int16(-1)
    const bytes = Buffer.from(value)
    return this.int16(bytes.length).raw(bytes)
  }

  bytes(value: Uint8Array | undefined): this {
    return value === undefined ? this.int32(-1) : this.int32(value.length).raw(value)
  }

  array<T>(items: readonly T[] | undefined, write: (item: T) => void): this {
    this.int32(items?.length ?? -1)
    for (const item of items ?? []) write(item)
    return this
  }

  /** A zigzag varint of seven bits per byte, lowest first. Used for lengths and small differences; exact up to 2^53. */
  varint(value: number): this {
    let left = value < 0 ? -value * 2 - 1 : value * 2
    while (left >= 0x80) {
      this.#byte((left % 0x80) | 0x80)
      left = Math.floor(left / 0x80)
    }
    this.#byte(left)
    return this
  }

  /** Bytes with a varint length, as in record batches. */
  varBytes(value: Uint8Array | undefined): this {
    return value === undefined ? this.varint(-1) : this.varint(value.length).raw(value)
  }

  raw(value: Uint8Array): this {
    const at = this.#grow(value.length)
    this.#bytes.set(value, at)
    return this
  }

  get length(): number {
    return this.#length
  }

  /** The bytes written so far. They belong to the writer. */
  finish(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  #byte(value: number): void {
    const at = this.#grow(1)
    this.#bytes[at] = value
  }

  /** May replace the buffer, so it must be called before the buffer is accessed. */
  #grow(count: number): number {
    const at = this.#length
    this.#length += count
    if (this.#length > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.#length, this.#bytes.length * 2))
      this.#bytes.copy(larger, 0, 0, at)
      this.#bytes = larger
    }
    return at
  }
}

/** Reads a response. Reading past the end throws a RangeError: the response does not have the expected form. */
export class WireReader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get left(): number {
    return this.#bytes.length - this.#at
  }

  int8(): number {
    return this.#bytes.readInt8(this.#step(1))
  }

  int16(): number {
    return this.#bytes.readInt16BE(this.#step(2))
  }

  int32(): number {
    return this.#bytes.readInt32BE(this.#step(4))
  }

  uint32(): number {
    return this.#bytes.readUInt32BE(this.#step(4))
  }

  /** Offsets and times are far below 2^53 in Kafka. */
  int64(): number {
    return Number(this.#bytes.readBigInt64BE(this.#step(8)))
  }

  bigInt64(): bigint {
    return this.#bytes.readBigInt64BE(this.#step(8))
  }

  boolean(): boolean {
    return this.int8() !== 0
  }

  string(): string | undefined {
    const length = this.int16()
    return length < 0 ? undefined : this.raw(length).toString('utf8')
  }

  bytes(): Buffer | undefined {
    const length = this.int32()
    return length < 0 ? undefined : this.raw(length)
  }

  array<T>(read: () => T): T[] {
    const count = this.int32()
    const items: T[] = []
    for (let i = 0; i < count; i++) items.push(read())
    return items
  }

  varint(): number {
    let value = 0
    for (let factor = 1; ; factor *= 0x80) {
      const byte = this.#bytes.readUInt8(this.#step(1))
      value += (byte & 0x7f) * factor
      if (byte < 0x80) break
    }
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2
  }

  varBytes(): Buffer | undefined {
    const length = this.varint()
    return length < 0 ? undefined : this.raw(length)
  }

  /** A view, not a copy. */
  raw(length: number): Buffer {
    const at = this.#step(length)
    if (this.#at > this.#bytes.length) throw new RangeError('the message ends early')
    return this.#bytes.subarray(at, at + length)
  }

  #step(count: number): number {
    const at = this.#at
    this.#at += count
    return at
  }
}
