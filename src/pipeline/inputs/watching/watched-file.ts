/**
 * A file that is read as it grows: its position, the incomplete line at its end, and its handle.
 *
 * A file is identified by inode and device, not by name, so renaming it changes nothing.
 */
import { closeSync, fstatSync, openSync } from 'node:fs'
import { decodeLines } from '../../codecs/decode-lines.ts'
import type { Event } from '../../event/event.ts'
import type { Decoder } from '../../plugin/codec-plugin.ts'
import { DeliveredPosition } from '../../queue/delivered-position.ts'
import { type FileIdentity, identityOf } from './sincedb.ts'

/** Enough bytes that other content is unlikely to have the same bytes at the same place. */
export const MEMORY_BYTES = 64

export interface WatchedFileSettings {
  readonly path: string
  readonly identity: FileIdentity
  readonly position: number
  readonly decoder: Decoder
  readonly delimiter: string
  /** Whether the decoder joins lines, in which case the start of each event must be tracked line by line. */
  readonly joinsLines: boolean
  readonly onDelivered: (file: WatchedFile, position: number) => void
}

export class WatchedFile {
  path: string
  readonly identity: FileIdentity
  readonly decoder: Decoder
  readonly delivered: DeliveredPosition
  /** The offset of the next byte to read. */
  position: number
  sizeSeen = 0
  lastReadMs = 0
  /** Rounds since the path left this file, or since the last byte arrived after that. */
  quietRounds = 0
  /** Read mode: the whole file was read. */
  isComplete = false
  /** The end of the last pushed events. Nothing after it may be recorded as read. */
  #safeEnd: number
  readonly #delimiter: string
  readonly #delimiterBytes: Buffer
  readonly #joinsLines: boolean
  #held = Buffer.alloc(0)
  #memory = Buffer.alloc(0)
  #handle: number | undefined

  constructor(settings: WatchedFileSettings) {
    this.path = settings.path
    this.identity = settings.identity
    this.position = settings.position
    this.#safeEnd = settings.position
    this.decoder = settings.decoder
    this.#delimiter = settings.delimiter
    this.#delimiterBytes = settings.decoder.charset.encode(settings.delimiter)
    this.#joinsLines = settings.joinsLines
    this.delivered = new DeliveredPosition((position) => settings.onDelivered(this, position))
  }

  get isOpen(): boolean {
    return this.#handle !== undefined
  }

  /** The end of the bytes contained in emitted events, without lines that the decoder still holds. */
  get safeEnd(): number {
    return this.#safeEnd
  }

  /** The last bytes read. If they change, the content was replaced. */
  get memory(): Buffer {
    return this.#memory
  }

  /** Undefined if the path now leads to another file. Throws if the file cannot be opened. */
  open(): number | undefined {
    if (this.#handle !== undefined) return this.#handle
    const handle = openSync(this.path, 'r')
    if (identityOf(fstatSync(handle, { bigint: true })) !== this.identity) {
      closeSync(handle)
      return undefined
    }
    this.#handle = handle
    return handle
  }

  /** The size and deletion state of the open file; undefined if it is not open. */
  status(): { size: number; isDeleted: boolean } | undefined {
    if (this.#handle === undefined) return undefined
    const { size, nlink } = fstatSync(this.#handle)
    return { size, isDeleted: nlink === 0 }
  }

  close(): void {
    if (this.#handle !== undefined) closeSync(this.#handle)
    this.#handle = undefined
  }

  /** Takes the bytes at `position`; complete lines become events. */
  take(bytes: Buffer, out: Event[]): void {
    this.#remember(bytes)
    const lineStart = this.position - this.#held.length
    this.position += bytes.length
    const end =
      this.#held.length === 0 || this.#delimiterBytes.length === 1 ? bytes.lastIndexOf(this.#delimiterBytes) : -2
    if (end === -1) {
      this.#held = Buffer.concat([this.#held, bytes])
      return
    }
    const whole = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes])
    const blockEnd = whole.lastIndexOf(this.#delimiterBytes) + this.#delimiterBytes.length
    if (blockEnd < this.#delimiterBytes.length) {
      this.#held = Buffer.from(whole)
      return
    }
    this.#decode(whole.subarray(0, blockEnd), lineStart, out)
    this.#held = Buffer.from(whole.subarray(blockEnd))
  }

  /** The end of the content: an unterminated rest is a line too. */
  finish(out: Event[]): void {
    if (this.#held.length > 0) this.decoder.decodeLine(this.decoder.charset.decode(this.#held), out)
    this.#held = Buffer.alloc(0)
    this.flush(out)
  }

  /** Emits what the decoder holds back. An incomplete line stays. */
  flush(out: Event[]): void {
    this.decoder.flush(out)
    this.#safeEnd = this.position - this.#held.length
  }

  /** The content was replaced, so reading restarts at the beginning. */
  restart(): void {
    this.position = 0
    this.#safeEnd = 0
    this.#held = Buffer.alloc(0)
    this.#memory = Buffer.alloc(0)
    this.delivered.reset()
  }

  #remember(bytes: Buffer): void {
    const keep = Math.min(bytes.length, MEMORY_BYTES)
    this.#memory = Buffer.from(bytes.subarray(bytes.length - keep))
  }

  #decode(block: Buffer, start: number, out: Event[]): void {
    if (!this.#joinsLines) {
      decodeLines(this.decoder, block, this.#delimiter, out)
      this.#safeEnd = start + block.length
      return
    }
    let at = 0
    while (at < block.length) {
      const end = block.indexOf(this.#delimiterBytes, at)
      const before = out.length
      const held = this.decoder.pending
      this.decoder.decodeLine(this.decoder.charset.decode(block.subarray(at, end)), out)
      const next = end + this.#delimiterBytes.length
      // A pending event starts with this line if the previous event was just emitted.
      if (!this.decoder.pending) this.#safeEnd = start + next
      else if (out.length > before || !held) this.#safeEnd = start + at
      at = next
    }
  }
}
