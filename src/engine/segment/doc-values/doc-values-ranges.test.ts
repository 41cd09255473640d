import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { WriteBuffer } from '../buffer/write-buffer.ts'
import { mergeSegments } from '../merge/segment-merger.ts'
import { addPlain, openChunks, type PlainDocument } from '../segment-fixture.ts'
import type { StoredSegment } from '../segment-reader.ts'
import { sealSegment } from '../segment-writer.ts'
import { RANGE_BLOCK_DOCS } from './doc-values-ranges.ts'

const context = { nestedPaths: [] }

function build(docs: readonly PlainDocument[], firstSeqNo: number) {
  const buffer = new WriteBuffer()
  for (const [i, doc] of docs.entries()) addPlain(buffer, doc, firstSeqNo + i)
  return openChunks(sealSegment(buffer, context).chunks)
}

/** The bounds of every block, computed value by value. */
function boundsOf(reader: StoredSegment): number[] {
  const docValues = reader.numericDocValues('number')!
  const bounds: number[] = []
  for (let first = 0; first < reader.docCount; first += RANGE_BLOCK_DOCS) {
    let min = Number.POSITIVE_INFINITY
    let max = Number.NEGATIVE_INFINITY
    for (let doc = first; doc < Math.min(first + RANGE_BLOCK_DOCS, reader.docCount); doc++) {
      for (let slot = docValues.start(doc); slot < docValues.end(doc); slot++) {
        min = Math.min(min, docValues.valueAt(slot))
        max = Math.max(max, docValues.valueAt(slot))
      }
    }
    bounds.push(min, max)
  }
  return bounds
}

// Goal: the bounds of a block are those of its values, in a written and in a merged segment.
test('doc values store the bounds of their blocks', () => {
  const value = fc.oneof(fc.integer({ min: -1e6, max: 1e6 }), fc.double({ noNaN: true, noDefaultInfinity: true }))
  fc.assert(
    fc.property(
      fc.array(fc.array(value, { maxLength: 2 }), { minLength: 50, maxLength: 100 }),
      fc.integer({ min: 600, max: 1600 }),
      fc.integer({ min: 1, max: 599 }),
      (values, count, cut) => {
        const docs = Array.from({ length: count }, (_, i) => ({ id: `d${i}`, number: values[i % values.length]! }))
        if (values.every((list) => list.length === 0)) return
        const whole = build(docs, 0)
        assert.deepEqual([...whole.numericDocValues('number')!.ranges!], boundsOf(whole))
        const inputs = [build(docs.slice(0, cut), 0), build(docs.slice(cut), cut)]
        const merged = openChunks(
          mergeSegments(
            inputs.map((reader) => ({ reader, kept: undefined })),
            context,
          ).chunks,
        )
        assert.deepEqual([...merged.numericDocValues('number')!.ranges!], boundsOf(whole))
      },
    ),
    { numRuns: 15 },
  )
})
