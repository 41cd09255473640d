/**
 * Memory of lists that grow while documents are buffered: shared, so that another thread can write the segment, and taken
 * again for the next buffer instead of being left to the garbage collector, which large buffers keep busy.
 *
 * Sizes are powers of two. What comes out holds whatever its last user left there.
 */
import { plannedMemory } from '../../../base/memory/process-memory.ts'

const CLASS_COUNT = 32
const SMALLEST_CLASS = 8
/** More than this is not kept for later, in a small process still less. */
const KEPT_BYTES_MAX = 96 * 1024 * 1024
/** After this long without buffered documents, the memory goes back to the system. */
const IDLE_MS = 30_000

export class ListMemory {
  readonly #free: SharedArrayBuffer[][] = Array.from({ length: CLASS_COUNT }, () => [])
  #keptBytes = 0
  #takenLately = false
  #timer: NodeJS.Timeout | undefined

  /** A piece of memory with at least this many bytes. */
  take(bytes: number): SharedArrayBuffer {
    const sizeClass = Math.max(SMALLEST_CLASS, 32 - Math.clz32(bytes - 1))
    this.#takenLately = true
    const kept = this.#free[sizeClass]!.pop()
    if (kept === undefined) return new SharedArrayBuffer(2 ** sizeClass)
    this.#keptBytes -= kept.byteLength
    return kept
  }

  /** Gives back what `take` returned. The caller must not use it any more. */
  give(memory: SharedArrayBuffer): void {
    if (this.#keptBytes + memory.byteLength > Math.min(KEPT_BYTES_MAX, plannedMemory().indexBufferBytes)) return
    this.#keptBytes += memory.byteLength
    this.#free[31 - Math.clz32(memory.byteLength)]!.push(memory)
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

/** The write buffers of a thread share one. */
export const threadListMemory = new ListMemory()
