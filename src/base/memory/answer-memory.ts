/**
 * A pool of buffers for long responses. A buffer is reused as soon as its response is sent. Without the pool, a client
 * that pages through an index would leave megabytes of garbage per page and trigger a collection each time.
 *
 * The main thread sends all responses. Its own buffers are ordinary memory, because V8 copies into shared memory at a third of the
 * speed. Other threads build their responses in shared memory and get it back after sending. Ordinary memory would be transferred, and
 * V8 counts each arrival as growth of the heap: every second page of ten megabytes would make the main thread mark its whole heap. V8
 * does not count shared memory, so a new shared buffer is noted as the garbage that it will be.
 */
import { Buffer } from 'node:buffer'
import { isMainThread } from 'node:worker_threads'
import { KeptBuffers } from './kept-buffers.ts'
import { noteGarbage } from './process-memory.ts'

/** Smaller responses are not worth pooling, and larger ones are too rare. */
const KEPT_BYTES_MIN = 256 * 1024
const KEPT_BYTES_MAX = 16 * 1024 * 1024
const KEPT_COUNT = 2
/** Page sizes vary a little: a buffer up to this much larger than requested may be reused. */
const SPARE = 1.25

type GiveBack = (memory: ArrayBufferLike) => void

const owners = new WeakMap<ArrayBufferLike, GiveBack>()
const kept = new KeptBuffers<ArrayBufferLike>(KEPT_COUNT)

/** Returns a buffer of at least `bytes` bytes. Its contents are undefined. */
export function takeAnswerMemory(bytes: number): Buffer {
  const memory = kept.take(bytes)
  if (memory !== undefined) return lend(memory)
  if (bytes < KEPT_BYTES_MIN || bytes > KEPT_BYTES_MAX) return Buffer.allocUnsafeSlow(bytes)
  const size = Math.ceil(bytes * SPARE)
  if (isMainThread) return lend(Buffer.allocUnsafeSlow(size).buffer)
  noteGarbage(size)
  return lend(new SharedArrayBuffer(size))
}

function lend(memory: ArrayBufferLike): Buffer {
  owners.set(memory, keepAnswerMemory)
  return Buffer.from(memory)
}

/** Registers the callback that returns the shared buffer of a response to the thread that owns it. */
export function answerMemoryOf({ buffer }: Uint8Array, giveBack: (memory: SharedArrayBuffer) => void): void {
  if (buffer instanceof SharedArrayBuffer) owners.set(buffer, () => giveBack(buffer))
}

/** Whether the response's buffer has an owner to return to. */
export function isLentMemory({ buffer }: Uint8Array): boolean {
  return buffer.byteLength >= KEPT_BYTES_MIN && owners.has(buffer)
}

/** Returns the buffer of a response that nobody reads any more. A buffer without an owner is ignored. */
export function giveBackAnswerMemory({ buffer }: Uint8Array): void {
  const owner = owners.get(buffer)
  owners.delete(buffer)
  owner?.(buffer)
}

/** Adds a buffer to the pool. */
export function keepAnswerMemory(memory: ArrayBufferLike): void {
  kept.keep(memory)
}
