/**
 * Positional queries: the matches within a document. A source iterates the documents of a segment that may match, and
 * lists the matches of one of them. Lists are built completely: a document has few matches, and the rules for combining
 * them look back and forth.
 */
import { NO_MORE_DOCS, type Postings, type SegmentReader } from '../../segment/segment-reader-api.ts'

/** Documents must be requested in ascending order. */
export interface PositionalIterator<T> {
  /** The approximate number of matching documents. */
  readonly cost: number
  /** A lower bound of the next document with a match at or after `target`. */
  next(target: number): number
  /** The matches in a document, in order; empty if it has none. */
  read(doc: number): readonly T[]
}

/** Documents in which all of the sources have a match. */
export function inAll<T, R>(
  sources: readonly PositionalIterator<T>[],
  combine: (lists: readonly (readonly T[])[]) => readonly R[],
): PositionalIterator<R> {
  return {
    cost: Math.min(...sources.map(({ cost }) => cost)),
    next(target) {
      let doc = target
      for (const source of sources) {
        doc = source.next(doc)
        if (doc === NO_MORE_DOCS) return doc
      }
      return doc
    },
    read(doc) {
      const lists: (readonly T[])[] = []
      for (const source of sources) {
        const list = source.read(doc)
        if (list.length === 0) return []
        lists.push(list)
      }
      return combine(lists)
    },
  }
}

/** Documents in which one of the sources has a match. */
export function inAny<T, R>(
  sources: readonly PositionalIterator<T>[],
  combine: (lists: readonly (readonly T[])[]) => readonly R[],
): PositionalIterator<R> {
  return {
    cost: sources.reduce((sum, { cost }) => sum + cost, 0),
    next: (target) => sources.reduce((first, source) => Math.min(first, source.next(target)), NO_MORE_DOCS),
    read: (doc) => combine(sources.map((source) => source.read(doc))),
  }
}

/** Documents of the first source; the second only filters its matches. */
export function filteredBy<T>(
  source: PositionalIterator<T>,
  other: PositionalIterator<T> | undefined,
  combine: (list: readonly T[], other: readonly T[]) => readonly T[],
): PositionalIterator<T> {
  return {
    cost: source.cost,
    next: (target) => source.next(target),
    read(doc) {
      const list = source.read(doc)
      return list.length === 0 ? list : combine(list, other?.read(doc) ?? [])
    },
  }
}

/** The positions of one term; undefined if the segment does not have it. */
export function termPositions<T>(
  reader: SegmentReader,
  field: string,
  term: Uint8Array,
  place: (position: number) => T,
): PositionalIterator<T> | undefined {
  const terms = reader.terms(field)
  const ordinal = terms === undefined ? -1 : terms.find(term)
  if (terms === undefined || ordinal < 0 || !terms.hasPositions) return undefined
  return new TermPlaces(terms.postings(ordinal, true), place)
}

class TermPlaces<T> implements PositionalIterator<T> {
  readonly cost: number
  readonly #postings: Postings
  readonly #place: (position: number) => T
  #at: number

  constructor(postings: Postings, place: (position: number) => T) {
    this.#postings = postings
    this.#place = place
    this.#at = postings.nextBlock() ? 0 : -1
    this.cost = postings.docFreq
  }

  next(target: number): number {
    const postings = this.#postings
    if (this.#at < 0) return NO_MORE_DOCS
    if (postings.blockLastDoc < target) this.#at = postings.advanceBlock(target) ? 0 : -1
    while (this.#at >= 0 && this.#at < postings.count && postings.docs[this.#at]! < target) this.#at++
    return this.#at >= 0 && this.#at < postings.count ? postings.docs[this.#at]! : NO_MORE_DOCS
  }

  read(doc: number): T[] {
    if (this.next(doc) !== doc) return []
    const count = this.#postings.readPositions(this.#at)
    const found: T[] = []
    for (let i = 0; i < count; i++) found.push(this.#place(this.#postings.positions[i]!))
    return found
  }
}
