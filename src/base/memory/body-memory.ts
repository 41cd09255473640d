/**
 * A pool of buffers for long bodies of requests, and of answers that a gateway passes. A handler that has handed a body on gives its memory back; a body that was
 * transferred to another thread returns from there. Without the pool, every bulk request would leave its body as garbage
 * outside of V8's heap, which makes V8 collect the whole heap every few requests.
 */
import { Buffer } from 'node:buffer'
import { KeptBuffers } from './kept-buffers.ts'
import { plannedMemory } from './process-memory.ts'

const MB = 1024 * 1024
/** Shorter bodies are not worth keeping, and longer ones are too rare. */
const KEPT_BYTES_MIN = 128 * 1024
const KEPT_BYTES_MAX = 16 * MB
const KEPT_COUNT = 16
const KEPT_TOTAL_MAX = 32 * MB
/** Bodies vary in length: a buffer is a little larger than the first one. */
const STEP_BYTES = 64 * 1024
const lent = new WeakSet<ArrayBufferLike>()
/** A small process keeps no more than it would leave as garbage. */
const kept = new KeptBuffers(KEPT_COUNT, () => Math.min(KEPT_TOTAL_MAX, plannedMemory().garbageBytes))

/** A buffer of `bytes` bytes. Its contents are undefined. */
export function takeBodyMemory(bytes: number): Buffer {
  if (bytes < KEPT_BYTES_MIN || bytes > KEPT_BYTES_MAX) return Buffer.allocUnsafeSlow(bytes)
  // Only a body that fills half of its buffer is transferred to another thread without a copy.
  const memory =
    kept.take(bytes, bytes * 2) ?? Buffer.allocUnsafeSlow(Math.ceil(bytes / STEP_BYTES) * STEP_BYTES).buffer
  lent.add(memory)
  return Buffer.from(memory, 0, bytes)
}

/** Whether the memory of a body can be given back. */
export const isLentBody = ({ buffer }: Uint8Array): boolean => buffer.byteLength >= KEPT_BYTES_MIN && lent.has(buffer)

/** Returns the memory of a body that nobody reads any more. A body of other memory is ignored. */
export function giveBackBodyMemory({ buffer }: Uint8Array): void {
  if (lent.delete(buffer)) kept.keep(buffer as ArrayBuffer)
}

/** Whether the memory of a body that was transferred to this thread is worth sending back. */
export const isBodyMemory = ({ buffer }: Uint8Array): boolean =>
  buffer instanceof ArrayBuffer && buffer.byteLength >= KEPT_BYTES_MIN && buffer.byteLength <= KEPT_BYTES_MAX

/** Adds the memory of a body that another thread sent back to the pool. */
export function keepBodyMemory(memory: ArrayBuffer): void {
  kept.keep(memory)
}
