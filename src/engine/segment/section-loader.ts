/**
 * Brings sections of a segment into the arena on first use, once for all threads.
 *
 * A segment has a table in the arena: a word for pins, then state and address per section. Whoever needs a section first
 * claims its state, reads and checks the bytes, and publishes the address; others wait for that. A small file is loaded
 * whole, because a read costs more than its bytes.
 *
 * Sections of a segment that nobody has pinned may be dropped again when memory is short (`evict`).
 */

import type { Arena } from '../memory/arena.ts'
import { crc32 } from '../store/checksum.ts'
import { CorruptSegmentError, type SegmentDirectory, type SegmentFile } from './segment-file.ts'

const ABSENT = 0
const LOADING = 1
const LOADED = 2

const PINS = 0
const LAST_USE = 1
/** Counts evictions: views of a thread that remember an older count are stale. */
const EPOCH = 2
const FIRST_SLOT = 4
/** While this is added to the pins, nobody may pin. */
const EVICTING = -0x40000000

const WHOLE_FILE_BYTES = 256 * 1024
const EMPTY = new Uint8Array(0)

export class SectionLoader {
  readonly file: SegmentFile
  readonly directory: SegmentDirectory
  /** Address of the shared table: what another thread needs to attach. */
  readonly tableAddress: number
  readonly #arena: Arena
  readonly #table: Int32Array
  readonly #index: Map<string, number>
  readonly #whole: boolean

  constructor(file: SegmentFile, directory: SegmentDirectory, arena: Arena, tableAddress?: number) {
    this.file = file
    this.directory = directory
    this.#arena = arena
    this.#whole = file.size <= WHOLE_FILE_BYTES
    this.#index = new Map(directory.sections.map(([name], i) => [name, i]))
    const words = FIRST_SLOT + directory.sections.length * 2
    this.tableAddress = tableAddress ?? arena.allocate(words * 4)
    this.#table = arena.int32(this.tableAddress, words)
    if (tableAddress === undefined) this.#table.fill(0)
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

  /** Reads part of a section from the file, past the arena: for large sections of which little is wanted. */
  read(name: string, at: number, length: number): Uint8Array {
    const section = this.directory.sections[this.#index.get(name)!]!
    if (this.#whole) return this.#arena.bytes(this.#load(0) + section[1] + at, length)
    const target = new Uint8Array(length)
    this.file.read(section[1] + at, target)
    return target
  }

  /** How often the sections were dropped; views made under another count must not be used. */
  get epoch(): number {
    return Atomics.load(this.#table, EPOCH)
  }

  /** Keeps the sections from being evicted until `unpin`. Every reader of the bytes holds a pin. */
  pin(): void {
    while (Atomics.add(this.#table, PINS, 1) < 0) {
      Atomics.sub(this.#table, PINS, 1)
      Atomics.wait(this.#table, PINS, Atomics.load(this.#table, PINS), 1)
    }
    this.#table[LAST_USE] = (performance.now() / 1000) | 0
  }

  unpin(): void {
    Atomics.sub(this.#table, PINS, 1)
  }

  /** Seconds of process time when the segment was last pinned. */
  get lastUse(): number {
    return this.#table[LAST_USE]!
  }

  /** Frees the sections when nobody has them pinned; returns whether it did. */
  evict(): boolean {
    if (Atomics.compareExchange(this.#table, PINS, 0, EVICTING) !== 0) return false
    Atomics.add(this.#table, EPOCH, 1)
    this.#freeSections()
    Atomics.sub(this.#table, PINS, EVICTING)
    Atomics.notify(this.#table, PINS)
    return true
  }

  /** Gives everything back, the table included. The caller knows that no thread uses the segment any more. */
  free(): void {
    this.#freeSections()
    this.#arena.free(this.tableAddress)
  }

  #freeSections(): void {
    for (let slot = FIRST_SLOT; slot < this.#table.length; slot += 2) {
      if (this.#table[slot] !== LOADED) continue
      this.#table[slot] = ABSENT
      this.#arena.free(this.#table[slot + 1]! * 16)
    }
  }

  #load(section: number): number {
    const slot = FIRST_SLOT + section * 2
    for (;;) {
      const state = Atomics.load(this.#table, slot)
      if (state === LOADED) return this.#table[slot + 1]! * 16
      if (state === LOADING) {
        Atomics.wait(this.#table, slot, LOADING, 1000)
        continue
      }
      if (Atomics.compareExchange(this.#table, slot, ABSENT, LOADING) === ABSENT) return this.#read(section, slot)
    }
  }

  #read(section: number, slot: number): number {
    let address = -1
    try {
      const [name, offset, length, checksum] = this.directory.sections[section]!
      const bytes = this.#whole ? this.file.size : length
      address = this.#arena.allocate(bytes)
      const target = this.#arena.bytes(address, bytes)
      this.file.read(this.#whole ? 0 : offset, target)
      if (this.#whole) this.#checkAll(target)
      else if (crc32(target) !== checksum) throw this.#badChecksum(name)
      this.#table[slot + 1] = address / 16
      Atomics.store(this.#table, slot, LOADED)
      return address
    } catch (error) {
      if (address >= 0) this.#arena.free(address)
      Atomics.store(this.#table, slot, ABSENT)
      throw error
    } finally {
      Atomics.notify(this.#table, slot)
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
