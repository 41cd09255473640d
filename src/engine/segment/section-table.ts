/**
 * What all threads know of a segment's sections: a table in the arena.
 *
 *   pins          readers that must not lose the sections; negative while they are being dropped
 *   last use      seconds since 1970
 *   epoch         counts how often the sections were dropped: views made under another count are stale
 *   next table    all tables form a list, so that any thread can drop what nobody uses
 *   per section   state, address / 16
 */
import { type Arena, TABLE_LIST } from '../memory/arena.ts'

const PINS = 0
const LAST_USE = 1
const EPOCH = 2
const NEXT = 3
const SECTIONS = 4
const FIRST_SLOT = 8

const ABSENT = 0
const LOADING = 1
const LOADED = 2
/** Added to the pins while sections are dropped. */
const DROPPING = -0x40000000

export class SectionTable {
  readonly address: number
  readonly #arena: Arena
  readonly #words: Int32Array

  private constructor(arena: Arena, address: number, sections: number) {
    this.#arena = arena
    this.address = address
    this.#words = arena.int32(address, FIRST_SLOT + sections * 2)
  }

  static create(arena: Arena, sections: number): SectionTable {
    const table = new SectionTable(arena, arena.allocate((FIRST_SLOT + sections * 2) * 4), sections)
    table.#words.fill(0)
    table.#words[SECTIONS] = sections
    arena.exclusive((header) => {
      table.#words[NEXT] = header[TABLE_LIST]!
      header[TABLE_LIST] = table.address / 16
    })
    return table
  }

  static attach(arena: Arena, address: number): SectionTable {
    return new SectionTable(arena, address, arena.int32(address, FIRST_SLOT)[SECTIONS]!)
  }

  get epoch(): number {
    return Atomics.load(this.#words, EPOCH)
  }

  /** Keeps the sections in memory until `unpin`. */
  pin(): void {
    while (Atomics.add(this.#words, PINS, 1) < 0) {
      Atomics.sub(this.#words, PINS, 1)
      Atomics.wait(this.#words, PINS, Atomics.load(this.#words, PINS), 1)
    }
    this.#words[LAST_USE] = Math.floor(Date.now() / 1000)
  }

  unpin(): void {
    Atomics.sub(this.#words, PINS, 1)
  }

  /** The address of a section, or -1 when this thread is now the one to load it (`publish` or `giveUp` follows). */
  claim(section: number): number {
    const slot = FIRST_SLOT + section * 2
    for (;;) {
      const state = Atomics.load(this.#words, slot)
      if (state === LOADED) return this.#words[slot + 1]! * 16
      if (state === LOADING) Atomics.wait(this.#words, slot, LOADING, 1000)
      else if (Atomics.compareExchange(this.#words, slot, ABSENT, LOADING) === ABSENT) return -1
    }
  }

  publish(section: number, address: number): void {
    this.#words[FIRST_SLOT + section * 2 + 1] = address / 16
    this.#settle(section, LOADED)
  }

  giveUp(section: number): void {
    this.#settle(section, ABSENT)
  }

  /** Drops the sections unless someone has them pinned; returns whether it did. */
  drop(): boolean {
    if (Atomics.compareExchange(this.#words, PINS, 0, DROPPING) !== 0) return false
    this.#freeSections()
    Atomics.sub(this.#words, PINS, DROPPING)
    Atomics.notify(this.#words, PINS)
    return true
  }

  /** Gives everything back, the table included. The caller knows that no reader is left. */
  free(): void {
    // Another thread may be dropping the sections just now.
    while (Atomics.compareExchange(this.#words, PINS, 0, DROPPING) < 0) Atomics.wait(this.#words, PINS, DROPPING, 1)
    this.#arena.exclusive((header) => this.#unlink(header))
    this.#freeSections()
    this.#arena.free(this.address)
  }

  #settle(section: number, state: number): void {
    const slot = FIRST_SLOT + section * 2
    Atomics.store(this.#words, slot, state)
    Atomics.notify(this.#words, slot)
  }

  #freeSections(): void {
    Atomics.add(this.#words, EPOCH, 1)
    for (let slot = FIRST_SLOT; slot < this.#words.length; slot += 2) {
      if (this.#words[slot] !== LOADED) continue
      this.#words[slot] = ABSENT
      this.#arena.free(this.#words[slot + 1]! * 16)
    }
  }

  #unlink(header: Int32Array): void {
    const unit = this.address / 16
    if (header[TABLE_LIST] === unit) {
      header[TABLE_LIST] = this.#words[NEXT]!
      return
    }
    for (let table = header[TABLE_LIST]!; table !== 0; table = header[table * 4 + NEXT]!) {
      if (header[table * 4 + NEXT] !== unit) continue
      header[table * 4 + NEXT] = this.#words[NEXT]!
      return
    }
  }
}

/** Drops the sections of the segment that was not used for longest; false when every segment with sections is pinned. */
export function dropLeastUsed(arena: Arena): boolean {
  const refused = new Set<number>()
  for (;;) {
    const unit = arena.exclusive((header) => leastUsed(header, refused))
    if (unit === 0) return false
    if (SectionTable.attach(arena, unit * 16).drop()) return true
    refused.add(unit)
  }
}

/** `header` is the arena as words, so tables can be read in place. */
function leastUsed(header: Int32Array, refused: ReadonlySet<number>): number {
  let best = 0
  for (let table = header[TABLE_LIST]!; table !== 0; table = header[table * 4 + NEXT]!) {
    const at = table * 4
    if (header[at + PINS] !== 0 || refused.has(table) || !hasLoaded(header, at)) continue
    if (best === 0 || header[at + LAST_USE]! < header[best * 4 + LAST_USE]!) best = table
  }
  return best
}

function hasLoaded(header: Int32Array, at: number): boolean {
  const end = at + FIRST_SLOT + header[at + SECTIONS]! * 2
  for (let slot = at + FIRST_SLOT; slot < end; slot += 2) if (header[slot] === LOADED) return true
  return false
}
