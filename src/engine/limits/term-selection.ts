/**
 * Some of the terms of a field, under new ordinals. A term of the selection stands for one or more terms of the field:
 * its documents are theirs. Nothing here refers to the segment's memory, which may be dropped and loaded again: postings
 * are read from the terms that a caller passes.
 */
import { compareBytes } from '../segment/buffer/term-table.ts'
import type { Postings, TermsReader } from '../segment/segment-reader-api.ts'
import { ListedPostings, unionOfDocs } from './listed-postings.ts'

/** Sorted texts, one behind the other. */
export interface Texts {
  readonly termBytes: Uint8Array
  readonly termOffsets: Uint32Array
}

export class TermSelection implements Texts {
  readonly termCount: number
  readonly termBytes: Uint8Array
  readonly termOffsets: Uint32Array
  /** Term i stands for the terms `#members[#starts[i] .. #starts[i + 1])`. */
  readonly #starts: Uint32Array
  readonly #members: Int32Array

  private constructor(texts: Texts, starts: Uint32Array, members: Int32Array) {
    this.termCount = starts.length - 1
    this.termBytes = texts.termBytes
    this.termOffsets = texts.termOffsets
    this.#starts = starts
    this.#members = members
  }

  /** The terms with the given ordinals, which ascend. */
  static of(all: Texts, ordinals: Int32Array): TermSelection {
    const starts = Uint32Array.from({ length: ordinals.length + 1 }, (_, i) => i)
    const startOf = (ordinal: number) => all.termOffsets[ordinal]!
    return new TermSelection(copyTexts(all, ordinals, startOf), starts, ordinals)
  }

  /** The texts behind the prefixes of the given terms: terms that differ in the prefix only become one. */
  static withoutPrefixes(all: Texts, ordinals: Int32Array, startOf: (ordinal: number) => number): TermSelection {
    const { termBytes: bytes, termOffsets: offsets } = all
    const textStarts = new Uint32Array(all.termOffsets.length - 1)
    for (const ordinal of ordinals) textStarts[ordinal] = startOf(ordinal)
    const start = (ordinal: number) => textStarts[ordinal]!
    const compare = (a: number, b: number) =>
      compareBytes(bytes, start(a), offsets[a + 1]!, bytes, start(b), offsets[b + 1]!)
    const members = ordinals.slice().sort((a, b) => compare(a, b) || a - b)
    const starts: number[] = []
    for (let i = 0; i < members.length; i++) {
      if (i === 0 || compare(members[i - 1]!, members[i]!) !== 0) starts.push(i)
    }
    const firsts = Int32Array.from(starts, (i) => members[i]!)
    return new TermSelection(copyTexts(all, firsts, start), Uint32Array.from([...starts, members.length]), members)
  }

  get byteLength(): number {
    return this.termBytes.byteLength + this.termOffsets.byteLength + this.#starts.byteLength + this.#members.byteLength
  }

  /** The ordinal in the selection of each term of the field; -1 for terms that are not selected. */
  ordinalsOf(termCount: number): Int32Array {
    const ordinals = new Int32Array(termCount).fill(-1)
    for (let i = 0; i < this.termCount; i++) for (const member of this.members(i)) ordinals[member] = i
    return ordinals
  }

  members(ordinal: number): Int32Array {
    return this.#members.subarray(this.#starts[ordinal]!, this.#starts[ordinal + 1]!)
  }

  term(ordinal: number): Uint8Array {
    return this.termBytes.slice(this.termOffsets[ordinal]!, this.termOffsets[ordinal + 1]!)
  }

  /** The ordinal of a term, or -(insertion point) - 1. */
  find(term: Uint8Array): number {
    let low = 0
    let high = this.termCount - 1
    while (low <= high) {
      const middle = (low + high) >>> 1
      const end = this.termOffsets[middle + 1]!
      const order = compareBytes(this.termBytes, this.termOffsets[middle]!, end, term, 0, term.length)
      if (order === 0) return middle
      if (order < 0) low = middle + 1
      else high = middle - 1
    }
    return -low - 1
  }
}

function copyTexts(all: Texts, ordinals: Int32Array, startOf: (ordinal: number) => number): Texts {
  const termOffsets = new Uint32Array(ordinals.length + 1)
  for (let i = 0; i < ordinals.length; i++) {
    const ordinal = ordinals[i]!
    termOffsets[i + 1] = termOffsets[i]! + all.termOffsets[ordinal + 1]! - startOf(ordinal)
  }
  const termBytes = new Uint8Array(termOffsets[ordinals.length]!)
  for (let i = 0; i < ordinals.length; i++) {
    const ordinal = ordinals[i]!
    termBytes.set(all.termBytes.subarray(startOf(ordinal), all.termOffsets[ordinal + 1]!), termOffsets[i]!)
  }
  return { termBytes, termOffsets }
}

/** A selection with the postings of the field. */
export class SelectedTerms implements TermsReader {
  readonly termCount: number
  readonly termBytes: Uint8Array
  readonly termOffsets: Uint32Array
  readonly hasFreqs: boolean
  readonly hasPositions: boolean
  readonly #selection: TermSelection
  readonly #all: TermsReader
  readonly #docCount: number
  #docs: number | undefined
  #frequencies: { readonly docs: number; readonly total: number } | undefined

  constructor(selection: TermSelection, all: TermsReader, docCount: number) {
    this.termCount = selection.termCount
    this.termBytes = selection.termBytes
    this.termOffsets = selection.termOffsets
    this.hasFreqs = all.hasFreqs
    this.hasPositions = all.hasPositions
    this.#selection = selection
    this.#all = all
    this.#docCount = docCount
  }

  get docCount(): number {
    this.#docs ??= unionOfDocs(this.#everyPostings(), this.#docCount).length
    return this.#docs
  }

  *#everyPostings(): Iterable<Postings> {
    for (let i = 0; i < this.termCount; i++) yield* this.#postingsOf(i)
  }

  *#postingsOf(ordinal: number): Iterable<Postings> {
    for (const member of this.#selection.members(ordinal)) yield this.#all.postings(member, false)
  }

  get sumDocFreq(): number {
    return this.#sums().docs
  }

  get sumTotalTermFreq(): number {
    return this.#sums().total
  }

  #sums(): { readonly docs: number; readonly total: number } {
    if (this.#frequencies !== undefined) return this.#frequencies
    let docs = 0
    let total = 0
    for (let i = 0; i < this.termCount; i++) {
      docs += this.docFreq(i)
      total += this.totalTermFreq(i)
    }
    this.#frequencies = { docs, total }
    return this.#frequencies
  }

  find(term: Uint8Array): number {
    return this.#selection.find(term)
  }

  term(ordinal: number): Uint8Array {
    return this.#selection.term(ordinal)
  }

  docFreq(ordinal: number): number {
    const members = this.#selection.members(ordinal)
    return members.length === 1 ? this.#all.docFreq(members[0]!) : this.#merged(ordinal).docFreq
  }

  totalTermFreq(ordinal: number): number {
    const members = this.#selection.members(ordinal)
    return members.length === 1 ? this.#all.totalTermFreq(members[0]!) : this.#merged(ordinal).docFreq
  }

  postings(ordinal: number, withPositions: boolean): Postings {
    const members = this.#selection.members(ordinal)
    return members.length === 1 ? this.#all.postings(members[0]!, withPositions) : this.#merged(ordinal)
  }

  #merged(ordinal: number): ListedPostings {
    return new ListedPostings(unionOfDocs(this.#postingsOf(ordinal), this.#docCount))
  }
}
