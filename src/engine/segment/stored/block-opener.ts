/**
 * Decompresses blocks of stored documents for sequential readers, reusing the same memory. A page of ten thousand hits
 * opens hundreds of blocks; allocating memory for each would cost more than the decompression.
 */
import { ASSERTIONS } from '../../../base/assert.ts'
import { crc32 } from '../../../base/bytes/crc32.ts'
import { poison } from '../../../base/memory/poison.ts'
import { createLz4Kernel, LZ4_SLACK_BYTES, type Lz4Kernel } from '../../kernels/lz4-kernel.ts'
import { CorruptSegmentError } from '../segment-file.ts'
import { decompress, LZ4, LZ4_LENGTH_BYTES } from './compression.ts'

const PAGE_BYTES = 65536
const INPUT_BYTES = 4 * PAGE_BYTES
const OUTPUT = INPUT_BYTES + PAGE_BYTES
const OUTPUT_BYTES = 16 * PAGE_BYTES
const PAGES = (OUTPUT + OUTPUT_BYTES) / PAGE_BYTES + 1

/** The source of a block's bytes. */
export interface BlockSource {
  /** Identifies the segment within the thread. */
  readonly key: number
  readonly fileName: string
  readonly codec: number
  /** Fills `target` from an offset in the list of blocks. */
  read(offset: number, target: Uint8Array): void
}

/** The location of a block, and how much after it is likely to be read next. */
export interface BlockPlace {
  readonly offset: number
  readonly compressedBytes: number
  readonly rawBytes: number
  /** Of the compressed bytes; undefined if the whole file was verified, or the segment is too old to have it. */
  readonly checksum: number | undefined
  /** Whether an earlier reading of the block was compared with its checksum. */
  readonly isVerified: boolean
  /** Bytes from the start of the block to the end of the last block to be read with it. */
  readonly aheadBytes: number
}

export class BlockOpener {
  #kernel: Lz4Kernel | undefined
  #memory: Uint8Array = new Uint8Array(0)
  /** The segment and range that the input contains. */
  #inputOf = -1
  #inputFrom = 0
  #inputTo = 0

  /**
   * The bytes of a block from its start, up to at least `enough`. They are valid until the next call, in memory that is
   * longer than the block.
   */
  open(source: BlockSource, place: BlockPlace, enough: number): Uint8Array {
    const { offset, compressedBytes, rawBytes } = place
    const fits = compressedBytes <= INPUT_BYTES && rawBytes + LZ4_SLACK_BYTES <= OUTPUT_BYTES
    if (source.codec !== LZ4 || !fits) {
      const compressed = new Uint8Array(compressedBytes)
      source.read(offset, compressed)
      if (!place.isVerified) verifyBlock(source, place, compressed)
      return decompress(source.codec, compressed, rawBytes)
    }
    if (this.#kernel === undefined) {
      this.#kernel = createLz4Kernel(PAGES)
      this.#memory = new Uint8Array(this.#kernel.memory.buffer)
    }
    if (ASSERTIONS) poison(this.#memory.subarray(OUTPUT))
    const from = this.#input(source, place)
    const wanted = OUTPUT + Math.min(enough, rawBytes)
    const reached = this.#decode(
      this.#kernel,
      from + LZ4_LENGTH_BYTES,
      from + compressedBytes,
      OUTPUT + rawBytes,
      wanted,
    )
    if (reached < wanted) throw new CorruptSegmentError(source.fileName, `stored documents at ${offset} are damaged`)
    return this.#memory.subarray(OUTPUT, OUTPUT + rawBytes)
  }

  #decode({ decode }: Lz4Kernel, from: number, end: number, limit: number, wanted: number): number {
    try {
      return decode(from, end, OUTPUT, limit, wanted)
    } catch (error) {
      // A length that leads out of the memory.
      if (error instanceof Error && error.name === 'RuntimeError') return 0
      throw error
    }
  }

  /** Address of the block's compressed bytes, which are read unless they came with an earlier block. */
  #input(source: BlockSource, place: BlockPlace): number {
    const { offset, compressedBytes, aheadBytes } = place
    const held = this.#inputOf === source.key && this.#inputFrom <= offset && offset + compressedBytes <= this.#inputTo
    if (!held) {
      const bytes = Math.max(compressedBytes, Math.min(aheadBytes, INPUT_BYTES))
      this.#inputOf = -1
      source.read(offset, this.#memory.subarray(0, bytes))
      this.#inputOf = source.key
      this.#inputFrom = offset
      this.#inputTo = offset + bytes
    }
    const start = offset - this.#inputFrom
    if (!place.isVerified && place.checksum !== undefined) {
      verifyBlock(source, place, this.#memory.subarray(start, start + compressedBytes))
    }
    return start
  }
}

/** Decompression alone does not notice a changed letter. */
export function verifyBlock(
  { fileName }: Pick<BlockSource, 'fileName'>,
  { offset, checksum }: Pick<BlockPlace, 'offset' | 'checksum'>,
  compressed: Uint8Array,
): void {
  if (checksum === undefined || crc32(compressed) === checksum) return
  throw new CorruptSegmentError(fileName, `stored documents at ${offset} do not match their checksum`)
}
