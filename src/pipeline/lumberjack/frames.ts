/**
 * The Lumberjack protocol: frames of a version byte, a type, and the data of that type. Beats speak version 2; version 1 has events of
 * names and texts.
 *
 *     2 W <count u32>                     that many events follow before an acknowledgement is due
 *     2 J <sequence u32> <length u32> …   one event as JSON
 *     1 D <sequence u32> <pairs u32> …    one event as names and texts, each with its length before it
 *     2 C <length u32> …                  frames, compressed with zlib
 *     2 A <sequence u32>                  (to the sender) all events up to this one are accepted
 */
import { inflateSync } from 'node:zlib'

export type Frame =
  | { readonly kind: 'window'; readonly count: number }
  | { readonly kind: 'event'; readonly sequence: number; readonly json: string }
  | { readonly kind: 'pairs'; readonly sequence: number; readonly pairs: ReadonlyMap<string, string> }

/** Larger frames are rejected, because they would exhaust memory. */
const FRAME_BYTES_MAX = 256 * 1024 * 1024

export class FrameReader {
  /** The version the sender speaks, once it has said something. */
  version: '1' | '2' = '2'
  #bytes: Buffer = Buffer.alloc(0)

  /** The frames completed by these bytes. Throws if the bytes violate the protocol. */
  push(bytes: Buffer): Frame[] {
    this.#bytes = this.#bytes.length === 0 ? bytes : Buffer.concat([this.#bytes, bytes])
    if (this.#bytes[0] === 0x31) this.version = '1'
    const frames: Frame[] = []
    const used = readFrames(this.#bytes, frames)
    this.#bytes = this.#bytes.subarray(used)
    return frames
  }
}

/** Returns the number of bytes consumed. */
function readFrames(bytes: Buffer, frames: Frame[]): number {
  let at = 0
  while (at + 6 <= bytes.length) {
    const version = String.fromCharCode(bytes[at]!)
    const kind = String.fromCharCode(bytes[at + 1]!)
    if (version !== '2' && version !== '1') throw new Error(`protocol version ${JSON.stringify(version)} is not known`)
    const first = bytes.readUInt32BE(at + 2)
    if (kind === 'W') {
      frames.push({ kind: 'window', count: first })
      at += 6
    } else if (kind === 'J') {
      if (at + 10 > bytes.length) break
      const end = at + 10 + checkedLength(bytes.readUInt32BE(at + 6))
      if (end > bytes.length) break
      frames.push({ kind: 'event', sequence: first, json: bytes.toString('utf8', at + 10, end) })
      at = end
    } else if (kind === 'D') {
      const read = readPairs(bytes, at + 6)
      if (read === undefined) break
      frames.push({ kind: 'pairs', sequence: first, pairs: read.pairs })
      at = read.end
    } else if (kind === 'C') {
      const end = at + 6 + checkedLength(first)
      if (end > bytes.length) break
      readFrames(inflateSync(bytes.subarray(at + 6, end), { maxOutputLength: FRAME_BYTES_MAX }), frames)
      at = end
    } else throw new Error(`a frame of kind ${JSON.stringify(kind)} is not known`)
  }
  return at
}

/** The names and texts of an event; undefined while bytes are missing. */
function readPairs(bytes: Buffer, from: number): { pairs: Map<string, string>; end: number } | undefined {
  let at = from
  const length = (): number | undefined => {
    if (at + 4 > bytes.length) return undefined
    at += 4
    return checkedLength(bytes.readUInt32BE(at - 4))
  }
  const text = (): string | undefined => {
    const size = length()
    if (size === undefined || at + size > bytes.length) return undefined
    at += size
    return bytes.toString('utf8', at - size, at)
  }
  const count = length()
  if (count === undefined) return undefined
  const pairs = new Map<string, string>()
  for (let i = 0; i < count; i++) {
    const name = text()
    const value = name === undefined ? undefined : text()
    if (value === undefined) return undefined
    pairs.set(name!, value)
  }
  return { pairs, end: at }
}

function checkedLength(length: number): number {
  if (length > FRAME_BYTES_MAX) throw new Error(`a frame of ${length} bytes is too large`)
  return length
}

export function acknowledgement(sequence: number, version: '1' | '2' = '2'): Buffer {
  const frame = Buffer.from(`${version}A\0\0\0\0`, 'latin1')
  frame.writeUInt32BE(sequence, 2)
  return frame
}
