/** Parses the bytes of a Redis server into replies. */

/** The server rejected a command. */
export class RedisError extends Error {}

export type Reply = string | number | Buffer | null | RedisError | Reply[]

export class ReplyReader {
  #bytes: Buffer = Buffer.alloc(0)
  #at = 0

  push(bytes: Buffer): void {
    this.#bytes = this.#at === this.#bytes.length ? bytes : Buffer.concat([this.#bytes.subarray(this.#at), bytes])
    this.#at = 0
  }

  /** The next complete reply, or undefined if more bytes are needed. */
  next(): Reply | undefined {
    const start = this.#at
    const reply = this.#read()
    if (reply === undefined) this.#at = start
    return reply
  }

  #read(): Reply | undefined {
    const end = this.#bytes.indexOf('\r\n', this.#at)
    if (end < 0) return undefined
    const kind = String.fromCharCode(this.#bytes[this.#at]!)
    const text = this.#bytes.toString('utf8', this.#at + 1, end)
    this.#at = end + 2
    if (kind === '+') return text
    if (kind === '-') return new RedisError(text)
    if (kind === ':') return Number(text)
    return kind === '$' ? this.#readBulk(Number(text)) : this.#readArray(Number(text))
  }

  #readBulk(length: number): Reply | undefined {
    if (length < 0) return null
    const end = this.#at + length
    if (end + 2 > this.#bytes.length) return undefined
    const bytes = Buffer.from(this.#bytes.subarray(this.#at, end))
    this.#at = end + 2
    return bytes
  }

  #readArray(length: number): Reply | undefined {
    if (length < 0) return null
    const items: Reply[] = []
    for (let i = 0; i < length; i++) {
      const item = this.#read()
      if (item === undefined) return undefined
      items.push(item)
    }
    return items
  }
}
