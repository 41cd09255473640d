/**
 * Memory of long answers, which is used again when an answer is sent. Somebody who reads an index page after page would
 * otherwise leave megabytes behind with every page, and the collector would run for each of them.
 *
 * An answer may be made in one thread and sent by another: its memory changes hands with it, and goes back when it is sent.
 */
import { Buffer } from 'node:buffer'

/** Shorter answers are not worth keeping memory for, and longer ones are too rare. */
const KEPT_BYTES_MIN = 256 * 1024
const KEPT_BYTES_MAX = 16 * 1024 * 1024
const KEPT_COUNT = 2
/** Sizes of pages differ a little: this much longer may serve the next one too. */
const SPARE = 1.25
/** Limit of memory kept for later answers. */
const IDLE_MS = 10_000

type GiveBack = (memory: ArrayBuffer) => void

const owners = new WeakMap<ArrayBufferLike, GiveBack>()
const kept: ArrayBuffer[] = []
let release: NodeJS.Timeout | undefined

/** At least `bytes` long; the contents are whatever they were. */
export function takeAnswerMemory(bytes: number): Buffer {
  const fits = kept.findIndex((memory) => memory.byteLength >= bytes)
  if (fits >= 0) return lend(kept.splice(fits, 1)[0]!)
  if (bytes < KEPT_BYTES_MIN || bytes > KEPT_BYTES_MAX) return Buffer.allocUnsafeSlow(bytes)
  return lend(Buffer.allocUnsafeSlow(Math.ceil(bytes * SPARE)).buffer)
}

function lend(memory: ArrayBuffer): Buffer {
  owners.set(memory, keepAnswerMemory)
  return Buffer.from(memory)
}

/** Registers where the memory of an answer is to be returned. */
export function answerMemoryOf({ buffer }: Uint8Array, giveBack: GiveBack): void {
  if (buffer.byteLength >= KEPT_BYTES_MIN) owners.set(buffer, giveBack)
}

/** Whether the memory of the answer has an owner to return to. */
export function isLentMemory({ buffer }: Uint8Array): boolean {
  return buffer.byteLength >= KEPT_BYTES_MIN && owners.has(buffer)
}

/** For an answer that nobody reads any more. Memory without an owner is left alone. */
export function giveBackAnswerMemory({ buffer }: Uint8Array): void {
  const owner = owners.get(buffer)
  owners.delete(buffer)
  owner?.(buffer as ArrayBuffer)
}

/** Takes memory that answers may be made in. */
export function keepAnswerMemory(memory: ArrayBuffer): void {
  // The most recently returned memory has the size of current pages.
  kept.unshift(memory)
  kept.length = Math.min(kept.length, KEPT_COUNT)
  clearTimeout(release)
  release = setTimeout(() => kept.splice(0), IDLE_MS).unref()
}
