/**
 * The frames of RELP, rsyslog's protocol with acknowledgements: `NUMBER COMMAND LENGTH[ DATA]\n`. A client opens a session with
 * number 1, sends messages with growing numbers, and keeps each until a response carries its number.
 */
export interface RelpFrame {
  readonly number: number
  readonly command: string
  readonly data: Buffer
}

/** Larger frames are rejected, because they would exhaust memory. */
const DATA_BYTES_MAX = 128 * 1024 * 1024
const HEADER_BYTES_MAX = 64

export class RelpReader {
  #bytes: Buffer = Buffer.alloc(0)

  /** The frames completed by these bytes. Throws if the bytes violate the protocol. */
  push(bytes: Buffer): RelpFrame[] {
    this.#bytes = this.#bytes.length === 0 ? bytes : Buffer.concat([this.#bytes, bytes])
    const frames: RelpFrame[] = []
    for (;;) {
      const frame = this.#next()
      if (frame === undefined) return frames
      frames.push(frame)
    }
  }

  #next(): RelpFrame | undefined {
    const head = this.#bytes.toString('latin1', 0, HEADER_BYTES_MAX)
    const match = /^(\d{1,9}) ([a-zA-Z]{1,32}) (\d{1,9})( |\n)/.exec(head)
    if (match === null) {
      if (this.#bytes.length >= HEADER_BYTES_MAX || /\n/.test(head)) throw new Error('this is no RELP frame')
      return undefined
    }
    const [whole, number, command, digits, end] = match
    const length = Number(digits)
    if (length > DATA_BYTES_MAX) throw new Error(`a frame of ${length} bytes is too large`)
    // A frame without data may leave out the blank.
    const from = whole.length
    const dataBytes = end === '\n' ? 0 : length
    const last = end === '\n' ? from : from + dataBytes + 1
    if (last > this.#bytes.length) return undefined
    if (this.#bytes[last - 1] !== 0x0a) throw new Error('a frame does not end with a line feed')
    const data = this.#bytes.subarray(from, from + dataBytes)
    this.#bytes = this.#bytes.subarray(last)
    return { number: Number(number), command: command!, data }
  }
}

export function relpFrame(number: number, command: string, data = ''): string {
  const length = Buffer.byteLength(data)
  return length === 0 ? `${number} ${command} 0\n` : `${number} ${command} ${length} ${data}\n`
}
