/**
 * Inverted fields: `.tim` has the terms in blocks, `.doc` documents and frequencies, `.pos` positions, `.tmd` and
 * `.tip` the index.
 */
import { sharedLength } from './doc-values-size.ts'
import { vintBytes } from './packed-size.ts'

export interface IndexedTerm {
  readonly bytes: Uint8Array
  readonly docs: readonly number[]
  /** Undefined if they are not stored. */
  readonly freqs: readonly number[] | undefined
  /** The positions of all documents in sequence; undefined if they are not stored. */
  readonly positions: readonly number[] | undefined
}

const BLOCK_MIN = 25
const BLOCK_MAX = 48

/** Adds up the files of one postings format. Fields must be added in the order of their names. */
export class PostingsSize {
  meta = 0
  terms = 0
  index = 0
  docs = 0
  positions = 0

  /** Terms in their order. */
  addField(terms: readonly IndexedTerm[]): void {
    if (terms.length === 0) return
    const blocks = new BlockWriter(HEADER_BYTES + this.terms)
    for (const term of terms) blocks.push(this.#place(term))
    const { rootCodeBytes, indexBytes } = blocks.finish()
    this.terms = blocks.at - HEADER_BYTES
    this.meta += statisticsBytes(terms) + FIELD_META_BYTES + rootCodeBytes + vintBytes(HEADER_BYTES + this.index)
    this.index += indexBytes
  }

  #place(term: IndexedTerm): PlacedTerm {
    const { bytes, docs, freqs, positions } = term
    const placed = {
      bytes,
      docFreq: docs.length,
      totalFreq: freqs && sumOf(freqs),
      singleDoc: docs.length === 1 ? docs[0]! : -1,
      docsAt: HEADER_BYTES + this.docs,
      positionsAt: positions === undefined ? undefined : HEADER_BYTES + this.positions,
    }
    if (docs.length > 1) this.docs += docsBytes(docs, freqs)
    if (positions !== undefined) for (const step of positionSteps(positions, freqs!)) this.positions += vintBytes(step)
    return placed
  }
}

const HEADER_BYTES = 63
const FIELD_META_BYTES = 22

/** Numbers of terms, documents and occurrences, and the first and last term. */
function statisticsBytes(terms: readonly IndexedTerm[]): number {
  let docFreqs = 0
  let totalFreqs: number | undefined
  const docs = new Set<number>()
  for (const term of terms) {
    docFreqs += term.docs.length
    for (const doc of term.docs) docs.add(doc)
    if (term.freqs !== undefined) totalFreqs = (totalFreqs ?? 0) + sumOf(term.freqs)
  }
  const counts = vintBytes(terms.length) + vintBytes(docFreqs) + vintBytes(docs.size)
  const ends = [terms[0]!, terms.at(-1)!].map(({ bytes: { length } }) => vintBytes(length) + length)
  return counts + (totalFreqs === undefined ? 0 : vintBytes(totalFreqs)) + sumOf(ends)
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)

interface PlacedTerm {
  readonly bytes: Uint8Array
  readonly docFreq: number
  readonly totalFreq: number | undefined
  readonly singleDoc: number
  readonly docsAt: number
  readonly positionsAt: number | undefined
}

interface Block {
  readonly prefix: Uint8Array
  readonly at: number
}

function docsBytes(docs: readonly number[], freqs: readonly number[] | undefined): number {
  let bytes = 0
  let before = 0
  docs.forEach((doc, i) => {
    const step = doc - before
    before = doc
    if (freqs === undefined) bytes += vintBytes(step)
    else bytes += vintBytes(step * 2) + (freqs[i] === 1 ? 0 : vintBytes(freqs[i]!))
  })
  return bytes
}

function* positionSteps(positions: readonly number[], freqs: readonly number[]): Generator<number> {
  let at = 0
  for (const freq of freqs) {
    let before = 0
    for (let i = 0; i < freq; i++, at++) {
      yield positions[at]! - before
      before = positions[at]!
    }
  }
}

/** Terms that share a prefix form a block as soon as there are enough of them. */
class BlockWriter {
  /** The start of the next block. */
  at: number
  /** Entries that are not in a block yet. */
  readonly #pending: (PlacedTerm | Block)[] = []
  /** For each character of the last term: the first pending entry that shares it. */
  readonly #starts: number[] = []
  #last: Uint8Array = new Uint8Array(0)
  /** The approximate size of the index entries of blocks below the root. */
  #indexed = 0

  constructor(at: number) {
    this.at = at
  }

  push(term: PlacedTerm): void {
    this.#close(term.bytes)
    this.#pending.push(term)
  }

  finish(): { rootCodeBytes: number; indexBytes: number } {
    this.#close(new Uint8Array(0))
    const rootCodeBytes = this.#writeBlocks(0, this.#pending.length)
    return { rootCodeBytes, indexBytes: 1 + this.#indexed }
  }

  #close(next: Uint8Array): void {
    const shared = sharedLength(this.#last, next)
    for (let i = this.#last.length - 1; i >= shared; i--) {
      const count = this.#pending.length - this.#starts[i]!
      if (count < BLOCK_MIN) continue
      this.#writeBlocks(i + 1, count)
      this.#starts[i] = this.#starts[i]! - (count - 1)
    }
    for (let i = shared; i < next.length; i++) this.#starts[i] = this.#pending.length
    this.#last = next
  }

  /** Writes blocks of the last entries, which become one entry. Returns the size of its index entry. */
  #writeBlocks(prefixLength: number, count: number): number {
    const entries = this.#pending.splice(-count, count)
    const { at } = this
    let from = 0
    let lastLabel = -1
    const floors: number[] = []
    for (let i = 0; i < count; i++) {
      const label = keyOf(entries[i]!)[prefixLength] ?? -1
      if (label === lastLabel) continue
      if (i - from >= BLOCK_MIN && count - from > BLOCK_MAX) {
        this.#writeBlock(prefixLength, entries.slice(from, i))
        from = i
        floors.push(this.at - at)
      }
      lastLabel = label
    }
    this.#writeBlock(prefixLength, entries.slice(from))
    this.#pending.push({ prefix: keyOf(entries[0]!).subarray(0, prefixLength), at })
    const codeBytes =
      vintBytes(at * 4) +
      (floors.length === 0 ? 0 : 1) +
      floors.reduce((sum, floor) => sum + 1 + vintBytes(floor * 2), 0)
    if (prefixLength > 0) this.#indexed += prefixLength * 2 + codeBytes + 1
    return codeBytes
  }

  #writeBlock(prefixLength: number, entries: readonly (PlacedTerm | Block)[]): void {
    const isLeaf = entries.every((entry) => 'bytes' in entry)
    let suffixes = 0
    const lengths: number[] = []
    const stats = new TermStats()
    const places = new TermPlaces()
    for (const entry of entries) {
      const own = keyOf(entry).length - prefixLength
      suffixes += own
      lengths.push(isLeaf ? own : own * 2)
      if ('bytes' in entry) {
        stats.add(entry)
        places.add(entry)
      } else lengths.push(this.at - entry.at)
    }
    const lengthBytes = lengths.reduce((sum, length) => sum + vintBytes(length), 0)
    const allEqual = lengths.every((length) => length === lengths[0])
    this.at += vintBytes(entries.length * 2) + vintBytes(suffixes * 8) + suffixes
    this.at += vintBytes(lengthBytes * 2) + (allEqual ? 1 : lengthBytes)
    this.at += withLength(stats.finish()) + withLength(places.bytes)
  }
}

const withLength = (bytes: number) => vintBytes(bytes) + bytes
const keyOf = (entry: PlacedTerm | Block) => ('bytes' in entry ? entry.bytes : entry.prefix)

/** Document frequencies; runs of terms that occur once in one document are counted. */
class TermStats {
  #bytes = 0
  #singles = 0

  add({ docFreq, totalFreq }: PlacedTerm): void {
    if (docFreq === 1 && (totalFreq === undefined || totalFreq === 1)) {
      this.#singles++
      return
    }
    this.finish()
    this.#bytes += vintBytes(docFreq * 2) + (totalFreq === undefined ? 0 : vintBytes(totalFreq - docFreq))
  }

  finish(): number {
    if (this.#singles > 0) this.#bytes += vintBytes((this.#singles - 1) * 2)
    this.#singles = 0
    return this.#bytes
  }
}

/** The addresses of the terms' lists, as differences from the previous term. */
class TermPlaces {
  bytes = 0
  #last: PlacedTerm | undefined

  add(term: PlacedTerm): void {
    const last = this.#last
    const docsFrom = term.docsAt - (last?.docsAt ?? 0)
    if (last !== undefined && last.singleDoc >= 0 && term.singleDoc >= 0 && docsFrom === 0) {
      const step = term.singleDoc - last.singleDoc
      this.bytes += vintBytes((step < 0 ? -2 * step - 1 : 2 * step) * 2)
    } else {
      this.bytes += vintBytes(docsFrom * 2)
      if (term.singleDoc >= 0) this.bytes += vintBytes(term.singleDoc)
    }
    if (term.positionsAt !== undefined) this.bytes += vintBytes(term.positionsAt - (last?.positionsAt ?? 0))
    this.#last = term
  }
}
