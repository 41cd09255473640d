/**
 * A pool of buffers for long request bodies that a handler hands on and forgets. Without it, every bulk request through a gateway would
 * leave its body as garbage outside of V8's heap, which makes V8 collect the whole heap every few dozen requests.
 */
import { Buffer } from 'node:buffer'
import { KeptBuffers } from './kept-buffers.ts'

/** Shorter bodies are not worth keeping, and longer ones would keep much memory. */
const KEPT_BYTES_MIN = 128 * 1024
const KEPT_BYTES_MAX = 4 * 1024 * 1024
const KEPT_COUNT = 8
/** Bodies vary in length: a buffer is a little larger than the first one. */
const STEP_BYTES = 64 * 1024
const lent = new WeakSet<ArrayBufferLike>()
const kept = new KeptBuffers(KEPT_COUNT)

/** A buffer of `bytes` bytes. Its contents are undefined. */
export function takeBodyMemory(bytes: number): Buffer {
  if (bytes < KEPT_BYTES_MIN || bytes > KEPT_BYTES_MAX) return Buffer.allocUnsafeSlow(bytes)
  const memory = kept.take(bytes) ?? Buffer.allocUnsafeSlow(Math.ceil(bytes / STEP_BYTES) * STEP_BYTES).buffer
  lent.add(memory)
  return Buffer.from(memory, 0, bytes)
}

/** Returns the memory of a body that nobody reads any more. A body of other memory is ignored. */
export function giveBackBodyMemory({ buffer }: Uint8Array): void {
  if (lent.delete(buffer)) kept.keep(buffer as ArrayBuffer)
}
