import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { WriteBuffer } from '../buffer/write-buffer.ts'
import { addPlain, openChunks, type PlainDocument } from '../segment-fixture.ts'
import { sealSegment } from '../segment-writer.ts'
import { newOrdinalBlock, newPointBlock, newValueBlock } from './doc-values-block.ts'

/** The number of values per document: one, at most one, or any number. */
const SHAPES = [
  { minLength: 1, maxLength: 1 },
  { minLength: 0, maxLength: 1 },
  { minLength: 0, maxLength: 4 },
]
/** Numbers that need one, two and four bytes, doubles, and a single value. */
const NUMBERS = [
  fc.integer({ min: -100, max: 100 }),
  fc.integer({ min: -20_000, max: 20_000 }),
  fc.integer({ min: -(2 ** 30), max: 2 ** 30 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constant(7),
]

const documents = fc.tuple(fc.constantFrom(...SHAPES), fc.constantFrom(...NUMBERS)).chain(([shape, number]) =>
  fc.array(
    fc.record({
      number: fc.array(number, shape),
      long: fc.array(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), shape),
      tag: fc.uniqueArray(fc.string({ maxLength: 2 }), shape),
      place: fc.array(fc.tuple(fc.integer(), fc.integer()), shape),
    }),
    { minLength: 1, maxLength: 150 },
  ),
)

interface Slots {
  start(doc: number): number
  end(doc: number): number
}

// Goal: a block equals reading slot by slot, for every form and width of doc values. Method: random documents, random
// ascending subsets of them, the blocks reused between reads.
test('a block of doc values equals the values read document by document', () => {
  const values = newValueBlock(4)
  const ordinals = newOrdinalBlock(4)
  const points = newPointBlock(4)
  fc.assert(
    fc.property(documents, fc.array(fc.boolean(), { minLength: 150, maxLength: 150 }), (docs, picked) => {
      const buffer = new WriteBuffer()
      for (const [i, doc] of docs.entries()) addPlain(buffer, { ...doc, id: `d${i}` } as PlainDocument, i)
      const reader = openChunks(sealSegment(buffer, { nestedPaths: [] }).chunks)
      const wanted = Int32Array.from([...docs.keys()].filter((doc) => picked[doc]))
      const room = { offsets: new Int32Array(wanted.length + 1) }
      const slots = (docValues: Slots) => [...wanted].map((doc) => range(docValues.start(doc), docValues.end(doc)))
      const entries = (offsets: Int32Array, all: ArrayLike<number>) =>
        [...wanted].map((_, i) => range(offsets[i]!, offsets[i + 1]!).map((at) => all[at]!))
      for (const name of ['number', 'long']) {
        const docValues = reader.numericDocValues(name)
        if (docValues === undefined) continue
        const block = { ...values, ...room }
        docValues.readBlock(wanted, wanted.length, block)
        const expected = slots(docValues).map((list) => list.map((slot) => docValues.valueAt(slot)))
        assert.deepEqual(entries(block.offsets, block.values), expected)
      }
      const terms = reader.sortedSetDocValues('tag')
      if (terms !== undefined) {
        const block = { ...ordinals, ...room }
        terms.readBlock(wanted, wanted.length, block)
        const expected = slots(terms).map((list) => list.map((slot) => terms.ordinalAt(slot)))
        assert.deepEqual(entries(block.offsets, block.ordinals), expected)
      }
      const places = reader.geoDocValues('place')
      if (places !== undefined) {
        const block = { ...points, ...room }
        places.readBlock(wanted, wanted.length, block)
        const all = slots(places)
        assert.deepEqual(
          entries(block.offsets, block.latitudes),
          all.map((list) => list.map((slot) => places.latitudeAt(slot))),
        )
        assert.deepEqual(
          entries(block.offsets, block.longitudes),
          all.map((list) => list.map((slot) => places.longitudeAt(slot))),
        )
      }
    }),
    { numRuns: 150 },
  )
})

function range(start: number, end: number): number[] {
  return Array.from({ length: end - start }, (_, i) => start + i)
}
