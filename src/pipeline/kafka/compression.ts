/**
 * Compression of record batches. Gzip is part of Node; snappy and lz4 blocks are simple formats decoded by our own
 * code. Zstandard is part of Node since 22.15; older versions load a library for it.
 */
import { createRequire } from 'node:module'
import zlib, { gunzipSync, gzipSync } from 'node:zlib'
import { BlockOutput, DamagedBlockError } from '../../base/bytes/block-output.ts'
import { decodeLz4Block } from '../../base/bytes/lz4-block.ts'
import { packSnappy } from './snappy.ts'

export const COMPRESSIONS = ['none', 'gzip', 'snappy', 'lz4', 'zstd'] as const
export type Compression = (typeof COMPRESSIONS)[number]

export class CompressionError extends Error {}

export function pack(bytes: Uint8Array, compression: Compression): Uint8Array {
  if (compression === 'none') return bytes
  if (compression === 'gzip') return gzipSync(bytes)
  if (compression === 'snappy') return packSnappy(bytes)
  throw new CompressionError(`batches are written with gzip, snappy or none, not with ${compression}`)
}

export function unpack(bytes: Buffer, code: number): Buffer {
  switch (COMPRESSIONS[code]) {
    case 'none':
      return bytes
    case 'gzip':
      return gunzipSync(bytes)
    case 'snappy':
      return checked(() => unpackSnappy(bytes))
    case 'lz4':
      return checked(() => unpackLz4(bytes))
    default:
      return unpackZstd(bytes)
  }
}

function checked(unpackBlocks: () => Buffer): Buffer {
  try {
    return unpackBlocks()
  } catch (error) {
    throw error instanceof DamagedBlockError ? new CompressionError(error.message) : error
  }
}

function unpackZstd(bytes: Buffer): Buffer {
  const unpackWith = (zlib as unknown as { zstdDecompressSync?: (bytes: Buffer) => Buffer }).zstdDecompressSync
  if (unpackWith !== undefined) return unpackWith(bytes)
  return unpackZstdByLibrary(bytes)
}

let zstdLibrary: typeof import('fzstd') | undefined

export function unpackZstdByLibrary(bytes: Buffer): Buffer {
  zstdLibrary ??= createRequire(import.meta.url)('fzstd') as typeof import('fzstd')
  try {
    const unpacked = zstdLibrary.decompress(bytes)
    return Buffer.from(unpacked.buffer, unpacked.byteOffset, unpacked.length)
  } catch (error) {
    throw new CompressionError(`a batch packed with zstd is damaged: ${(error as Error).message}`)
  }
}

/** Java clients split the data into blocks after a header of their own; other clients send one block. */
const XERIAL_MAGIC = Buffer.from([0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0])
const XERIAL_HEADER_BYTES = 16

function unpackSnappy(bytes: Buffer): Buffer {
  if (!bytes.subarray(0, XERIAL_MAGIC.length).equals(XERIAL_MAGIC)) return unpackSnappyBlock(bytes)
  const blocks: Buffer[] = []
  for (let at = XERIAL_HEADER_BYTES; at < bytes.length; ) {
    const length = bytes.readInt32BE(at)
    blocks.push(unpackSnappyBlock(bytes.subarray(at + 4, at + 4 + length)))
    at += 4 + length
  }
  return Buffer.concat(blocks)
}

function unpackSnappyBlock(bytes: Buffer): Buffer {
  let at = 0
  let length = 0
  for (let shift = 0; ; shift += 7) {
    const byte = bytes.readUInt8(at++)
    length += (byte & 0x7f) * 2 ** shift
    if (byte < 0x80) break
  }
  const out = new BlockOutput(length)
  while (at < bytes.length) {
    const tag = bytes[at++]!
    if ((tag & 3) === 0) {
      let count = (tag >> 2) + 1
      if (count > 60) {
        const width = count - 60
        count = bytes.readUIntLE(at, width) + 1
        at += width
      }
      out.literal(bytes, at, count)
      at += count
    } else if ((tag & 3) === 1) {
      out.copy(((tag >> 5) << 8) | bytes.readUInt8(at), ((tag >> 2) & 7) + 4)
      at += 1
    } else {
      const width = (tag & 3) === 2 ? 2 : 4
      out.copy(bytes.readUIntLE(at, width), (tag >> 2) + 1)
      at += width
    }
  }
  return out.finish()
}

const LZ4_MAGIC = 0x184d2204
const LZ4_BLOCK_BYTES = [0, 0, 0, 0, 64 * 1024, 256 * 1024, 1024 * 1024, 4 * 1024 * 1024]

/**
 * An lz4 frame: magic, descriptor, blocks with their length, an end mark. Its checksums are ignored, because the batch
 * has its own.
 */
function unpackLz4(bytes: Buffer): Buffer {
  if (bytes.readUInt32LE(0) !== LZ4_MAGIC) throw new CompressionError('this is no lz4 frame')
  const flags = bytes.readUInt8(4)
  const blockBytesMax = LZ4_BLOCK_BYTES[(bytes.readUInt8(5) >> 4) & 7]!
  const isLinked = (flags & 0x20) === 0
  const hasBlockChecksum = (flags & 0x10) !== 0
  let at = 6 + ((flags & 0x08) === 0 ? 0 : 8) + ((flags & 0x01) === 0 ? 0 : 4) + 1
  const out = new BlockOutput(blockBytesMax)
  for (;;) {
    const word = bytes.readUInt32LE(at)
    at += 4
    if (word === 0) return out.finish()
    const length = word & 0x7fffffff
    const block = bytes.subarray(at, at + length)
    if (!isLinked) out.startBlock()
    if (word >>> 31 === 1) out.literal(block, 0, length)
    else decodeLz4Block(block, 0, out)
    at += length + (hasBlockChecksum ? 4 : 0)
  }
}
