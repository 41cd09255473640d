/** Reads the stored documents of a segment: single ones, sequentially, or block by block for a merge. */

import { ensure } from '../../../base/assert.ts'
import { type LentBytes, lentBytes } from '../../../base/memory/lent-bytes.ts'
import type { SectionLoader } from '../section-loader.ts'
import { BlockOpener, type BlockPlace, type BlockSource, verifyBlock } from './block-opener.ts'
import { StoredBlockCache } from './stored-block-cache.ts'
import {
  BLOCK_WORDS,
  findBlock,
  parseRecord,
  type StoredBlock,
  type StoredDocument,
  sourceIn,
} from './stored-documents.ts'
import { verifiedBlocks } from './verified-blocks.ts'

/** Blocks that are read together when documents are read in order. */
const BLOCKS_AHEAD = 16
const BLOCKS_MAX = 2 ** 32

const opener = new BlockOpener()
const cache = new StoredBlockCache()
let lastKey = 0
/** The block in the opener's memory: its key, its bytes, and how many of them are decompressed. */
let opened: { key: number; raw: Uint8Array; reached: number } = { key: -1, raw: new Uint8Array(0), reached: 0 }

/** A block as stored in the file. */
export class StoredDocumentsReader implements BlockSource {
  /** Identifies the segment's first block in the thread's cache. */
  readonly key = ++lastKey * BLOCKS_MAX
  readonly codec: number
  readonly blockCount: number
  readonly #loader: SectionLoader
  readonly #table: Int32Array
  readonly #ends: Uint32Array
  /** Undefined where the whole file was verified when it was loaded, and in segments of earlier versions. */
  readonly #sums: Uint32Array | undefined
  readonly #verified: Uint8Array | undefined
  readonly #docCount: number
  #lastBlock = -1

  constructor(loader: SectionLoader) {
    const { stored, docCount } = loader.directory
    this.#loader = loader
    this.codec = stored!.codec
    this.blockCount = stored!.blocks
    const table = loader.bytes('s.blocks')
    this.#table = new Int32Array(table.buffer, table.byteOffset, table.byteLength >>> 2)
    const ends = loader.bytes('s.ends')
    this.#ends = new Uint32Array(ends.buffer, ends.byteOffset, ends.byteLength >>> 2)
    if (!loader.isWhole && loader.has('s.sums')) {
      const sums = loader.bytes('s.sums')
      this.#sums = new Uint32Array(sums.buffer, sums.byteOffset, sums.byteLength >>> 2)
      this.#verified = verifiedBlocks(loader.arena, loader.serial, this.blockCount)
    }
    this.#docCount = docCount
  }

  get fileName(): string {
    return this.#loader.file.name
  }

  read(offset: number, target: Uint8Array): void {
    this.#loader.readInto('s.data', offset, target)
  }

  /** Reads a document that may be needed again soon: its block is cached. */
  document(doc: number): StoredDocument {
    const block = this.#blockOf(doc)
    return parseRecord(this.#kept(block), this.#start(doc, block), this.#ends[doc]!)
  }

  /**
   * The source in the memory of its block, valid until the next document is read. `again` caches the block; sequential
   * readers do not.
   */
  sourceView(doc: number, again: boolean): LentBytes | undefined {
    const block = this.#blockOf(doc)
    const end = this.#ends[doc]!
    const source = sourceIn(again ? this.#kept(block) : this.#open(block, end), this.#start(doc, block), end)
    return source && lentBytes(source)
  }

  #kept(block: number): Uint8Array {
    const key = this.key + block
    let raw = cache.get(key)
    if (raw === undefined) {
      const { rawBytes } = this.#place(block, false)
      raw = new Uint8Array(this.#open(block, rawBytes).subarray(0, rawBytes))
      cache.add(key, raw)
    }
    return raw
  }

  /** A document's stored record, valid until the next one is read. */
  record(doc: number): LentBytes {
    const block = this.#blockOf(doc)
    const end = this.#ends[doc]!
    return lentBytes(this.#open(block, end).subarray(this.#start(doc, block), end))
  }

  /** A whole block, so that a merge can copy it without decompression. */
  block(block: number): StoredBlock {
    const place = this.#place(block, false)
    const { offset, compressedBytes, rawBytes } = place
    const firstDoc = this.#table[block * BLOCK_WORDS]!
    // The merged segment gets checksums of its own: damage that is copied would count as sound.
    if (this.#sums === undefined) this.#loader.verify('s.data')
    const compressed = this.#loader.read('s.data', offset, compressedBytes)
    verifyBlock(this, place, compressed)
    return {
      compressed,
      rawBytes,
      ends: this.#ends.subarray(firstDoc, this.#endDoc(block)),
      checksum: place.checksum,
    }
  }

  /** The bytes of a block up to at least `end`. */
  #open(block: number, end: number): Uint8Array {
    const key = this.key + block
    const again = opened.key === key
    if (again && end <= opened.reached) return opened.raw
    // Sequential access, or another document of the same block: the rest will be needed as well.
    const inOrder = block === this.#lastBlock + 1
    const place = this.#place(block, inOrder)
    const reached = again || inOrder ? place.rawBytes : end
    opened.key = -1
    const raw = opener.open(this, place, reached)
    if (this.#verified !== undefined) this.#verified[block] = 1
    opened = { key, raw, reached }
    this.#lastBlock = block
    return raw
  }

  #blockOf(doc: number): number {
    const last = this.#lastBlock
    ensure(doc >= 0 && doc < this.#docCount, 'a stored document is one of its segment')
    const isLast = last >= 0 && this.#table[last * BLOCK_WORDS]! <= doc && doc < this.#endDoc(last)
    return isLast ? last : findBlock(this.#table, this.blockCount, doc)
  }

  #endDoc(block: number): number {
    return block + 1 < this.blockCount ? this.#table[(block + 1) * BLOCK_WORDS]! : this.#docCount
  }

  #start(doc: number, block: number): number {
    return doc === this.#table[block * BLOCK_WORDS]! ? 0 : this.#ends[doc - 1]!
  }

  #place(block: number, ahead: boolean): BlockPlace {
    const at = block * BLOCK_WORDS
    const offset = this.#offset(block)
    const last = Math.min(block + BLOCKS_AHEAD, this.blockCount) - 1
    return {
      offset,
      compressedBytes: this.#table[at + 3]!,
      rawBytes: this.#table[at + 4]!,
      checksum: this.#sums?.[block],
      isVerified: this.#verified?.[block] === 1,
      aheadBytes: ahead ? this.#offset(last) + this.#table[last * BLOCK_WORDS + 3]! - offset : 0,
    }
  }

  #offset(block: number): number {
    const at = block * BLOCK_WORDS
    return (this.#table[at + 1]! >>> 0) + this.#table[at + 2]! * 2 ** 32
  }
}
