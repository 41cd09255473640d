/**
 * Builds a response as bytes. A bulk response has a hundred bytes per document, which would be garbage as strings or
 * objects.
 */
import { decodeUtf8 } from '../../../base/json/json-reader.ts'

export class ByteWriter {
  #bytes: Buffer
  #length = 0

  constructor(capacity: number) {
    this.#bytes = ownBuffer(capacity)
  }

  get length(): number {
    return this.#length
  }

  bytes(bytes: Uint8Array): void {
    this.range(bytes, 0, bytes.length)
  }

  /** The bytes `source[start, end)`. */
  range(source: Uint8Array, start: number, end: number): void {
    const count = end - start
    this.#reserve(count)
    const target = this.#bytes
    const at = this.#length
    // A loop is cheaper than a slice for a few bytes.
    if (count > 64) target.set(source.subarray(start, end), at)
    else for (let i = 0; i < count; i++) target[at + i] = source[start + i]!
    this.#length = at + count
  }

  byte(byte: number): void {
    this.#reserve(1)
    this.#bytes[this.#length++] = byte
  }

  text(text: string): void {
    this.#reserve(text.length * 3)
    this.#length += this.#bytes.write(text, this.#length)
  }

  /** A whole number from 0 to 2^53. */
  integer(value: number): void {
    if (value >= 0x7fffffff || value < 0) {
      this.text(String(value))
      return
    }
    this.#reserve(10)
    let digits = 1
    for (let limit = 10; limit <= value; limit *= 10) digits++
    let at = this.#length + digits
    let rest = value | 0
    for (let i = 0; i < digits; i++) {
      const next = (rest / 10) | 0
      this.#bytes[--at] = 0x30 + rest - next * 10
      rest = next
    }
    this.#length += digits
  }

  /** UTF-8 bytes as a JSON string, including quotes. */
  quoted(source: Uint8Array, start: number, end: number): void {
    this.#reserve(end - start + 2)
    const target = this.#bytes
    let at = this.#length
    target[at++] = 0x22
    for (let i = start; i < end; i++) {
      const byte = source[i]!
      if (byte < 0x20 || byte === 0x22 || byte === 0x5c) {
        this.text(JSON.stringify(decodeUtf8(source, start, end)))
        return
      }
      target[at++] = byte
    }
    target[at++] = 0x22
    this.#length = at
  }

  /** The bytes written so far. The writer must not be used afterwards. Slices of a Buffer would take longer. */
  finish(): Uint8Array {
    return new Uint8Array(this.#bytes.buffer, 0, this.#length)
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return
    const grown = ownBuffer(Math.max(this.#bytes.length * 2, this.#length + count))
    grown.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = grown
  }
}

/** A buffer that can be transferred to another thread, which slices of Node's buffer pool cannot. */
function ownBuffer(bytes: number): Buffer {
  return Buffer.from(new ArrayBuffer(bytes))
}
