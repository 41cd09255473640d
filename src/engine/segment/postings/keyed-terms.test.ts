import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { newOrdinalBlock } from '../doc-values/doc-values-block.ts'
import type { SortedSetDocValues } from '../segment-reader-api.ts'
import { KeyedTerms } from './keyed-terms.ts'

/** Doc values of `key\0value` terms over documents. */
function docValuesOf(documents: readonly (readonly string[])[]): SortedSetDocValues {
  const terms = [...new Set(documents.flat())].map((term) => Buffer.from(term)).sort(Buffer.compare)
  const slots = documents.map((values) =>
    [...new Set(values)]
      .map((value) => terms.findIndex((term) => term.equals(Buffer.from(value))))
      .sort((a, b) => a - b),
  )
  const starts = slots.map((_, doc) => slots.slice(0, doc).flat().length)
  return {
    termCount: terms.length,
    has: (doc: number) => slots[doc]!.length > 0,
    start: (doc: number) => starts[doc]!,
    end: (doc: number) => starts[doc]! + slots[doc]!.length,
    ordinalAt: (slot: number) => slots.flat()[slot]!,
    term: (ordinal: number) => terms[ordinal]!,
    find(wanted: Uint8Array) {
      const at = terms.findIndex((term) => Buffer.compare(term, wanted) >= 0)
      if (at < 0) return -terms.length - 1
      return terms[at]!.equals(wanted) ? at : -at - 1
    },
  } as unknown as SortedSetDocValues
}

test('a key of a flattened field has only its own values, alone and in blocks', () => {
  const entry = fc.tuple(fc.constantFrom('a', 'b', 'b.c', 'ba'), fc.constantFrom('x', 'y', 'z'))
  fc.assert(
    fc.property(fc.array(fc.array(entry, { maxLength: 5 }), { minLength: 1, maxLength: 8 }), (documents) => {
      const docValues = docValuesOf(documents.map((entries) => entries.map(([key, value]) => `${key}\u0000${value}`)))
      const keyed = new KeyedTerms(docValues, 'b', documents.length)
      const expected = documents.map((entries) =>
        [...new Set(entries.filter(([key]) => key === 'b').map(([, value]) => value))].sort(),
      )
      const text = (ordinal: number) => Buffer.from(keyed.term(ordinal)).toString()
      const valuesOf = (doc: number) =>
        Array.from({ length: keyed.end(doc) - keyed.start(doc) }, (_, i) => text(keyed.ordinalAt(keyed.start(doc) + i)))
      assert.deepEqual(
        documents.map((_, doc) => valuesOf(doc)),
        expected,
      )
      assert.equal(keyed.docsWithValue, expected.filter((values) => values.length > 0).length)
      const block = newOrdinalBlock(documents.length)
      keyed.readBlock(Int32Array.from(documents.keys()), documents.length, block)
      assert.deepEqual([...block.ordinals.subarray(0, keyed.valueCount)].map(text), expected.flat())
      for (let ordinal = 0; ordinal < keyed.termCount; ordinal++) assert.equal(keyed.find(keyed.term(ordinal)), ordinal)
    }),
  )
})
