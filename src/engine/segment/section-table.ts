/**
 * The shared state of a segment's sections: a table in the arena.
 *
 *   pins          readers that must not lose the sections; negative while they are being dropped
 *   last use      seconds since 1970
 *   epoch         counts how often the sections were dropped: views made under another count are stale
 *   next table    all tables form a list, so that any thread can drop unused sections
 *   serial        the number of the table, since the memory of a freed one is used again
 *   per owner     pins of that thread
 *   per section   state (or, negative, the thread that loads it), address / 16
 */
import { type Arena, OWNERS_MAX, TABLE_LIST, TABLES_CREATED } from '../memory/arena.ts'

const PINS = 0
const LAST_USE = 1
const EPOCH = 2
const NEXT = 3
const SECTIONS = 4
/** Taken while the drop of an ended thread is finished. */
const DROPS_ENDED = 5
const SERIAL = 6
/** Threads with higher numbers are rare: their pins stay in memory until the segment is deleted. */
const COUNTED_OWNERS = 8
const OWN_PINS = 8
const FIRST_SLOT = OWN_PINS + COUNTED_OWNERS

const ABSENT = 0
const LOADED = 2
/** Added to the pins while sections are dropped, with the number of the dropping thread times a stride. */
const DROPPING = -0x40000000
const DROPPER_STRIDE = 0x10000
/** How long to wait before checking whether the other thread still runs. */
const LOOK_MS = 50

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
      table.#words[SERIAL] = ++header[TABLES_CREATED]!
      header[TABLE_LIST] = table.address / 16
    })
    return table
  }

  static attach(arena: Arena, address: number): SectionTable {
    return new SectionTable(arena, address, arena.int32(address, FIRST_SLOT)[SECTIONS]!)
  }

  /** No other table of the arena has this number. */
  get serial(): number {
    return this.#words[SERIAL]!
  }

  get epoch(): number {
    return Atomics.load(this.#words, EPOCH)
  }

  /** Keeps the sections in memory until `unpin`. */
  pin(): void {
    for (let waited = 1; Atomics.add(this.#words, PINS, 1) < 0; waited++) {
      this.#assertNotFreed(Atomics.sub(this.#words, PINS, 1))
      Atomics.wait(this.#words, PINS, Atomics.load(this.#words, PINS), 1)
      if (waited % LOOK_MS === 0) this.#endDeadDrop()
    }
    this.#countPins(1)
    this.#words[LAST_USE] = Math.floor(Date.now() / 1000)
  }

  unpin(): void {
    this.#countPins(-1)
    Atomics.sub(this.#words, PINS, 1)
  }

  /** Only this thread writes its own count. */
  #countPins(by: number): void {
    const { owner } = this.#arena
    if (owner < COUNTED_OWNERS) this.#words[OWN_PINS + owner]! += by
  }

  /** The address of a section, or -1 if this thread now has to load it (`publish` or `giveUp` follows). */
  claim(section: number): number {
    const slot = FIRST_SLOT + section * 2
    for (;;) {
      const state = Atomics.load(this.#words, slot)
      if (state === LOADED) return this.#words[slot + 1]! * 16
      // A thread that ended while loading the section has published nothing, so this one starts over.
      const isFree = state === ABSENT || (state < 0 && this.#hasEnded(slot, state))
      if (isFree && Atomics.compareExchange(this.#words, slot, state, -this.#arena.owner) === state) return -1
    }
  }

  /** Waits briefly for the thread that loads a section. */
  #hasEnded(slot: number, state: number): boolean {
    return Atomics.wait(this.#words, slot, state, LOOK_MS) === 'timed-out' && this.#arena.isDead(-state)
  }

  publish(section: number, address: number): void {
    this.#words[FIRST_SLOT + section * 2 + 1] = address / 16
    this.#settle(section, LOADED)
  }

  giveUp(section: number): void {
    this.#settle(section, ABSENT)
  }

  /** Drops the sections unless they are pinned; returns whether it did. */
  drop(): boolean {
    const dropping = this.#dropping(this.#arena.owner)
    if (Atomics.compareExchange(this.#words, PINS, 0, dropping) !== 0) return false
    this.#freeSections()
    this.#endDrop(dropping)
    return true
  }

  /** A thread has ended: its pins are released, and other threads load what it was loading. */
  releaseOwner(owner: number): void {
    if (owner < COUNTED_OWNERS) Atomics.sub(this.#words, PINS, Atomics.exchange(this.#words, OWN_PINS + owner, 0))
    for (let slot = FIRST_SLOT; slot < this.#words.length; slot += 2) {
      if (Atomics.compareExchange(this.#words, slot, -owner, ABSENT) === -owner) Atomics.notify(this.#words, slot)
    }
  }

  /** Finishes the drop of a thread that ended in the middle of it. */
  endDropOf(owner: number): void {
    this.#endDeadDrop(owner)
  }

  #dropping(owner: number): number {
    return DROPPING - owner * DROPPER_STRIDE
  }

  #endDrop(dropping: number): void {
    Atomics.sub(this.#words, PINS, dropping)
    Atomics.notify(this.#words, PINS)
  }

  /** Finishes an interrupted drop: sections that still exist are freed. */
  #endDeadDrop(ended?: number): void {
    const pins = Atomics.load(this.#words, PINS)
    if (pins >= 0) return
    const dropper = droppedBy(pins)
    if (ended === undefined ? !this.#arena.isDead(dropper) : dropper !== ended) return
    // Of several threads that notice, one does it.
    if (Atomics.compareExchange(this.#words, DROPS_ENDED, 0, 1) !== 0) return
    this.#freeSections()
    this.#endDrop(this.#dropping(dropper))
    Atomics.store(this.#words, DROPS_ENDED, 0)
  }

  /** Frees everything, including the table. The caller guarantees that no reader is left. */
  free(): void {
    // Another thread may be dropping the sections at this moment.
    const dropping = this.#dropping(this.#arena.owner)
    for (let waited = 1; ; waited++) {
      const pins = Atomics.compareExchange(this.#words, PINS, 0, dropping)
      if (pins >= 0) break
      this.#assertNotFreed(pins)
      Atomics.wait(this.#words, PINS, pins, 1)
      if (waited % LOOK_MS === 0) this.#endDeadDrop()
    }
    this.#arena.exclusive((header) => this.#unlink(header))
    this.#freeSections()
    this.#arena.free(this.address)
  }

  /**
   * A thread drops sections in one step, so it sees its own mark only in a table that it has freed. In tests it sees the pattern
   * of freed memory, which is the mark of no thread. It would wait forever.
   */
  #assertNotFreed(pins: number): void {
    const dropper = droppedBy(pins)
    if (dropper === this.#arena.owner || dropper < 1 || dropper > OWNERS_MAX)
      throw new Error('a segment is used after its memory was freed')
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

/** A thread has ended in any state: nobody waits for it any more. Its number may be reused. */
export function releaseOwner(arena: Arena, owner: number): void {
  arena.releaseLockOf(owner)
  const dropped: SectionTable[] = []
  // No table is removed meanwhile. One that is being dropped stays until the drop has ended.
  arena.exclusive((header) => {
    for (let table = header[TABLE_LIST]!; table !== 0; table = header[table * 4 + NEXT]!) {
      const found = SectionTable.attach(arena, table * 16)
      found.releaseOwner(owner)
      if (header[table * 4 + PINS]! < 0) dropped.push(found)
    }
  })
  for (const table of dropped) table.endDropOf(owner)
}

/** Drops the sections of the least recently used segment; false if every segment with sections is pinned. */
export function dropLeastUsed(arena: Arena): boolean {
  const refused = new Set<number>()
  for (;;) {
    const unit = arena.exclusive((header) => leastUsed(header, refused))
    if (unit === 0) return false
    if (SectionTable.attach(arena, unit * 16).drop()) return true
    refused.add(unit)
  }
}

/** `header` is the arena as words, so that tables can be read in place. */
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

/** The thread that drops the sections, from a negative number of pins. */
function droppedBy(pins: number): number {
  return Math.ceil((DROPPING - pins) / DROPPER_STRIDE)
}
