import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { hasBit, setBit } from '../../../base/bit-set.ts'
import { openTestShard } from '../../search/search-fixture.ts'
import type { SegmentReader } from '../../segment/segment-reader-api.ts'
import { WINDOW_SIZE, WINDOW_WORDS } from '../window.ts'
import { DocValuesRangeScorer } from './doc-values-range-scorer.ts'
import { numberRangeScorer } from './value-scorers.ts'

const DOCS = 2600

/** Values in order of arrival, scattered, or sometimes absent. */
const SHAPES: Record<string, (i: number) => number | number[] | undefined> = {
  rising: (i) => i * 3,
  scattered: (i) => (i * 7919) % 5000,
  sparse: (i) => (i % 3 === 0 ? undefined : i),
  several: (i) => [i, (i * 31) % 4000],
}

const readers = new Map<string, SegmentReader>()

function readerOf(shape: string): SegmentReader {
  let reader = readers.get(shape)
  if (reader === undefined) {
    const docs = Array.from({ length: DOCS }, (_, i) => ({ id: String(i), source: { n: SHAPES[shape]!(i) } }))
    reader = openTestShard({ n: { type: 'integer' } }, [docs]).view.segments[0]!.reader
    readers.set(shape, reader)
  }
  return reader
}

// Goal: a range has the same documents however it is evaluated. Method: random bounds over several forms of doc values,
// each document compared with its own values.
test('a range matches exactly the documents with a value in it', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.keys(SHAPES)),
      fc.integer({ min: -10, max: 8000 }),
      fc.integer({ min: 0, max: 6000 }),
      (shape, lower, width) => {
        const reader = readerOf(shape)
        const upper = lower + width
        const expected: number[] = []
        for (let doc = 0; doc < DOCS; doc++) {
          const values = [SHAPES[shape]!(doc) ?? []].flat()
          if (values.some((value) => value >= lower && value <= upper)) expected.push(doc)
        }
        const docValues = new DocValuesRangeScorer(reader.numericDocValues('n')!, lower, upper, DOCS, 1)
        const segment = { reader, live: undefined, liveCount: DOCS, docBase: 0 }
        const chosen = numberRangeScorer(segment, 'n', lower, upper, 1)
        for (const scorer of [docValues, chosen]) {
          const bits = new Uint32Array(WINDOW_WORDS)
          const limit = Math.min(WINDOW_SIZE, DOCS)
          if ((scorer?.next(0) ?? DOCS) < DOCS) scorer!.match(0, limit, bits)
          assert.deepEqual(docsOf(bits), expected)
          if (scorer !== undefined && scorer.exactCount >= 0) assert.equal(scorer.exactCount, expected.length)
        }
        const narrowed = new Uint32Array(WINDOW_WORDS)
        for (let doc = 0; doc < DOCS; doc += 4) setBit(narrowed, doc)
        docValues.narrow(0, DOCS, narrowed)
        assert.deepEqual(
          docsOf(narrowed),
          expected.filter((doc) => doc % 4 === 0),
        )
      },
    ),
    { numRuns: 80 },
  )
})

function docsOf(bits: Uint32Array): number[] {
  return Array.from({ length: DOCS }, (_, doc) => doc).filter((doc) => hasBit(bits, doc))
}
