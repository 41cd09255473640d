/** The output of the LZ4 and Snappy decoders: literal bytes, and copies of bytes that were decoded earlier. */
export class DamagedBlockError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'DamagedBlockError'
  }
}

export class BlockOutput {
  #bytes: Buffer
  #length = 0
  #blockStart = 0

  /** The output grows when it exceeds `expectedBytes`. */
  constructor(expectedBytes: number) {
    this.#bytes = Buffer.allocUnsafe(Math.max(expectedBytes, 64))
  }

  /** Starts a new block. Copies cannot reach back into earlier blocks. */
  startBlock(): void {
    this.#blockStart = this.#length
  }

  literal(from: Uint8Array, start: number, count: number): void {
    if (start + count > from.length) throw new DamagedBlockError('the packed data ends early')
    this.#room(count)
    this.#bytes.set(from.subarray(start, start + count), this.#length)
    this.#length += count
  }

  /** Copies decoded bytes. A copy longer than its distance repeats the bytes it has just written. */
  copy(distance: number, count: number): void {
    const from = this.#length - distance
    if (distance === 0 || from < this.#blockStart) {
      throw new DamagedBlockError('the packed data points before its start')
    }
    this.#room(count)
    const bytes = this.#bytes
    const to = this.#length
    for (let i = 0; i < count; i++) bytes[to + i] = bytes[from + i]!
    this.#length += count
  }

  finish(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  #room(count: number): void {
    if (this.#length + count <= this.#bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(this.#length + count, this.#bytes.length * 2))
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
  }
}
