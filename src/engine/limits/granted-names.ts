/** `_field_names`, which lists for each document the fields without doc values and norms that it has: the granted names. */
import type { Postings, TermsReader } from '../segment/segment-reader-api.ts'
import type { ListedPostings } from './listed-postings.ts'
import { SelectedTerms, TermSelection } from './term-selection.ts'

/** What a caller may know of the documents that have a field. */
export interface NameGrants {
  hasPhysical(name: string): boolean
  /** The documents in which the caller sees the field; undefined if these are all that have it. */
  visibleDocs(name: string): ListedPostings | undefined
}

export class GrantedNames extends SelectedTerms {
  readonly #grants: NameGrants

  constructor(all: TermsReader, docCount: number, grants: NameGrants) {
    const granted: number[] = []
    for (let ordinal = 0; ordinal < all.termCount; ordinal++) {
      if (grants.hasPhysical(textOf(all.term(ordinal)))) granted.push(ordinal)
    }
    super(TermSelection.of(all, Int32Array.from(granted)), all, docCount)
    this.#grants = grants
  }

  override docFreq(ordinal: number): number {
    return this.#visible(ordinal)?.docFreq ?? super.docFreq(ordinal)
  }

  override totalTermFreq(ordinal: number): number {
    return this.#visible(ordinal)?.docFreq ?? super.totalTermFreq(ordinal)
  }

  override postings(ordinal: number, withPositions: boolean): Postings {
    return this.#visible(ordinal) ?? super.postings(ordinal, withPositions)
  }

  #visible(ordinal: number): ListedPostings | undefined {
    return this.#grants.visibleDocs(textOf(this.term(ordinal)))
  }
}

const textOf = (term: Uint8Array) => Buffer.from(term).toString()
