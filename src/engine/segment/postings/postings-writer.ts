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
const VARINT_BYTES_MAX = 5
const VARINT_MAX = 0xffff_ffff

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

  /**
   * Writes the list of a term from its occurrences and returns its address; -1 for a term without documents. An
   * occurrence is a document and a position in the lowest `positionBits`. Occurrences ascend.
   */
  writeTerm(occurrences: Int32Array, start: number, end: number, positionBits: number): number {
    this.beginTerm()
    if (this.#hasPositions) this.#addPositions(occurrences, start, end, positionBits)
    else this.#addDocs(occurrences, start, end)
    return this.endTerm()
  }

  #addDocs(occurrences: Int32Array, start: number, end: number): void {
    this.#docs.ensure(end - start)
    this.#freqs.ensure(end - start)
    const docs = this.#docs.array
    const freqs = this.#freqs.array
    let count = 0
    let previous = -1
    for (let at = start; at < end; at++) {
      const doc = occurrences[at]!
      if (doc === previous) freqs[count - 1]!++
      else {
        docs[count] = doc
        freqs[count++] = 1
        previous = doc
      }
    }
    this.#docs.length = count
    this.#freqs.length = count
    this.#occurrences = end - start
  }

  #addPositions(occurrences: Int32Array, start: number, end: number, positionBits: number): void {
    const most = end - start
    const mask = 2 ** positionBits - 1
    this.#docs.ensure(most)
    this.#freqs.ensure(most)
    this.positionBytes.ensure(most * VARINT_BYTES_MAX)
    const docs = this.#docs.array
    const freqs = this.#freqs.array
    const bytes = this.positionBytes.array
    let byteAt = this.positionBytes.length
    let count = 0
    let previous = -1
    let lastPosition = 0
    for (let at = start; at < end; at++) {
      const occurrence = occurrences[at]!
      const doc = occurrence >>> positionBits
      const position = occurrence & mask
      let delta = position - lastPosition
      lastPosition = position
      if (doc === previous) freqs[count - 1]!++
      else {
        if (count % BLOCK_SIZE === 0) this.#blockPositions.push(byteAt - this.#positionsStart)
        delta = position
        docs[count] = doc
        freqs[count++] = 1
        previous = doc
      }
      while (delta > 0x7f) {
        bytes[byteAt++] = (delta & 0x7f) | 0x80
        delta >>>= 7
      }
      bytes[byteAt++] = delta
    }
    this.positionBytes.length = byteAt
    this.#docs.length = count
    this.#freqs.length = count
    this.#occurrences = most
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
    // The sum of the numbers of a feature may be larger; nothing asks for it.
    if (this.#hasFreqs) this.bytes.pushVarint(Math.min(this.#occurrences - count, VARINT_MAX))
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
    let allBits = 0
    for (let i = 0; i < BLOCK_SIZE; i++) {
      const doc = docs[first + i]!
      const delta = doc - previous
      deltas[i] = delta
      allBits |= delta
      previous = doc
    }
    const docBits = bitsNeeded(allBits)
    const headerAt = this.bytes.length
    this.bytes.pushInt32(docBits)
    this.#pushPacked(docBits)
    if (!this.#hasFreqs) return
    const freqs = this.#freqs.array
    allBits = 0
    for (let i = 0; i < BLOCK_SIZE; i++) {
      const further = freqs[first + i]! - 1
      deltas[i] = further
      allBits |= further
    }
    const freqBits = bitsNeeded(allBits)
    setInt32(this.bytes.array, headerAt, docBits | (freqBits << 8))
    this.#pushPacked(freqBits)
  }

  #pushPacked(bits: number): void {
    const words = this.#words
    const count = packedWords(bits)
    packBlock(this.#deltas, bits, words, 0)
    this.bytes.ensure(count * 4)
    const bytes = this.bytes.array
    let at = this.bytes.length
    for (let i = 0; i < count; i++) {
      setInt32(bytes, at, words[i]!)
      at += 4
    }
    this.bytes.length = at
  }

  #writeTail(first: number): void {
    const docs = this.#docs.array
    const freqs = this.#freqs.array
    const count = this.#docs.length
    const hasFreqs = this.#hasFreqs
    this.bytes.ensure((count - first) * 2 * VARINT_BYTES_MAX)
    const bytes = this.bytes.array
    let at = this.bytes.length
    let previous = first === 0 ? 0 : docs[first - 1]!
    for (let i = first; i < count; i++) {
      const doc = docs[i]!
      let delta = doc - previous
      previous = doc
      const isSingle = hasFreqs && freqs[i] === 1
      if (hasFreqs) delta = ((delta << 1) | (isSingle ? 1 : 0)) >>> 0
      while (delta > 0x7f) {
        bytes[at++] = (delta & 0x7f) | 0x80
        delta >>>= 7
      }
      bytes[at++] = delta
      if (!hasFreqs || isSingle) continue
      let freq = freqs[i]!
      while (freq > 0x7f) {
        bytes[at++] = (freq & 0x7f) | 0x80
        freq >>>= 7
      }
      bytes[at++] = freq
    }
    this.bytes.length = at
  }
}

function setInt32(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value
  bytes[at + 1] = value >>> 8
  bytes[at + 2] = value >>> 16
  bytes[at + 3] = value >>> 24
}
