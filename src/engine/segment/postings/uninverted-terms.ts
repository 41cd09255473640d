/**
 * The terms of a text field as doc values, built from its inverted index for `fielddata: true`. It costs a pass over
 * all postings of the field and memory of this thread, once per segment.
 */
import type { TermsReader } from '../segment-reader-api.ts'
import { ListedOrdinals } from './listed-ordinals.ts'

export function uninvertTerms(terms: TermsReader, docCount: number): ListedOrdinals {
  const offsets = new Uint32Array(docCount + 1)
  forEachPosting(terms, (doc) => {
    offsets[doc + 1]!++
  })
  for (let doc = 0; doc < docCount; doc++) offsets[doc + 1]! += offsets[doc]!
  const ordinals = new Int32Array(offsets[docCount]!)
  const next = offsets.slice()
  forEachPosting(terms, (doc, ordinal) => {
    ordinals[next[doc]!++] = ordinal
  })
  return new ListedOrdinals(terms, offsets, ordinals)
}

function forEachPosting(terms: TermsReader, visit: (doc: number, ordinal: number) => void): void {
  for (let ordinal = 0; ordinal < terms.termCount; ordinal++) {
    const postings = terms.postings(ordinal, false)
    while (postings.nextBlock()) for (let i = 0; i < postings.count; i++) visit(postings.docs[i]!, ordinal)
  }
}
