/**
 * A pool of buffers for long responses. A buffer is reused as soon as its response is sent. Without the pool, a client
 * that pages through an index would leave megabytes of garbage per page and trigger a collection each time.
 *
 * The main thread sends all responses. Those of other threads are transferred and their buffers come back after sending. V8 counts each
 * arrival as growth of the heap: every second page of ten megabytes would make the main thread mark its whole heap. Other threads
 * therefore write long responses to shared memory, which V8 does not count, so a new shared buffer is noted as the garbage that it will
 * be.
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

/** Threads write longer responses than this to shared memory. */
const SHARED_FROM_BYTES = 4 * 1024 * 1024

type GiveBack = (memory: ArrayBufferLike) => void

const owners = new WeakMap<ArrayBufferLike, GiveBack>()
const kept = new KeptBuffers(KEPT_COUNT)
const keptShared = new KeptBuffers<SharedArrayBuffer>(KEPT_COUNT)

/** Returns a buffer of at least `bytes` bytes. Its contents are undefined. */
export function takeAnswerMemory(bytes: number): Buffer {
  const memory = kept.take(bytes)
  if (memory !== undefined) return lend(memory)
  if (bytes < KEPT_BYTES_MIN || bytes > KEPT_BYTES_MAX) return Buffer.allocUnsafeSlow(bytes)
  return lend(Buffer.allocUnsafeSlow(Math.ceil(bytes * SPARE)).buffer)
}

function lend(memory: ArrayBufferLike): Buffer {
  owners.set(memory, keepAnswerMemory)
  return Buffer.from(memory)
}

/**
 * Returns a shared buffer of at least `bytes` bytes if a response of this length should be in shared memory. V8 copies to it by words
 * only if source and target are aligned alike, otherwise byte by byte.
 */
export function takeSharedAnswerMemory(bytes: number): Buffer | undefined {
  if (isMainThread || bytes < SHARED_FROM_BYTES || bytes > KEPT_BYTES_MAX) return undefined
  return lend(keptShared.take(bytes) ?? newSharedMemory(Math.ceil(bytes * SPARE)))
}

function newSharedMemory(bytes: number): SharedArrayBuffer {
  noteGarbage(bytes)
  return new SharedArrayBuffer(bytes)
}

/** Registers the callback that returns the buffer of a response to the thread that owns it. */
export function answerMemoryOf({ buffer }: Uint8Array, giveBack: GiveBack): void {
  if (buffer.byteLength >= KEPT_BYTES_MIN) owners.set(buffer, giveBack)
}

/** Whether the response's buffer has an owner to return to. */
export function isLentMemory({ buffer }: Uint8Array): boolean {
  return buffer.byteLength >= KEPT_BYTES_MIN && owners.has(buffer)
}

/** Returns the buffer of a response that nobody reads any more. A buffer without an owner is ignored. */
export function giveBackAnswerMemory({ buffer }: Uint8Array): void {
  const giveBack = owners.get(buffer)
  owners.delete(buffer)
  giveBack?.(buffer)
}

/** Adds a buffer to the pool of the thread that owns it. */
export function keepAnswerMemory(memory: ArrayBufferLike): void {
  if (memory instanceof SharedArrayBuffer) keptShared.keep(memory)
  else kept.keep(memory)
}
