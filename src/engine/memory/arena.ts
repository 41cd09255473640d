/**
 * Memory that every thread of the process sees: a shared `WebAssembly.Memory` with a small allocator.
 *
 * Segment sections are stored here while they are in use. It is WebAssembly memory so that kernels and JavaScript read
 * the same bytes, and shared so that all threads together load a section once. Addresses are byte offsets (multiples of
 * 16) and are the same in every thread.
 *
 * There are two kinds of blocks. Large blocks are runs of 64 kB pages: a word per page states whether it is free, so
 * adjacent free pages serve a larger block without merging. Small blocks are cut from single pages, one page per size
 * class (a quarter of a power of two apart), and are kept in a list per class when freed.
 *
 * A thread may end at any moment, even while it holds the lock or loads a section. Everything held therefore carries
 * the number of its owner, and a waiting thread checks whether the owner still runs. Steps are ordered so that the end
 * of a thread between two of them loses at most one block.
 */
import { existsSync, readlinkSync } from 'node:fs'
import { ASSERTIONS } from '../../base/assert.ts'
import { poison } from '../../base/memory/poison.ts'

const PAGE_BYTES = 65536
const PAGES_MAX = 65536
const UNIT_BYTES = 16
/** Blocks up to this size are cut from pages. */
const SMALL_BYTES = 32 * 1024
const CLASS_COUNT = 44

// Header words.
const LOCK = 0
const USED_UNITS = 1
/** Pages that were ever allocated; the pages after them are untouched. */
const PAGES_USED = 2
/** Where the last search for free pages ended. */
const PAGE_HINT = 3
/** For the owner of the arena: the head of the list of section tables. */
export const TABLE_LIST = 4
/** As above: how many section tables were created. */
export const TABLES_CREATED = 5
const FREE_LISTS = 16
/** Per owner: the system's id of its thread, 0 if unknown. */
const THREADS = 64
/** Owners are numbered from 1 to this. */
export const OWNERS_MAX = 127
const PAGE_MAP = THREADS + OWNERS_MAX + 1

// Values in the page map: free, inside a run, a page of small blocks; a positive number is the length of a run.
const FREE = 0
const INSIDE = -1
const SMALL = -2

/** The arena is full: everything in it is in use. */
export class ArenaFullError extends Error {
  /** The requested size. */
  readonly bytes: number

  constructor(bytes: number, limitBytes: number) {
    super(`cannot load ${bytes} bytes: the memory budget of ${limitBytes} bytes is in use`)
    this.name = 'ArenaFullError'
    this.bytes = bytes
  }
}

export class Arena {
  readonly memory: WebAssembly.Memory
  readonly limitBytes: number
  /** The number of this thread. */
  readonly owner: number
  readonly #pagesMax: number
  #buffer: ArrayBufferLike
  #words: Int32Array

  private constructor(memory: WebAssembly.Memory, limitBytes: number, owner: number) {
    this.memory = memory
    this.limitBytes = limitBytes
    this.owner = owner
    this.#pagesMax = limitBytes / PAGE_BYTES
    this.#buffer = memory.buffer
    this.#words = new Int32Array(this.#buffer)
    Atomics.store(this.#words, THREADS + owner, threadNumber())
  }

  static create(limitBytes: number): Arena {
    const pages = Math.min(PAGES_MAX, Math.max(32, Math.ceil(limitBytes / PAGE_BYTES)))
    const headerPages = Math.ceil(((PAGE_MAP + pages) * 4) / PAGE_BYTES)
    const memory = new WebAssembly.Memory({ initial: headerPages + 8, maximum: pages, shared: true })
    const arena = new Arena(memory, pages * PAGE_BYTES, FIRST_OWNER)
    arena.#words.fill(INSIDE, PAGE_MAP, PAGE_MAP + headerPages)
    arena.#words[PAGES_USED] = headerPages
    arena.#words[PAGE_HINT] = headerPages
    return arena
  }

  /** Attaches another thread to the arena: `memory` is sent by postMessage, with a number that no other thread has. */
  static attach(memory: WebAssembly.Memory, limitBytes: number, owner: number): Arena {
    return new Arena(memory, limitBytes, owner)
  }

  /** Whether the thread with this number has ended. If the system cannot tell, no thread counts as dead. */
  isDead(owner: number): boolean {
    const thread = Atomics.load(this.#words, THREADS + owner)
    return thread !== 0 && !existsSync(`/proc/self/task/${thread}`)
  }

  /** Releases the lock if an ended thread held it. The caller handles the sections it loaded and pinned. */
  releaseLockOf(owner: number): void {
    if (Atomics.compareExchange(this.#words, LOCK, owner, 0) === owner) Atomics.notify(this.#words, LOCK)
  }

  get usedBytes(): number {
    return Atomics.load(this.#words, USED_UNITS) * UNIT_BYTES
  }

  /** Allocates a block with undefined contents. Throws ArenaFullError if the budget is exhausted. */
  allocate(bytes: number): number {
    return this.exclusive((words) => {
      const small = bytes + UNIT_BYTES <= SMALL_BYTES
      const address = small ? this.#takeSmall(bytes) : this.#takePages(Math.ceil(bytes / PAGE_BYTES), bytes)
      Atomics.add(words, USED_UNITS, this.#unitsAt(address))
      return address
    })
  }

  free(address: number): void {
    this.exclusive((words) => {
      if (ASSERTIONS) this.#poison(address)
      Atomics.sub(words, USED_UNITS, this.#unitsAt(address))
      const page = PAGE_MAP + Math.floor(address / PAGE_BYTES)
      if (words[page] === SMALL) {
        const unit = address / UNIT_BYTES - 1
        const list = FREE_LISTS + words[unit * 4]!
        words[unit * 4 + 1] = words[list]!
        words[list] = unit
      } else words.fill(FREE, page, page + words[page]!)
    })
  }

  /** Runs `work` while no other thread changes the arena. Must not be nested. */
  exclusive<T>(work: (words: Int32Array) => T): T {
    for (let waited = 1; ; waited++) {
      const holder = Atomics.compareExchange(this.#words, LOCK, 0, this.owner)
      if (holder === 0) break
      Atomics.wait(this.#words, LOCK, holder, 1)
      if (waited % TURNS_PER_LOOK === 0 && this.isDead(holder)) this.releaseLockOf(holder)
    }
    try {
      this.#reach(this.#words[PAGES_USED]! * PAGE_BYTES)
      return work(this.#words)
    } finally {
      Atomics.store(this.#words, LOCK, 0)
      Atomics.notify(this.#words, LOCK, 1)
    }
  }

  bytes(address: number, length: number): Uint8Array {
    this.#reach(address + length)
    return new Uint8Array(this.#buffer, address, length)
  }

  int32(address: number, length: number): Int32Array {
    this.#reach(address + length * 4)
    return new Int32Array(this.#buffer, address, length)
  }

  /** Another thread may have grown the memory: refreshes the views if an address is beyond the known end. */
  #reach(end: number): void {
    if (end <= this.#buffer.byteLength) return
    this.#buffer = this.memory.buffer
    this.#words = new Int32Array(this.#buffer)
  }

  /** The payload of a block: readers that hold no pin read the pattern. */
  #poison(address: number): void {
    const isSmall = this.#words[PAGE_MAP + Math.floor(address / PAGE_BYTES)] === SMALL
    const bytes = (this.#unitsAt(address) - (isSmall ? 1 : 0)) * UNIT_BYTES
    poison(new Uint8Array(this.#buffer, address, bytes))
  }

  #unitsAt(address: number): number {
    const run = this.#words[PAGE_MAP + Math.floor(address / PAGE_BYTES)]!
    return run === SMALL ? unitsOf(this.#words[address / 4 - 4]!) : (run * PAGE_BYTES) / UNIT_BYTES
  }

  #takeSmall(bytes: number): number {
    const sizeClass = classOf(Math.ceil(bytes / UNIT_BYTES) + 1)
    if (this.#words[FREE_LISTS + sizeClass] === 0) this.#cutPage(sizeClass, bytes)
    const unit = this.#words[FREE_LISTS + sizeClass]!
    this.#words[FREE_LISTS + sizeClass] = this.#words[unit * 4 + 1]!
    return (unit + 1) * UNIT_BYTES
  }

  /** Divides a page into free blocks of one class. A block is a 16-byte header (its class) and the payload. */
  #cutPage(sizeClass: number, bytes: number): void {
    const address = this.#takePages(1, bytes)
    const words = this.#words
    words[PAGE_MAP + address / PAGE_BYTES] = SMALL
    const units = unitsOf(sizeClass)
    const first = address / UNIT_BYTES
    for (let unit = first; unit + units <= first + PAGE_BYTES / UNIT_BYTES; unit += units) {
      words[unit * 4] = sizeClass
      words[unit * 4 + 1] = words[FREE_LISTS + sizeClass]!
      words[FREE_LISTS + sizeClass] = unit
    }
  }

  #takePages(count: number, bytes: number): number {
    const used = this.#words[PAGES_USED]!
    const hint = this.#words[PAGE_HINT]!
    let page = this.#findFree(hint, used, count)
    if (page < 0) page = this.#findFree(0, Math.min(used, hint + count), count)
    if (page < 0) page = this.#extend(count, bytes)
    this.#words.fill(INSIDE, PAGE_MAP + page + 1, PAGE_MAP + page + count)
    this.#words[PAGE_MAP + page] = count
    this.#words[PAGE_HINT] = page + count
    return page * PAGE_BYTES
  }

  /** The first run of `count` free pages in [from, to), or -1. */
  #findFree(from: number, to: number, count: number): number {
    let start = from
    for (let page = from; page < to; page++) {
      if (this.#words[PAGE_MAP + page] !== FREE) start = page + 1
      else if (page + 1 - start === count) return start
    }
    return -1
  }

  /** Takes unused pages at the end, together with free ones before them. */
  #extend(count: number, bytes: number): number {
    const used = this.#words[PAGES_USED]!
    let page = used
    while (this.#words[PAGE_MAP + page - 1] === FREE) page--
    const end = page + count
    if (end > this.#pagesMax) throw new ArenaFullError(bytes, this.limitBytes)
    const present = this.memory.buffer.byteLength / PAGE_BYTES
    if (end > present) this.memory.grow(Math.min(this.#pagesMax - present, Math.max(end - present, 64)))
    this.#words[PAGES_USED] = Math.max(used, end)
    this.#reach(end * PAGE_BYTES)
    return page
  }
}

/** The thread that created the arena. */
export const FIRST_OWNER = 1
/** The lock is held for microseconds: after this many milliseconds a waiting thread checks the holder. */
const TURNS_PER_LOOK = 20

/** The system's id of this thread; 0 if unknown. */
function threadNumber(): number {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1))
  } catch {
    return 0
  }
}

/** The smallest class that holds `units`. Classes 4k..4k+3 hold 4·2^k … 7·2^k units. */
function classOf(units: number): number {
  if (units <= 4) return 0
  const power = 31 - Math.clz32(units - 1)
  const step = 2 ** (power - 2)
  return (power - 2) * 4 + Math.ceil(units / step) - 4
}

function unitsOf(sizeClass: number): number {
  return (4 + (sizeClass & 3)) * 2 ** (sizeClass >> 2)
}

/** Checked in tests: size classes fit their lists in the header. */
export const arenaLayout = { classesNeeded: classOf(SMALL_BYTES / UNIT_BYTES) + 1, classesReserved: CLASS_COUNT }
