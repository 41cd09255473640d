/**
 * A pool of memory for the lists of buffered documents. It is shared memory, so that another thread can write the
 * segment. It is reused for the next buffer and not left to the garbage collector, which large buffers would keep busy.
 *
 * Sizes are powers of two. Memory is not cleared.
 */
import { ASSERTIONS, assert } from '../../../base/assert.ts'
import { assertPoisoned, poison } from '../../../base/memory/poison.ts'
import { plannedMemory } from '../../../base/memory/process-memory.ts'

const CLASS_COUNT = 32
const SMALLEST_CLASS = 8
const KEPT_BYTES_MAX = 96 * 1024 * 1024
/** Maximum memory kept for later; a small process keeps less. */
const keptBytesMax = () => Math.min(KEPT_BYTES_MAX, plannedMemory().indexBufferBytes)
/** After this time without buffered documents, the memory is returned to the system. */
const IDLE_MS = 30_000

export class ListMemory {
  readonly #free: SharedArrayBuffer[][] = Array.from({ length: CLASS_COUNT }, () => [])
  #keptBytes = 0
  #takenLately = false
  #timer: NodeJS.Timeout | undefined
  readonly #keptBytesMax: () => number

  constructor(most = keptBytesMax) {
    this.#keptBytesMax = most
  }

  /** A piece of memory with at least this many bytes. */
  take(bytes: number): SharedArrayBuffer {
    const sizeClass = Math.max(SMALLEST_CLASS, 32 - Math.clz32(bytes - 1))
    this.#takenLately = true
    const kept = this.#free[sizeClass]!.pop()
    if (kept === undefined) return new SharedArrayBuffer(2 ** sizeClass)
    if (ASSERTIONS) assertPoisoned(kept, 'memory of a list')
    this.#keptBytes -= kept.byteLength
    return kept
  }

  /** Returns memory obtained from `take`. The caller must not use it any more. */
  give(memory: SharedArrayBuffer): void {
    poison(memory)
    if (this.#keptBytes + memory.byteLength > this.#keptBytesMax()) return
    this.#keptBytes += memory.byteLength
    const free = this.#free[31 - Math.clz32(memory.byteLength)]!
    if (ASSERTIONS) assert(!free.includes(memory), 'the memory of a list is given back once')
    free.push(memory)
    this.#timer ??= setInterval(() => this.#forgetWhenIdle(), IDLE_MS).unref()
  }

  #forgetWhenIdle(): void {
    if (this.#takenLately) {
      this.#takenLately = false
      return
    }
    for (const kept of this.#free) kept.length = 0
    this.#keptBytes = 0
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}

/** Shared by the write buffers of a thread. */
export const threadListMemory = new ListMemory()
