/** Cuts a stream of bytes into lines. What has no end yet is held until more bytes come or the stream ends. */
import type { Charset } from '../plugin/charset.ts'

export class LineSplitter {
  readonly #charset: Charset
  readonly #delimiter: string
  readonly #delimiterBytes: Buffer
  #held: Buffer[] = []

  constructor(charset: Charset, delimiter: string) {
    this.#charset = charset
    this.#delimiter = delimiter
    this.#delimiterBytes = charset.encode(delimiter)
  }

  get pending(): boolean {
    return this.#held.length > 0
  }

  /** The lines that are complete with these bytes. They are decoded in one go: many small texts cost far more. */
  push(bytes: Uint8Array): string[] {
    let buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    if (this.#delimiterBytes.length > 1 && this.#held.length > 0) {
      buffer = Buffer.concat([...this.#held, buffer])
      this.#held = []
    }
    const last = this.#lastDelimiter(buffer)
    if (last < 0) {
      if (buffer.length > 0) this.#held.push(Buffer.from(buffer))
      return []
    }
    const whole = this.#held.length === 0 ? buffer.subarray(0, last) : this.#withHeld(buffer.subarray(0, last))
    this.#held = []
    const rest = buffer.subarray(last + this.#delimiterBytes.length)
    // A copy: the input may use its buffer again.
    if (rest.length > 0) this.#held.push(Buffer.from(rest))
    return this.#charset.decode(whole).split(this.#delimiter)
  }

  /** The text without an end, when there is some. The newline that ends a file is none, whatever the delimiter. */
  end(): string | undefined {
    if (this.#held.length === 0) return undefined
    const text = this.#charset.decode(Buffer.concat(this.#held))
    this.#held = []
    return text === '\n' || text === '\r\n' ? undefined : text
  }

  /** A delimiter such as `||` may also be found across two of them, so longer ones are counted from the start. */
  #lastDelimiter(buffer: Buffer): number {
    const { length } = this.#delimiterBytes
    if (length === 1) return buffer.lastIndexOf(this.#delimiterBytes)
    let last = -1
    for (
      let at = buffer.indexOf(this.#delimiterBytes);
      at >= 0;
      at = buffer.indexOf(this.#delimiterBytes, at + length)
    ) {
      last = at
    }
    return last
  }

  #withHeld(bytes: Buffer): Buffer {
    return Buffer.concat([...this.#held, bytes])
  }
}
