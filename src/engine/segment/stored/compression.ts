/**
 * Compression of stored document blocks. LZ4 comes from a native package that may be missing on a platform: then new
 * blocks use Node's deflate, and LZ4 blocks written elsewhere are read by the JavaScript decoder.
 */
import { createRequire } from 'node:module'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { BlockOutput } from '../../../base/bytes/block-output.ts'
import { decodeLz4Block } from '../../../base/bytes/lz4-block.ts'

export const LZ4 = 1
export const DEFLATE = 2
/** An LZ4 block is preceded by its raw length. */
export const LZ4_LENGTH_BYTES = 4

interface Lz4 {
  compressSync(data: Buffer): Buffer
  uncompressSync(data: Uint8Array): Buffer
}

let lz4: Lz4 | null | undefined

function loadLz4(): Lz4 | null {
  if (lz4 === undefined) {
    try {
      lz4 = createRequire(import.meta.url)('lz4-napi') as Lz4
    } catch {
      lz4 = null
    }
  }
  return lz4
}

/** The codec for new segments. `best` is `index.codec: best_compression`. */
export function chooseCodec(best: boolean): number {
  return best || loadLz4() === null ? DEFLATE : LZ4
}

export function compress(codec: number, raw: Uint8Array): Uint8Array {
  if (codec === LZ4) return loadLz4()!.compressSync(asBuffer(raw))
  return deflateRawSync(raw, { level: 3 })
}

export function decompress(codec: number, compressed: Uint8Array, rawLength: number): Uint8Array {
  if (codec === DEFLATE) return inflateRawSync(compressed, { maxOutputLength: rawLength })
  const native = loadLz4()
  return native === null
    ? decodeLz4Block(compressed, LZ4_LENGTH_BYTES, new BlockOutput(rawLength)).finish()
    : native.uncompressSync(asBuffer(compressed))
}

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
