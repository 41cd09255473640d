/** Reads the large files of a start without raising the memory that the process keeps. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { MessageChannel } from 'node:worker_threads'

/**
 * glibc keeps freed memory up to a limit that it raises to twice the size of the largest block it has freed, except for blocks
 * beyond 32 MB. The files of a start have several megabytes, which cost some 10 MB for the life of the process. Of a block
 * that is larger than needed only the part that was written takes memory.
 */
const BLOCK_BYTES_MIN = 33 * 1024 * 1024
/** Freeing smaller blocks does not raise the limit. */
const LARGE_BYTES = 128 * 1024

/** The contents of a file, which `release` frees. */
export function readLargeFile(path: string): Buffer {
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    const block = Buffer.allocUnsafeSlow(size < LARGE_BYTES ? size : Math.max(size, BLOCK_BYTES_MIN))
    let filled = 0
    while (filled < size) {
      const count = readSync(file, block, filled, size - filled, filled)
      if (count === 0) break
      filled += count
    }
    return block.subarray(0, filled)
  } finally {
    closeSync(file)
  }
}

/** Frees large blocks now: a service that has nothing to do after its start collects no garbage. The buffers are empty afterwards. */
export function release(...buffers: readonly (Buffer | undefined)[]): void {
  const blocks = buffers
    .filter((buffer) => buffer !== undefined)
    .map(({ buffer }) => buffer as ArrayBuffer)
    .filter(({ byteLength }) => byteLength >= BLOCK_BYTES_MIN)
  if (blocks.length === 0) return
  // A message that is not received is freed with its port.
  const { port1, port2 } = new MessageChannel()
  port1.postMessage(undefined, blocks)
  port1.close()
  port2.close()
}
