/**
 * Maps documents to their values in doc values. Values are in document order; those of a document are the slots [start,
 * end). The first form that fits is used:
 * - every document has one value: the slot is the document
 * - a document has at most one value: presence bits, and a running count every 512 documents to find a slot
 * - several values: one offset per document
 */
import { ensure } from '../../../base/assert.ts'
import { countWord, hasBit, setBit, wordsFor } from '../../../base/bit-set.ts'
import { bytesOf } from '../doc-values/number-codec.ts'

export type SlotShape = 'dense' | 'sparse' | 'multi'

export interface EncodedSlots {
  readonly shape: SlotShape
  readonly docsWithValue: number
  readonly bytes: Uint8Array
}

const WORDS_PER_COUNT = 16

/** The offsets of a window in which each document has one value: copying is faster than counting. */
const IDENTITY = Int32Array.from({ length: 4096 + 1 }, (_, i) => i)

/** `docs[i]` is the document of value i, ascending. */
export function encodeSlots(docs: Int32Array, count: number, docCount: number): EncodedSlots {
  let docsWithValue = 0
  let multi = false
  let previous = -1
  for (let i = 0; i < count; i++) {
    if (docs[i] === previous) multi = true
    else docsWithValue++
    previous = docs[i]!
  }
  if (multi) return { shape: 'multi', docsWithValue, bytes: bytesOf(encodeOffsets(docs, count, docCount)) }
  if (docsWithValue === docCount) return { shape: 'dense', docsWithValue, bytes: new Uint8Array(0) }
  return { shape: 'sparse', docsWithValue, bytes: bytesOf(encodePresence(docs, count, docCount)) }
}

function encodeOffsets(docs: Int32Array, count: number, docCount: number): Uint32Array {
  const offsets = new Uint32Array(docCount + 1)
  for (let i = 0; i < count; i++) offsets[docs[i]! + 1]!++
  for (let doc = 0; doc < docCount; doc++) offsets[doc + 1] = offsets[doc + 1]! + offsets[doc]!
  return offsets
}

function encodePresence(docs: Int32Array, count: number, docCount: number): Uint32Array {
  const words = wordsFor(docCount)
  const counts = Math.ceil(words / WORDS_PER_COUNT)
  const encoded = new Uint32Array(words + counts)
  for (let i = 0; i < count; i++) setBit(encoded, docs[i]!)
  let running = 0
  for (let word = 0; word < words; word++) {
    if (word % WORDS_PER_COUNT === 0) encoded[words + word / WORDS_PER_COUNT] = running
    running += countWord(encoded[word]!)
  }
  return encoded
}

export class ValueSlots {
  readonly docsWithValue: number
  readonly valueCount: number
  readonly multiValued: boolean
  readonly shape: SlotShape
  /** Presence words (sparse) or offsets (multi). */
  readonly words: Uint32Array
  readonly #presenceWords: number

  constructor(shape: SlotShape, docsWithValue: number, valueCount: number, docCount: number, bytes: Uint8Array) {
    this.shape = shape
    this.docsWithValue = docsWithValue
    this.valueCount = valueCount
    this.multiValued = shape === 'multi'
    this.words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >>> 2)
    this.#presenceWords = wordsFor(docCount)
    if (shape === 'dense') ensure(valueCount === docCount, 'a value for each document is as many values as documents')
    else if (shape === 'sparse')
      ensure(this.words.length >= this.#presenceWords, 'every document has a bit for its value')
    else ensure(this.words[docCount] === valueCount, 'the last values of a field are those of the last document')
  }

  has(doc: number): boolean {
    if (this.shape === 'dense') return true
    if (this.shape === 'sparse') return hasBit(this.words, doc)
    return this.words[doc + 1]! > this.words[doc]!
  }

  start(doc: number): number {
    if (this.shape === 'dense') return doc
    if (this.shape === 'multi') return this.words[doc]!
    const word = doc >>> 5
    let slot = this.words[this.#presenceWords + Math.floor(word / WORDS_PER_COUNT)]!
    for (let i = word - (word % WORDS_PER_COUNT); i < word; i++) slot += countWord(this.words[i]!)
    return slot + countWord(this.words[word]! & ((1 << (doc & 31)) - 1))
  }

  /**
   * The slots of `docs[0, count)`, ascending: entry i has slots[offsets[i] .. offsets[i + 1]). Returns the array of
   * slots: `docs` itself if every document has one value, otherwise `slots` or a larger array.
   */
  readSlots(docs: Int32Array, count: number, offsets: Int32Array, slots: Int32Array): Int32Array {
    if (this.shape === 'multi') return this.#readMany(docs, count, offsets, slots)
    if (this.shape === 'sparse') return this.#readSome(docs, count, offsets, slots)
    if (count < IDENTITY.length) offsets.set(count + 1 === IDENTITY.length ? IDENTITY : IDENTITY.subarray(0, count + 1))
    else for (let i = 0; i <= count; i++) offsets[i] = i
    return docs
  }

  /** Counts from document to document: a separate rank for each would count the same words again. */
  #readSome(docs: Int32Array, count: number, offsets: Int32Array, slots: Int32Array): Int32Array {
    const words = this.words
    let last = -1
    let rank = 0
    /** 1 if the last document has a value. */
    let has = 0
    let found = 0
    for (let i = 0; i < count; i++) {
      const doc = docs[i]!
      offsets[i] = found
      if (doc !== last) {
        rank = doc === last + 1 ? rank + has : this.#rankFrom(last + 1, rank + has, doc)
        has = (words[doc >>> 5]! >>> (doc & 31)) & 1
        last = doc
      }
      if (has === 1) slots[found++] = rank
    }
    offsets[count] = found
    return slots
  }

  /** The number of documents before `doc` with a value, given that `rank` have one before `earlier`. */
  #rankFrom(earlier: number, rank: number, doc: number): number {
    if (doc < earlier || doc >>> 5 !== earlier >>> 5) return this.start(doc)
    return rank + countWord(this.words[doc >>> 5]! & ((1 << (doc & 31)) - (1 << (earlier & 31))))
  }

  #readMany(docs: Int32Array, count: number, offsets: Int32Array, slots: Int32Array): Int32Array {
    const words = this.words
    let found = 0
    for (let i = 0; i < count; i++) {
      offsets[i] = found
      found += words[docs[i]! + 1]! - words[docs[i]!]!
    }
    offsets[count] = found
    const out = slots.length >= found ? slots : new Int32Array(found * 2)
    let at = 0
    for (let i = 0; i < count; i++) {
      const end = words[docs[i]! + 1]!
      for (let slot = words[docs[i]!]!; slot < end; slot++) out[at++] = slot
    }
    return out
  }

  end(doc: number): number {
    if (this.shape === 'dense') return doc + 1
    if (this.shape === 'multi') return this.words[doc + 1]!
    return this.start(doc) + (hasBit(this.words, doc) ? 1 : 0)
  }
}
