/**
 * Bytes in memory that is used again soon: for the next hit, the next response, the next request. A view of them that somebody keeps
 * would show other data later. Their type is therefore not that of an array: they can be copied, or read by a function whose result
 * is no view of them.
 *
 *     const page: LentBytes = lentBytes(scratch.subarray(0, length))
 *     kept.set(key, copyOfLent(page))
 *     const text = readLent(page, (bytes) => bytes.toString('utf8'))
 *
 * The type costs nothing at run time: the value is the array itself. `poison.ts` finds in tests what the type cannot.
 */
import { Buffer } from 'node:buffer'

declare const LENT: unique symbol

export interface LentBytes {
  readonly [LENT]: true
  readonly length: number
  /** Every object has it; that of an array lists numbers, and that of a buffer reads the bytes. */
  readonly toString: never
}

type Escape = ArrayBufferView | ArrayBufferLike | LentBytes | PromiseLike<unknown> | ((...args: never) => unknown)
/** A further argument that nobody has, for results that would keep the bytes. */
type NoEscape<T> = Extract<T, Escape> extends never ? [] : [theResultKeepsTheBytes: never]

/** Bytes without memory that could be used again. */
export const NO_BYTES: LentBytes = lentBytes(Buffer.alloc(0))

/** Lends bytes out. Whoever lends them knows when the memory is used again. */
export function lentBytes(bytes: Uint8Array): LentBytes {
  return bytes as unknown as LentBytes
}

/** Calls `read` with the bytes at once. It must not keep them, and its result must not be a view of them. */
export function readLent<T>(lent: LentBytes, read: (bytes: Buffer) => T, ..._: NoEscape<T>): T {
  return read(borrowed(lent))
}

/** A copy that may be kept. */
export function copyOfLent(lent: LentBytes): Buffer {
  return Buffer.from(lent as unknown as Uint8Array)
}

/** Copies the bytes to `target` from `at`. */
export function copyLent(lent: LentBytes, target: Uint8Array, at: number): void {
  target.set(lent as unknown as Uint8Array, at)
}

/**
 * The bytes themselves, for code that holds them until it gives the memory back: it sends them, or passes them to another thread. It
 * answers for every view that it makes.
 */
export function borrowed(lent: LentBytes): Buffer {
  const bytes = lent as unknown as Uint8Array
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
