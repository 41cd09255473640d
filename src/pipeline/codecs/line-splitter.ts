/** Splits a byte stream into lines. An incomplete line is kept until more bytes arrive or the stream ends. */
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

  /** The length of the incomplete line. */
  get heldBytes(): number {
    return this.#held.reduce((sum, piece) => sum + piece.length, 0)
  }

  /**
   * The lines completed by these bytes. They are decoded together, because decoding many short texts costs far more.
   */
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
    // A copy, because the input may reuse its buffer.
    if (rest.length > 0) this.#held.push(Buffer.from(rest))
    return this.#charset.decode(whole).split(this.#delimiter)
  }

  /**
   * The unterminated rest of the stream, if any. A single newline at the end of a file is no rest, whatever the
   * delimiter.
   */
  end(): string | undefined {
    if (this.#held.length === 0) return undefined
    const text = this.#charset.decode(Buffer.concat(this.#held))
    this.#held = []
    return text === '\n' || text === '\r\n' ? undefined : text
  }

  /**
   * A delimiter such as `||` can also match across two delimiters, so delimiters of several bytes are searched from the
   * start.
   */
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
