/**
 * Encodes the postings of a field, term by term.
 *
 * The list of a term starts at its address (see docs/formats/segment.md):
 *   varint documents; with frequencies, varint (occurrences - documents); with positions, varint start in the position bytes
 *   from 128 documents on: padding to 4, one skip entry of four words per full block
 *     (last document, byte offset of the block, byte offset of its positions, what bounds its scores: see block-impact.ts)
 *   full blocks: a word (bits of documents | bits of frequencies << 8), packed document deltas, packed frequencies - 1
 *   the rest as varints: with frequencies delta << 1 | (frequency is 1), then the frequency unless it is 1; else delta
 * A term in one document without frequency or position needs no list: its address is the document with the top bit set.
 */

import { ASSERTIONS, assert } from '../../../base/assert.ts'
import { BLOCK_SIZE } from '../../kernels/block-size.ts'
import { ByteList, IntList } from '../buffer/growable.ts'
import { BlockImpacts } from './block-impact.ts'
import { bitsNeeded, packBlock, packedWords } from './block-packing.ts'

export const SINGLE_DOC = 0x80000000
export const SKIP_WORDS = 4

export class PostingsWriter {
  readonly bytes: ByteList
  readonly positionBytes: ByteList
  sumTotalTermFreq: number
  sumDocFreq: number

  readonly #hasFreqs: boolean
  readonly #hasPositions: boolean
  readonly #impacts: BlockImpacts
  readonly #docs: IntList
  readonly #freqs: IntList
  /** The start of the positions of each full block, relative to the term's start. */
  readonly #blockPositions: IntList
  readonly #deltas: Int32Array
  #positionsStart: number
  #lastPosition: number
  #occurrences: number
  #words: Int32Array

  constructor(options: { hasFreqs: boolean; hasPositions: boolean; norms: Uint8Array | undefined }) {
    this.bytes = new ByteList(4096)
    this.positionBytes = new ByteList(options.hasPositions ? 4096 : 16)
    this.sumTotalTermFreq = 0
    this.sumDocFreq = 0
    this.#hasFreqs = options.hasFreqs
    this.#hasPositions = options.hasPositions
    this.#impacts = new BlockImpacts(options.norms)
    this.#docs = new IntList(256)
    this.#freqs = new IntList(256)
    this.#blockPositions = new IntList(16)
    this.#deltas = new Int32Array(BLOCK_SIZE)
    this.#positionsStart = 0
    this.#lastPosition = 0
    this.#occurrences = 0
    this.#words = new Int32Array(packedWords(32))
  }

  beginTerm(): void {
    this.#docs.length = 0
    this.#freqs.length = 0
    this.#blockPositions.length = 0
    this.#positionsStart = this.positionBytes.length
    this.#occurrences = 0
  }

  /** Documents must ascend. With positions, `freq` calls of `addPosition` follow. */
  addDoc(doc: number, freq: number): void {
    if (ASSERTIONS) this.#checkOrder(doc, freq)
    if (this.#hasPositions && this.#docs.length % BLOCK_SIZE === 0) {
      this.#blockPositions.push(this.positionBytes.length - this.#positionsStart)
    }
    this.#docs.push(doc)
    this.#freqs.push(freq)
    this.#occurrences += freq
    this.#lastPosition = 0
  }

  #checkOrder(doc: number, freq: number): void {
    const { length } = this.#docs
    assert(length === 0 || this.#docs.array[length - 1]! < doc, `documents of a term ascend, but ${doc} comes late`)
    assert(freq > 0, 'a term occurs at least once in its documents')
  }

  addPosition(position: number): void {
    this.positionBytes.pushVarint(position - this.#lastPosition)
    this.#lastPosition = position
  }

  /** Writes the term's list and returns its address; -1 for a term without documents. */
  endTerm(): number {
    const count = this.#docs.length
    if (count === 0) return -1
    this.sumDocFreq += count
    this.sumTotalTermFreq += this.#occurrences
    if (count === 1 && !this.#hasPositions && (!this.#hasFreqs || this.#occurrences === 1)) {
      return (SINGLE_DOC | this.#docs.array[0]!) >>> 0
    }
    const address = this.bytes.length
    this.bytes.pushVarint(count)
    if (this.#hasFreqs) this.bytes.pushVarint(this.#occurrences - count)
    if (this.#hasPositions) this.bytes.pushVarint(this.#positionsStart)
    const blocks = Math.floor(count / BLOCK_SIZE)
    if (blocks > 0) this.#writeBlocks(blocks)
    this.#writeTail(blocks * BLOCK_SIZE)
    return address
  }

  #writeBlocks(blocks: number): void {
    const out = this.bytes
    out.align(4)
    const skipAt = out.length
    for (let i = 0; i < blocks * SKIP_WORDS; i++) out.pushInt32(0)
    for (let block = 0; block < blocks; block++) {
      const first = block * BLOCK_SIZE
      const entry = skipAt + block * SKIP_WORDS * 4
      setInt32(out.array, entry, this.#docs.array[first + BLOCK_SIZE - 1]!)
      setInt32(out.array, entry + 4, out.length - skipAt)
      setInt32(out.array, entry + 8, this.#hasPositions ? this.#blockPositions.array[block]! : 0)
      setInt32(out.array, entry + 12, this.#impacts.of(this.#docs.array, this.#freqs.array, first))
      this.#writeBlock(first)
    }
  }

  #writeBlock(first: number): void {
    const docs = this.#docs.array
    const deltas = this.#deltas
    let previous = first === 0 ? 0 : docs[first - 1]!
    for (let i = 0; i < BLOCK_SIZE; i++) {
      const doc = docs[first + i]!
      deltas[i] = doc - previous
      previous = doc
    }
    const docBits = bitsNeeded(deltas)
    const headerAt = this.bytes.length
    this.bytes.pushInt32(docBits)
    this.#pushPacked(docBits)
    if (!this.#hasFreqs) return
    for (let i = 0; i < BLOCK_SIZE; i++) deltas[i] = this.#freqs.array[first + i]! - 1
    const freqBits = bitsNeeded(deltas)
    setInt32(this.bytes.array, headerAt, docBits | (freqBits << 8))
    this.#pushPacked(freqBits)
  }

  #pushPacked(bits: number): void {
    const words = this.#words
    const count = packedWords(bits)
    words.fill(0, 0, count)
    packBlock(this.#deltas, bits, words, 0)
    for (let i = 0; i < count; i++) this.bytes.pushInt32(words[i]!)
  }

  #writeTail(first: number): void {
    const docs = this.#docs.array
    const out = this.bytes
    let previous = first === 0 ? 0 : docs[first - 1]!
    for (let i = first; i < this.#docs.length; i++) {
      const delta = docs[i]! - previous
      previous = docs[i]!
      if (!this.#hasFreqs) {
        out.pushVarint(delta)
        continue
      }
      const freq = this.#freqs.array[i]!
      if (freq === 1) out.pushVarint(((delta << 1) | 1) >>> 0)
      else {
        out.pushVarint((delta << 1) >>> 0)
        out.pushVarint(freq)
      }
    }
  }
}

function setInt32(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value
  bytes[at + 1] = value >>> 8
  bytes[at + 2] = value >>> 16
  bytes[at + 3] = value >>> 24
}
