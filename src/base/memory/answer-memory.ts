/**
 * A pool of buffers for long responses. A buffer is reused as soon as its response is sent. Without the pool, a client
 * that pages through an index would leave megabytes of garbage per page and trigger a collection each time.
 *
 * A response may be built in one thread and sent by another. Its buffer returns to the owner after sending.
 *
 * The buffers are shared memory: V8 counts other array buffers as part of the heap of the thread that has them, so that every second
 * page of ten megabytes would make the main thread mark its whole heap. It does not count shared memory, so a new buffer is noted as
 * the garbage that it will be.
 */
import { Buffer } from 'node:buffer'
import { KeptBuffers } from './kept-buffers.ts'
import { noteGarbage } from './process-memory.ts'

/** Smaller responses are not worth pooling, and larger ones are too rare. */
const KEPT_BYTES_MIN = 256 * 1024
const KEPT_BYTES_MAX = 16 * 1024 * 1024
const KEPT_COUNT = 2
/** Page sizes vary a little: a buffer up to this much larger than requested may be reused. */
const SPARE = 1.25

type GiveBack = (memory: SharedArrayBuffer) => void

const owners = new WeakMap<ArrayBufferLike, GiveBack>()
const kept = new KeptBuffers<SharedArrayBuffer>(KEPT_COUNT)

/** Returns a buffer of at least `bytes` bytes. Its contents are undefined. */
export function takeAnswerMemory(bytes: number): Buffer {
  const memory = kept.take(bytes)
  if (memory !== undefined) return lend(memory)
  if (bytes < KEPT_BYTES_MIN || bytes > KEPT_BYTES_MAX) return Buffer.allocUnsafeSlow(bytes)
  const size = Math.ceil(bytes * SPARE)
  noteGarbage(size)
  return lend(new SharedArrayBuffer(size))
}

function lend(memory: SharedArrayBuffer): Buffer {
  owners.set(memory, keepAnswerMemory)
  return Buffer.from(memory)
}

/** Registers the callback that returns this response's buffer to its owner. */
export function answerMemoryOf({ buffer }: Uint8Array, giveBack: GiveBack): void {
  if (buffer instanceof SharedArrayBuffer) owners.set(buffer, giveBack)
}

/** Whether the response's buffer has an owner to return to. */
export function isLentMemory({ buffer }: Uint8Array): boolean {
  return buffer instanceof SharedArrayBuffer && owners.has(buffer)
}

/** Returns the buffer of a response that nobody reads any more. A buffer without an owner is ignored. */
export function giveBackAnswerMemory({ buffer }: Uint8Array): void {
  const owner = owners.get(buffer)
  owners.delete(buffer)
  owner?.(buffer as SharedArrayBuffer)
}

/** Adds a buffer to the pool. */
export function keepAnswerMemory(memory: SharedArrayBuffer): void {
  kept.keep(memory)
}
