/** Joins the chunks of GELF messages and decompresses them. */
import { gunzipSync, inflateSync } from 'node:zlib'

/** A message whose chunks do not arrive within this time is dropped, as the protocol demands. */
const PATIENCE_MS = 5000
const CHUNKS_MAX = 128
/** Messages of which chunks are missing. Each has at most 128 datagrams. */
const MESSAGES_MAX = 1000
const MESSAGE_BYTES_MAX = 64 * 1024 * 1024
/** Magic bytes, id, number and count. */
const CHUNK_HEAD = 12

interface Incomplete {
  readonly chunks: (Buffer | undefined)[]
  missing: number
  readonly sinceMs: number
}

export class GelfDatagrams {
  readonly #nowMs: () => number
  readonly #partial = new Map<string, Incomplete>()

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  /** The text of a message; undefined while chunks are missing. Throws if the datagram is no GELF. */
  take(bytes: Buffer, source: string): string | undefined {
    if (bytes[0] !== 0x1e || bytes[1] !== 0x0f) return textOf(bytes)
    const whole = this.#join(bytes, source)
    return whole === undefined ? undefined : textOf(whole)
  }

  #join(bytes: Buffer, source: string): Buffer | undefined {
    const [number = 0, count = 0] = bytes.subarray(10, CHUNK_HEAD)
    if (bytes.length <= CHUNK_HEAD || count === 0 || count > CHUNKS_MAX || number >= count) {
      throw new Error(`chunk ${number} of ${count} is not valid`)
    }
    this.#dropOld()
    const key = `${source} ${bytes.toString('hex', 2, 10)}`
    let partial = this.#partial.get(key)
    if (partial === undefined || partial.chunks.length !== count) {
      if (this.#partial.size >= MESSAGES_MAX) throw new Error('too many messages miss chunks')
      partial = { chunks: new Array(count).fill(undefined), missing: count, sinceMs: this.#nowMs() }
      this.#partial.set(key, partial)
    }
    if (partial.chunks[number] === undefined) partial.missing--
    partial.chunks[number] = bytes.subarray(CHUNK_HEAD)
    if (partial.missing > 0) return undefined
    this.#partial.delete(key)
    return Buffer.concat(partial.chunks as Buffer[])
  }

  /** They are in the order of their first chunk. */
  #dropOld(): void {
    const latestMs = this.#nowMs() - PATIENCE_MS
    for (const [key, { sinceMs }] of this.#partial) {
      if (sinceMs > latestMs) return
      this.#partial.delete(key)
    }
  }
}

function textOf(bytes: Buffer): string {
  const limit = { maxOutputLength: MESSAGE_BYTES_MAX }
  const [first, second] = bytes
  if (first === 0x1f && second === 0x8b) return gunzipSync(bytes, limit).toString('utf8')
  if (first === 0x78 && second !== undefined && (first * 256 + second) % 31 === 0)
    return inflateSync(bytes, limit).toString('utf8')
  // The mark of messages that are not compressed.
  if (first === 0x1f && second === 0x3c) return bytes.toString('utf8', 2)
  if (first === 0x7b) return bytes.toString('utf8')
  throw new Error('the header is unknown')
}
