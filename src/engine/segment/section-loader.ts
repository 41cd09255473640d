/**
 * Loads sections of a segment into the arena on first use, once for all threads.
 *
 * The first thread that needs a section claims it in the shared table, reads and verifies the bytes, and publishes the
 * address; others wait for that. A small file is loaded completely, because a read costs more than its bytes. If the
 * arena is full, sections of the least recently used segment are evicted.
 */

import { crc32 } from '../../base/bytes/crc32.ts'
import { dataTooLarge } from '../../base/memory/breaker-errors.ts'
import { type Arena, ArenaFullError } from '../memory/arena.ts'
import { FieldUsage } from './field-usage.ts'
import { dropLeastUsed, SectionTable } from './section-table.ts'
import { CorruptSegmentError, type SegmentDirectory, type SegmentFile } from './segment-file.ts'

const WHOLE_FILE_BYTES = 256 * 1024
const VERIFIED_BYTES = 1024 * 1024
const EMPTY = new Uint8Array(0)

export class SectionLoader {
  readonly file: SegmentFile
  readonly directory: SegmentDirectory
  readonly usage = new FieldUsage()
  readonly #arena: Arena
  readonly #table: SectionTable
  readonly #index: Map<string, number>
  readonly #whole: boolean
  /** Sections that were verified without being loaded. */
  readonly #verified = new Set<string>()

  constructor(file: SegmentFile, directory: SegmentDirectory, arena: Arena, tableAddress?: number) {
    this.file = file
    this.directory = directory
    this.#arena = arena
    this.#whole = file.size <= WHOLE_FILE_BYTES
    this.#index = new Map(directory.sections.map(([name], i) => [name, i]))
    this.#table =
      tableAddress === undefined
        ? withRoom(arena, () => SectionTable.create(arena, directory.sections.length))
        : SectionTable.attach(arena, tableAddress)
  }

  /** Address of the shared table, with which another thread attaches. */
  get tableAddress(): number {
    return this.#table.address
  }

  /** A number that no other segment in this memory has or had. */
  get serial(): number {
    return this.#table.serial
  }

  /** The memory of the sections. */
  get arena(): Arena {
    return this.#arena
  }

  /** Whether the file is loaded, and verified, as a whole. */
  get isWhole(): boolean {
    return this.#whole
  }

  has(name: string): boolean {
    return this.#index.has(name)
  }

  /** The bytes of a section, 16-byte aligned in shared memory. */
  bytes(name: string): Uint8Array {
    const section = this.#index.get(name)
    if (section === undefined) throw new CorruptSegmentError(this.file.name, `section [${name}] is missing`)
    const [, offset, length] = this.directory.sections[section]!
    if (length === 0) return EMPTY
    if (this.#whole) return this.#arena.bytes(this.#load(0) + offset, length)
    return this.#arena.bytes(this.#load(section), length)
  }

  /** Reads part of a section from the file without the arena, for large sections of which little is needed. */
  read(name: string, at: number, length: number): Uint8Array {
    const section = this.directory.sections[this.#index.get(name)!]!
    if (this.#whole) return this.#arena.bytes(this.#load(0) + section[1] + at, length)
    const target = new Uint8Array(length)
    this.file.read(section[1] + at, target)
    return target
  }

  /** Like `read`, into existing memory. */
  readInto(name: string, at: number, target: Uint8Array): void {
    const section = this.directory.sections[this.#index.get(name)!]!
    if (this.#whole) target.set(this.#arena.bytes(this.#load(0) + section[1] + at, target.length))
    else this.file.read(section[1] + at, target)
  }

  /** Reads a section once to verify it, without keeping it. */
  verify(name: string): void {
    if (this.#whole || this.#verified.has(name)) return
    const [, offset, length, expected] = this.directory.sections[this.#index.get(name)!]!
    const chunk = new Uint8Array(Math.min(length, VERIFIED_BYTES))
    let checksum = 0
    for (let at = 0; at < length; at += VERIFIED_BYTES) {
      const part = chunk.subarray(0, Math.min(VERIFIED_BYTES, length - at))
      this.file.read(offset + at, part)
      checksum = crc32(part, checksum)
    }
    if (length > 0 && checksum !== expected) throw this.#badChecksum(name)
    this.#verified.add(name)
  }

  /** How often the sections were evicted; views created under another count must not be used. */
  get epoch(): number {
    return this.#table.epoch
  }

  /** Keeps the sections in memory until `unpin`. Every reader of the bytes holds a pin. */
  pin(): void {
    this.#table.pin()
  }

  unpin(): void {
    this.#table.unpin()
  }

  /** Evicts the sections unless the segment is pinned; returns whether it did. */
  evict(): boolean {
    return this.#table.drop()
  }

  /** Frees everything, including the table. The caller guarantees that no thread uses the segment any more. */
  free(): void {
    this.#table.free()
  }

  #load(section: number): number {
    const address = this.#table.claim(section)
    return address >= 0 ? address : this.#read(section)
  }

  #read(section: number): number {
    let address = -1
    try {
      const [name, offset, length, checksum] = this.directory.sections[section]!
      const bytes = this.#whole ? this.file.size : length
      address = withRoom(this.#arena, () => this.#arena.allocate(bytes))
      const target = this.#arena.bytes(address, bytes)
      this.file.read(this.#whole ? 0 : offset, target)
      if (this.#whole) this.#checkAll(target)
      else if (crc32(target) !== checksum) throw this.#badChecksum(name)
      this.#table.publish(section, address)
      return address
    } catch (error) {
      if (address >= 0) this.#arena.free(address)
      this.#table.giveUp(section)
      throw error
    }
  }

  #checkAll(file: Uint8Array): void {
    for (const [name, offset, length, checksum] of this.directory.sections) {
      if (length > 0 && crc32(file.subarray(offset, offset + length)) !== checksum) throw this.#badChecksum(name)
    }
  }

  #badChecksum(name: string): CorruptSegmentError {
    return new CorruptSegmentError(this.file.name, `checksum of section [${name}] is wrong`)
  }
}

/** Everything in the arena is being read: there will be room when other searches have ended. */
function tooLarge(arena: Arena, bytes: number) {
  const { usedBytes, limitBytes: limit } = arena
  const wanted = usedBytes + bytes
  return dataTooLarge({ breaker: 'request', label: '<segments>', wanted, limit, durability: 'TRANSIENT' })
}

/** Retries as long as evicting unused segments makes room. */
function withRoom<T>(arena: Arena, reserve: () => T): T {
  for (;;) {
    try {
      return reserve()
    } catch (error) {
      if (!(error instanceof ArenaFullError)) throw error
      if (!dropLeastUsed(arena)) throw tooLarge(arena, error.bytes)
    }
  }
}
