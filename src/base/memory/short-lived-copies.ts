/**
 * Copies of short byte sequences, such as the response of a search for ten hits. Many copies share one block of memory, because an
 * allocation of its own costs several times as much as the copy. A block is freed when none of its copies is used any more, so
 * copies must be short-lived. They must not be transferred to another thread, which would take the block away from the others.
 */
const BLOCK_BYTES = 64 * 1024
/** Longer sequences get memory of their own. */
const SHARED_BYTES_MAX = 16 * 1024

let block: Buffer | undefined
let used = 0

export function shortLivedCopy(bytes: Uint8Array): Buffer {
  const { length } = bytes
  if (length > SHARED_BYTES_MAX) return Buffer.from(bytes)
  if (block === undefined || used + length > BLOCK_BYTES) {
    block = Buffer.allocUnsafeSlow(BLOCK_BYTES)
    used = 0
  }
  const copy = block.subarray(used, used + length)
  copy.set(bytes)
  used += length
  return copy
}

/** Whether other copies share the memory of these bytes. */
export function sharesMemory({ buffer, byteLength }: Uint8Array): boolean {
  return buffer.byteLength === BLOCK_BYTES && byteLength <= SHARED_BYTES_MAX
}
