import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { newOrdinalBlock } from '../doc-values/doc-values-block.ts'
import { uninvertTerms } from './uninverted-terms.ts'

/** A dictionary with the documents of each term, in blocks of two. */
function termsOf(documents: readonly (readonly number[])[], termCount: number) {
  return {
    termCount,
    term: (ordinal: number) => Buffer.from(`t${ordinal}`),
    find: () => -1,
    postings(ordinal: number) {
      const docs = documents.flatMap((terms, doc) => (terms.includes(ordinal) ? [doc] : []))
      let at = 0
      const postings = {
        docs: new Int32Array(2),
        count: 0,
        nextBlock() {
          postings.count = Math.min(2, docs.length - at)
          for (let i = 0; i < postings.count; i++) postings.docs[i] = docs[at + i]!
          at += postings.count
          return postings.count > 0
        },
      }
      return postings
    },
  }
}

test("uninverted doc values have the ordinals of each document's terms, ascending, alone and in blocks", () => {
  fc.assert(
    fc.property(fc.array(fc.uniqueArray(fc.nat(9), { maxLength: 5 }), { minLength: 1, maxLength: 20 }), (documents) => {
      const docValues = uninvertTerms(termsOf(documents, 10) as never, documents.length)
      const sorted = documents.map((terms) => [...terms].sort((a, b) => a - b))
      const ordinals = (doc: number) =>
        Array.from({ length: docValues.end(doc) - docValues.start(doc) }, (_, i) =>
          docValues.ordinalAt(docValues.start(doc) + i),
        )
      assert.deepEqual(
        documents.map((_, doc) => ordinals(doc)),
        sorted,
      )
      assert.equal(docValues.docsWithValue, documents.filter((terms) => terms.length > 0).length)
      assert.equal(
        docValues.multiValued,
        documents.some((terms) => terms.length > 1),
      )
      const block = newOrdinalBlock(documents.length)
      docValues.readBlock(Int32Array.from(documents.keys()), documents.length, block)
      assert.deepEqual([...block.ordinals.subarray(0, docValues.valueCount)], sorted.flat())
      assert.equal(block.offsets[documents.length], docValues.valueCount)
    }),
  )
})
