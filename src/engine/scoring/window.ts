/**
 * Queries are evaluated window by window: 4,096 consecutive documents at a time, as a bit and optionally a score per
 * document. A window's bits fit a few cache lines, and every inner loop runs over typed arrays without a call per
 * document.
 */
import { ensure } from '../../base/assert.ts'
import { ordinalKernel } from '../kernels/ordinal-kernel.ts'

const WINDOW_BITS = 12
export const WINDOW_SIZE = 1 << WINDOW_BITS
export const WINDOW_WORDS = WINDOW_SIZE >> 5

/** First document of the window that contains `doc`. */
export function windowBase(doc: number): number {
  return doc & ~(WINDOW_SIZE - 1)
}

export function anyBit(bits: Uint32Array): boolean {
  for (let i = 0; i < bits.length; i++) if (bits[i] !== 0) return true
  return false
}

const ALL_BITS = 0xffffffff

/** Writes the documents of a window into `docs`, in order; returns their number. */
export function bitsToDocs(bits: Uint32Array, base: number, docs: Int32Array): number {
  let count = 0
  for (let i = 0; i < WINDOW_WORDS; i++) {
    let word = bits[i]!
    if (word === ALL_BITS) {
      const first = base + (i << 5)
      do i++
      while (i < WINDOW_WORDS && bits[i] === ALL_BITS)
      const found = base + (i << 5) - first
      listRun(first, found, docs, count)
      count += found
      if (i === WINDOW_WORDS) break
      word = bits[i]!
    }
    while (word !== 0) {
      const lowest = word & -word
      docs[count++] = base + (i << 5) + (31 - Math.clz32(lowest))
      word ^= lowest
    }
  }
  return count
}

/** Shorter runs are not worth a call of the kernel. */
const KERNEL_RUN = 512

function listRun(first: number, count: number, docs: Int32Array, at: number): void {
  const kernel = count < KERNEL_RUN ? undefined : ordinalKernel(count)
  if (kernel !== undefined) kernel.enumerate(first, count, docs, at)
  else for (let i = 0; i < count; i++) docs[at + i] = first + i
}

/** Sets the bits of the documents [from, to) of a window. */
export function setRange(bits: Uint32Array, from: number, to: number): void {
  if (from >= to) return
  const first = from >> 5
  const last = (to - 1) >> 5
  const firstMask = -1 << (from & 31)
  const lastMask = -1 >>> (31 - ((to - 1) & 31))
  if (first === last) {
    bits[first] = bits[first]! | (firstMask & lastMask)
    return
  }
  bits[first] = bits[first]! | firstMask
  for (let i = first + 1; i < last; i++) bits[i] = 0xffffffff
  bits[last] = bits[last]! | lastMask
}

/** Clears the bits of a window from the document `from` on. */
export function clearFrom(bits: Uint32Array, from: number): void {
  const word = from >> 5
  if ((from & 31) !== 0) bits[word] = bits[word]! & (-1 >>> (32 - (from & 31)))
  bits.fill(0, (from + 31) >> 5)
}

/**
 * Scratch windows. Evaluation nests like a stack (a clause returns before its sibling starts), so a search needs as
 * many windows as its query is deep, and not one per clause and segment.
 */
export interface Scratch {
  readonly bits: Uint32Array
  readonly scores: Float32Array
  readonly sums: Float64Array
  readonly docs: Int32Array
  readonly freqs: Int32Array
}

const pool: Scratch[] = []

/** A scratch window with cleared bits; the rest is undefined. */
export function takeScratch(): Scratch {
  const scratch = pool.pop()
  if (scratch === undefined) {
    return {
      bits: new Uint32Array(WINDOW_WORDS),
      scores: new Float32Array(WINDOW_SIZE),
      sums: new Float64Array(WINDOW_SIZE),
      docs: new Int32Array(WINDOW_SIZE),
      freqs: new Int32Array(WINDOW_SIZE),
    }
  }
  scratch.bits.fill(0)
  return scratch
}

export function releaseScratch(scratch: Scratch): void {
  ensure(!pool.includes(scratch), 'a scratch window is returned once')
  if (pool.length < 16) pool.push(scratch)
}
