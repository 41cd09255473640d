/**
 * One block of memory that every thread of the process sees: a shared `WebAssembly.Memory` with a small allocator.
 *
 * Segment sections live here while they are in use. It is WebAssembly memory so that kernels read the same bytes as
 * JavaScript, and shared so that a searcher, the writer and the main thread load a section once between them.
 * Addresses are byte offsets (multiples of 16); they mean the same in every thread.
 *
 * Layout: a header of 32-bit words, then blocks. A block is 16 bytes of header (its size class) and its payload.
 * Free blocks of one size class form a list; classes are a quarter of a power of two apart, so a block wastes at most
 * a fifth. Blocks are never split or joined: sections come in few sizes and go in whole segments.
 */

const PAGE_BYTES = 65536
const UNIT_BYTES = 16
const CLASS_COUNT = 112

// Header words.
const LOCK = 0
const NEXT_FREE_UNIT = 1
const USED_UNITS = 2
const FREE_LISTS = 16
const HEADER_UNITS = Math.ceil(((FREE_LISTS + CLASS_COUNT) * 4) / UNIT_BYTES)

/** The arena is full: everything in it is in use. */
export class ArenaFullError extends Error {
  constructor(bytes: number, limitBytes: number) {
    super(`cannot load ${bytes} bytes: the memory budget of ${limitBytes} bytes is in use`)
    this.name = 'ArenaFullError'
  }
}

export class Arena {
  readonly memory: WebAssembly.Memory
  readonly limitBytes: number
  #buffer: ArrayBufferLike
  #words: Int32Array

  private constructor(memory: WebAssembly.Memory, limitBytes: number) {
    this.memory = memory
    this.limitBytes = limitBytes
    this.#buffer = memory.buffer
    this.#words = new Int32Array(this.#buffer)
  }

  static create(limitBytes: number): Arena {
    const pages = Math.min(65536, Math.max(16, Math.ceil(limitBytes / PAGE_BYTES)))
    const memory = new WebAssembly.Memory({ initial: 16, maximum: pages, shared: true })
    const arena = new Arena(memory, pages * PAGE_BYTES)
    arena.#words[NEXT_FREE_UNIT] = HEADER_UNITS
    return arena
  }

  /** The same arena in another thread: `memory` travels by postMessage. */
  static attach(memory: WebAssembly.Memory, limitBytes: number): Arena {
    return new Arena(memory, limitBytes)
  }

  get usedBytes(): number {
    return Atomics.load(this.#words, USED_UNITS) * UNIT_BYTES
  }

  /** Reserves a block; its contents are undefined. Throws ArenaFullError when the budget is used up. */
  allocate(bytes: number): number {
    const sizeClass = classOf(Math.ceil(bytes / UNIT_BYTES) + 1)
    this.#lock()
    try {
      const unit = this.#takeFree(sizeClass) ?? this.#takeNew(sizeClass, bytes)
      this.#words[unit * 4] = sizeClass
      Atomics.add(this.#words, USED_UNITS, unitsOf(sizeClass))
      return (unit + 1) * UNIT_BYTES
    } finally {
      this.#unlock()
    }
  }

  free(address: number): void {
    const unit = address / UNIT_BYTES - 1
    this.#lock()
    this.#reach(address)
    const sizeClass = this.#words[unit * 4]!
    this.#words[unit * 4 + 1] = this.#words[FREE_LISTS + sizeClass]!
    this.#words[FREE_LISTS + sizeClass] = unit
    Atomics.sub(this.#words, USED_UNITS, unitsOf(sizeClass))
    this.#unlock()
  }

  bytes(address: number, length: number): Uint8Array {
    this.#reach(address + length)
    return new Uint8Array(this.#buffer, address, length)
  }

  int32(address: number, length: number): Int32Array {
    this.#reach(address + length * 4)
    return new Int32Array(this.#buffer, address, length)
  }

  /** Another thread may have grown the memory: look at it anew when an address lies beyond what this thread knows. */
  #reach(end: number): void {
    if (end <= this.#buffer.byteLength) return
    this.#buffer = this.memory.buffer
    this.#words = new Int32Array(this.#buffer)
  }

  #takeFree(sizeClass: number): number | undefined {
    const unit = this.#words[FREE_LISTS + sizeClass]!
    if (unit === 0) return undefined
    this.#reach((unit + 1) * UNIT_BYTES)
    this.#words[FREE_LISTS + sizeClass] = this.#words[unit * 4 + 1]!
    return unit
  }

  #takeNew(sizeClass: number, bytes: number): number {
    const unit = this.#words[NEXT_FREE_UNIT]!
    const end = (unit + unitsOf(sizeClass)) * UNIT_BYTES
    if (end > this.limitBytes) {
      // A block of a larger class wastes space but beats a refusal.
      for (let larger = sizeClass + 1; larger < Math.min(CLASS_COUNT, sizeClass + 8); larger++) {
        const free = this.#takeFree(larger)
        if (free !== undefined) return free
      }
      throw new ArenaFullError(bytes, this.limitBytes)
    }
    if (end > this.memory.buffer.byteLength) {
      const pagesMissing = Math.ceil((end - this.memory.buffer.byteLength) / PAGE_BYTES)
      const pagesLeft = this.limitBytes / PAGE_BYTES - this.memory.buffer.byteLength / PAGE_BYTES
      this.memory.grow(Math.min(pagesLeft, Math.max(pagesMissing, 64)))
    }
    this.#reach(end)
    this.#words[NEXT_FREE_UNIT] = unit + unitsOf(sizeClass)
    return unit
  }

  #lock(): void {
    while (Atomics.compareExchange(this.#words, LOCK, 0, 1) !== 0) Atomics.wait(this.#words, LOCK, 1, 1)
  }

  #unlock(): void {
    Atomics.store(this.#words, LOCK, 0)
    Atomics.notify(this.#words, LOCK, 1)
  }
}

/** The smallest class that holds `units`. Classes 4k..4k+3 hold 4·2^k … 7·2^k units. */
function classOf(units: number): number {
  if (units <= 4) return 0
  const power = 31 - Math.clz32(units - 1)
  const step = 2 ** (power - 2)
  const quarter = Math.ceil(units / step) - 4
  return (power - 2) * 4 + quarter
}

function unitsOf(sizeClass: number): number {
  return (4 + (sizeClass & 3)) * 2 ** (sizeClass >> 2)
}
