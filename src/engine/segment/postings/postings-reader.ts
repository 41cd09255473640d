/** Reads the postings written by `postings-writer.ts`, one block of up to 128 documents at a time. */

import { BLOCK_SIZE } from '../../kernels/block-size.ts'
import { CANDIDATES, POSITIONS, type UnpackKernel, unpackKernel } from '../../kernels/unpack-kernel.ts'
import type { Arena } from '../../memory/arena.ts'
import { NO_MORE_DOCS, type Postings, UNKNOWN_IMPACT } from '../segment-reader-api.ts'
import { packedWords, unpackBlock } from './block-packing.ts'
import { SINGLE_DOC, SKIP_WORDS } from './postings-writer.ts'

export interface PostingsSource {
  readonly bytes: Uint8Array
  /** The same bytes as 32-bit words. */
  readonly words: Int32Array
  readonly positionBytes: Uint8Array | undefined
  readonly hasFreqs: boolean
  /** The memory that contains the bytes. */
  readonly arena: Arena
}

export class PostingsReader implements Postings {
  docFreq: number
  totalTermFreq: number
  docs: Int32Array
  freqs: Int32Array
  positions: Int32Array
  blockPositions: Int32Array
  positionStarts: Int32Array
  count: number
  blockLastDoc: number
  lazyFreqs: boolean

  readonly #source: PostingsSource
  #address: number
  #fullBlocks: number
  /** Byte offset of the skip entries. */
  #skipAt: number
  #positionsStart: number
  /** The block that `nextBlock` reads; `#fullBlocks` is the tail. */
  #next: number
  #tailAt: number
  #tailCount: number
  #single: number
  // Positions of the current block are read in order; these record the progress.
  #positionAt: number
  #positionEntry: number
  /** The value of `#next` for the block whose positions are in `blockPositions`. */
  #positionsLoaded: number
  /** The offset of the frequencies of the current block, in words; -1 if they are in `freqs`. */
  #packedFreqs: number
  #freqBits: number

  constructor(source: PostingsSource, address: number) {
    this.#source = source
    this.#address = address
    this.docFreq = 0
    this.totalTermFreq = 0
    this.docs = NO_NUMBERS
    this.freqs = NO_NUMBERS
    this.positions = NO_NUMBERS
    this.blockPositions = NO_NUMBERS
    this.positionStarts = NO_NUMBERS
    this.count = 0
    this.blockLastDoc = -1
    this.lazyFreqs = false
    this.#packedFreqs = -1
    this.#freqBits = 0
    this.#fullBlocks = 0
    this.#skipAt = 0
    this.#positionsStart = 0
    this.#next = 0
    this.#tailAt = 0
    this.#tailCount = 0
    this.#single = -1
    this.#positionAt = 0
    this.#positionEntry = 0
    this.#positionsLoaded = 0
    this.reset(address)
  }

  /** Restarts with another term of the field: a merge reads thousands of terms through one reader. */
  reset(address: number): this {
    this.#address = address
    this.count = 0
    this.blockLastDoc = -1
    this.#packedFreqs = -1
    this.#next = 0
    this.#positionsLoaded = 0
    if (address >= SINGLE_DOC) {
      this.docFreq = this.totalTermFreq = this.#tailCount = 1
      this.#single = address - SINGLE_DOC
      this.#fullBlocks = 0
      this.#reserve(1)
      this.freqs[0] = 1
      return this
    }
    const { hasFreqs, positionBytes } = this.#source
    this.#single = -1
    this.#tailAt = address
    this.docFreq = this.#varint()
    this.totalTermFreq = hasFreqs ? this.docFreq + this.#varint() : this.docFreq
    this.#positionsStart = positionBytes === undefined ? 0 : this.#varint()
    this.#fullBlocks = Math.floor(this.docFreq / BLOCK_SIZE)
    this.#tailCount = this.docFreq % BLOCK_SIZE
    this.#reserve(Math.min(this.docFreq, BLOCK_SIZE))
    if (!hasFreqs) this.freqs.fill(1)
    if (this.#fullBlocks > 0) {
      this.#skipAt = (this.#tailAt + 3) & ~3
      this.#tailAt = this.#endOfBlocks()
    }
    return this
  }

  /** Reads a number of the term's head and advances. */
  #varint(): number {
    const { bytes } = this.#source
    let value = 0
    let shift = 0
    for (;;) {
      const byte = bytes[this.#tailAt++]!
      value |= (byte & 0x7f) << shift
      if (byte < 0x80) return value >>> 0
      shift += 7
    }
  }

  #reserve(entries: number): void {
    if (this.docs.length >= entries) return
    this.docs = takeNumbers(entries)
    this.freqs = takeNumbers(entries).fill(1)
  }

  nextBlock(): boolean {
    if (this.#next > this.#fullBlocks || (this.#next === this.#fullBlocks && this.#tailCount === 0)) {
      this.count = 0
      this.blockLastDoc = 0x7fffffff
      return false
    }
    if (this.#next < this.#fullBlocks) this.#loadFull(this.#next)
    else this.#loadTail()
    this.#next++
    return true
  }

  copy(): PostingsReader {
    return new PostingsReader(this.#source, this.#address)
  }

  get blockCount(): number {
    return this.#fullBlocks + (this.#tailCount > 0 ? 1 : 0)
  }

  get upcoming(): number {
    return this.#next
  }

  skipTo(block: number): void {
    this.#next = block
    this.count = 0
    this.blockLastDoc = -1
  }

  lastDocOf(block: number): number {
    if (block >= this.#fullBlocks) return NO_MORE_DOCS - 1
    return this.#source.words[(this.#skipAt >>> 2) + block * SKIP_WORDS]!
  }

  impactOf(block: number): number {
    if (block >= this.#fullBlocks) return UNKNOWN_IMPACT
    return this.#source.words[(this.#skipAt >>> 2) + block * SKIP_WORDS + 3]!
  }

  loadFreqs(): void {
    if (this.#packedFreqs < 0) return
    const freqs = this.freqs
    const { words, arena } = this.#source
    const kernel = unpackKernel(arena)
    if (this.#freqBits === 0) freqs.fill(1, 0, BLOCK_SIZE)
    else if (kernel !== undefined) {
      kernel.unpack(words.byteOffset + this.#packedFreqs * 4, this.#freqBits, 1)
      freqs.set(kernel.out)
    } else {
      unpackBlock(words, this.#packedFreqs, this.#freqBits, freqs)
      for (let i = 0; i < BLOCK_SIZE; i++) freqs[i] = freqs[i]! + 1
    }
    this.#packedFreqs = -1
  }

  advanceBlock(target: number): boolean {
    if (this.count > 0 && this.blockLastDoc >= target) return true
    this.#next = this.#findBlock(target, this.#next)
    if (!this.nextBlock()) return false
    if (this.blockLastDoc >= target) return true
    return this.nextBlock() && this.blockLastDoc >= target
  }

  /** The first block from `from` on that reaches `target`; the tail if no full block does. */
  #findBlock(target: number, from: number): number {
    // Exponential search over the skip entries, then bisection.
    const words = this.#source.words
    const entries = this.#skipAt >>> 2
    let low = from
    let step = 1
    while (low + step < this.#fullBlocks && words[entries + (low + step) * SKIP_WORDS]! < target) step *= 2
    let high = Math.min(low + step, this.#fullBlocks)
    low += step >>> 1
    while (low < high) {
      const middle = (low + high) >>> 1
      if (words[entries + middle * SKIP_WORDS]! < target) low = middle + 1
      else high = middle
    }
    return Math.max(low, from)
  }

  keepShared(docs: Int32Array, count: number, into: Int32Array, freqs: Int32Array | undefined): number {
    const kernel = unpackKernel(this.#source.arena)
    if (kernel === undefined || count > CANDIDATES) return -1
    const { candidates } = kernel
    for (let i = 0; i < count; i++) candidates[i] = docs[i]!
    let block = this.count > 0 ? this.#next - 1 : this.#next
    let at = 0
    let kept = 0
    while (at < count) {
      block = this.#findBlock(docs[at]!, block)
      if (block >= this.#fullBlocks) return this.#keepInTail(kernel, docs, at, count, kept, into, freqs)
      kept = this.#keepInBlock(kernel, block, at, count, kept, freqs)
      at = kernel.reached
    }
    this.skipTo(block)
    for (let i = 0; i < kept; i++) into[i] = candidates[i]!
    return kept
  }

  #keepInBlock(
    kernel: UnpackKernel,
    block: number,
    from: number,
    end: number,
    before: number,
    freqs: Int32Array | undefined,
  ): number {
    const { words, hasFreqs } = this.#source
    const entry = (this.#skipAt >>> 2) + block * SKIP_WORDS
    const at = (this.#skipAt + words[entry + 1]!) >>> 2
    const docBits = words[at]! & 0xff
    const freqBits = (words[at]! >>> 8) & 0xff
    const first = block === 0 ? 0 : words[entry - SKIP_WORDS]!
    kernel.unpackDeltas(words.byteOffset + (at + 1) * 4, docBits, first)
    const kept = kernel.keepIn(from, end, before)
    if (freqs === undefined || kept === before) return kept
    if (!hasFreqs || freqBits === 0) freqs.fill(1, before, kept)
    else {
      const { entries, out } = kernel
      kernel.unpack(words.byteOffset + (at + 1 + packedWords(docBits)) * 4, freqBits, 1)
      for (let i = before; i < kept; i++) freqs[i] = out[entries[i]! >> 2]!
    }
    return kept
  }

  #keepInTail(
    kernel: UnpackKernel,
    docs: Int32Array,
    from: number,
    end: number,
    before: number,
    into: Int32Array,
    freqs: Int32Array | undefined,
  ): number {
    if (this.#next <= this.#fullBlocks || this.count === 0) {
      this.#next = this.#fullBlocks
      this.nextBlock()
    }
    let kept = before
    let entry = 0
    for (let i = from; i < end; i++) {
      const doc = docs[i]!
      while (entry < this.count && this.docs[entry]! < doc) entry++
      if (entry === this.count) break
      if (this.docs[entry] !== doc) continue
      if (freqs !== undefined) freqs[kept] = this.freqs[entry]!
      kernel.candidates[kept++] = doc
    }
    for (let i = 0; i < kept; i++) into[i] = kernel.candidates[i]!
    return kept
  }

  readPositions(index: number): number {
    const bytes = this.#source.positionBytes!
    this.loadFreqs()
    if (index < this.#positionEntry) this.#rewindPositions()
    let at = this.#positionAt
    let skipped = 0
    for (let entry = this.#positionEntry; entry < index; entry++) skipped += this.freqs[entry]!
    // The last byte of a number is the one without the upper bit.
    while (skipped > 0) skipped -= (bytes[at++]! >>> 7) ^ 1
    const freq = this.freqs[index]!
    if (this.positions.length < freq) this.positions = new Int32Array(Math.max(freq, 16))
    let position = 0
    for (let i = 0; i < freq; i++) {
      let shift = 0
      let delta = 0
      for (;;) {
        const byte = bytes[at++]!
        delta |= (byte & 0x7f) << shift
        if (byte < 0x80) break
        shift += 7
      }
      position += delta
      this.positions[i] = position
    }
    this.#positionAt = at
    this.#positionEntry = index + 1
    return freq
  }

  loadPositions(): void {
    if (this.#positionsLoaded === this.#next) return
    this.#positionsLoaded = this.#next
    this.loadFreqs()
    const { freqs, count } = this
    let total = 0
    for (let entry = 0; entry < count; entry++) total += freqs[entry]!
    if (this.blockPositions.length < total) this.blockPositions = new Int32Array(total * 2)
    if (this.positionStarts.length < count) this.positionStarts = new Int32Array(BLOCK_SIZE)
    const bytes = this.#source.positionBytes!
    const out = this.blockPositions
    let from = this.#blockPositionsAt()
    const kernel = count === 0 || total > POSITIONS ? undefined : unpackKernel(this.#source.arena)
    if (kernel !== undefined) {
      kernel.frequencies.set(freqs.subarray(0, count))
      kernel.readPositions(bytes.byteOffset + from, count)
      this.positionStarts.set(kernel.starts.subarray(0, count))
      out.set(kernel.positions.subarray(0, total))
      return
    }
    let to = 0
    for (let entry = 0; entry < count; entry++) {
      this.positionStarts[entry] = to
      let position = 0
      for (const end = to + freqs[entry]!; to < end; to++) {
        let delta = bytes[from++]!
        if (delta >= 0x80) {
          delta &= 0x7f
          for (let shift = 7; ; shift += 7) {
            const byte = bytes[from++]!
            delta |= (byte & 0x7f) << shift
            if (byte < 0x80) break
          }
        }
        position += delta
        out[to] = position
      }
    }
  }

  #rewindPositions(): void {
    this.#positionEntry = 0
    this.#positionAt = this.#blockPositionsAt()
  }

  /** The start of the positions of the current block. */
  #blockPositionsAt(): number {
    const block = this.#next - 1
    if (block >= this.#fullBlocks) return this.#tailPositions()
    return this.#positionsStart + this.#source.words[(this.#skipAt >>> 2) + block * SKIP_WORDS + 2]!
  }

  /** The positions of the tail follow those of the last full block, which are skipped. */
  #tailPositions(): number {
    if (this.#fullBlocks === 0) return this.#positionsStart
    const words = this.#source.words
    const bytes = this.#source.positionBytes!
    const last = this.#fullBlocks - 1
    let at = this.#positionsStart + words[(this.#skipAt >>> 2) + last * SKIP_WORDS + 2]!
    const freqs = new Int32Array(BLOCK_SIZE)
    const block = (this.#skipAt + words[(this.#skipAt >>> 2) + last * SKIP_WORDS + 1]!) >>> 2
    const docBits = words[block]! & 0xff
    unpackBlock(words, block + 1 + packedWords(docBits), (words[block]! >>> 8) & 0xff, freqs)
    let left = BLOCK_SIZE
    for (let i = 0; i < BLOCK_SIZE; i++) left += freqs[i]!
    while (left > 0) left -= (bytes[at++]! >>> 7) ^ 1
    return at
  }

  #loadFull(block: number): void {
    const words = this.#source.words
    const entry = (this.#skipAt >>> 2) + block * SKIP_WORDS
    const at = (this.#skipAt + words[entry + 1]!) >>> 2
    const header = words[at]!
    const docBits = header & 0xff
    const docs = this.docs
    const before = block === 0 ? 0 : words[entry - SKIP_WORDS]!
    const kernel = unpackKernel(this.#source.arena)
    if (kernel === undefined || docBits === 0) addUpBlock(words, at + 1, docBits, before, docs)
    else {
      kernel.unpackDeltas(words.byteOffset + (at + 1) * 4, docBits, before)
      docs.set(kernel.out)
    }
    if (this.#source.hasFreqs) {
      this.#packedFreqs = at + 1 + packedWords(docBits)
      this.#freqBits = (header >>> 8) & 0xff
      if (!this.lazyFreqs) this.loadFreqs()
    }
    this.count = BLOCK_SIZE
    this.blockLastDoc = docs[BLOCK_SIZE - 1]!
    this.#positionEntry = 0x7fffffff
  }

  #loadTail(): void {
    const count = this.#tailCount
    this.count = count
    this.#positionEntry = 0x7fffffff
    this.#packedFreqs = -1
    if (this.#single >= 0) {
      this.docs[0] = this.blockLastDoc = this.#single
      return
    }
    const { bytes, hasFreqs, words } = this.#source
    let at = this.#tailAt
    let doc = this.#fullBlocks === 0 ? 0 : words[(this.#skipAt >>> 2) + (this.#fullBlocks - 1) * SKIP_WORDS]!
    for (let i = 0; i < count; i++) {
      let value = 0
      let shift = 0
      for (;;) {
        const byte = bytes[at++]!
        value |= (byte & 0x7f) << shift
        if (byte < 0x80) break
        shift += 7
      }
      if (!hasFreqs) {
        doc += value
        this.docs[i] = doc
        continue
      }
      doc += value >>> 1
      this.docs[i] = doc
      let freq = 1
      if ((value & 1) === 0) {
        freq = 0
        shift = 0
        for (;;) {
          const byte = bytes[at++]!
          freq |= (byte & 0x7f) << shift
          if (byte < 0x80) break
          shift += 7
        }
      }
      this.freqs[i] = freq
    }
    this.blockLastDoc = doc
  }

  #endOfBlocks(): number {
    const words = this.#source.words
    const entry = (this.#skipAt >>> 2) + (this.#fullBlocks - 1) * SKIP_WORDS
    const at = (this.#skipAt + words[entry + 1]!) >>> 2
    const header = words[at]!
    return (at + 1 + packedWords(header & 0xff) + packedWords((header >>> 8) & 0xff)) * 4
  }
}

/** Unpacks and sums differences, if there is no kernel. */
function addUpBlock(words: Int32Array, at: number, bits: number, before: number, docs: Int32Array): void {
  unpackBlock(words, at, bits, docs)
  let doc = before
  for (let i = 0; i < BLOCK_SIZE; i++) {
    doc += docs[i]!
    docs[i] = doc
  }
}

const NO_NUMBERS = new Int32Array(0)

/**
 * Arrays of readers are slices of larger ones: a query creates some for every term and segment, and separate
 * allocations cost more.
 */
const SLAB_NUMBERS = 64 * BLOCK_SIZE
let slab = NO_NUMBERS
let slabUsed = 0

function takeNumbers(count: number): Int32Array {
  if (slabUsed + count > slab.length) {
    slab = new Int32Array(SLAB_NUMBERS)
    slabUsed = 0
  }
  slabUsed += count
  return slab.subarray(slabUsed - count, slabUsed)
}
