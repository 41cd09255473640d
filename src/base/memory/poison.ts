/**
 * In tests, memory that was given back is filled with a pattern, so that whoever kept a view of it reads the pattern and not, by
 * chance, what it expects. In operation nothing is written.
 */
import { ASSERTIONS, assert } from '../assert.ts'

/** No text, no varint of one byte, a negative integer, and a double of no size that occurs. */
export const POISON = 0xdb

/** Called when nobody reads `memory` any more, before it is used again. */
export function poison(memory: ArrayBufferLike | ArrayBufferView): void {
  if (!ASSERTIONS) return
  bytesOf(memory).fill(POISON)
}

/** Asserts that memory was not written after it was given back: its first and last bytes are the pattern. */
export function assertPoisoned(memory: ArrayBufferLike, what: string): void {
  const bytes = bytesOf(memory)
  assert(bytes[0] === POISON && bytes.at(-1) === POISON, `nobody writes to ${what} after it was given back`)
}

function bytesOf(memory: ArrayBufferLike | ArrayBufferView): Uint8Array {
  return ArrayBuffer.isView(memory)
    ? new Uint8Array(memory.buffer, memory.byteOffset, memory.byteLength)
    : new Uint8Array(memory)
}
