import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ParsedDocument, ROOT, TEXT } from '../../document/parsed-document.ts'
import { WriteBuffer } from '../buffer/write-buffer.ts'
import { openChunks, SCHEMAS } from '../segment-fixture.ts'
import { sealSegment } from '../segment-writer.ts'
import { PostingsWriter } from './postings-writer.ts'

/** Seals documents with several values of a text field, and reads back the postings of each term. */
function postingsOf(docs: readonly (readonly string[])[], positionGap: number): Record<string, unknown[]> {
  const schema = { ...SCHEMAS[0]!, positionGap }
  const parsed = new ParsedDocument()
  const buffer = new WriteBuffer()
  for (const [seqNo, values] of docs.entries()) {
    parsed.reset()
    for (const value of values) {
      const start = parsed.reserve(value.length)
      parsed.bytes.set(Buffer.from(value), start)
      parsed.add(schema, TEXT, start, start + value.length, ROOT)
    }
    parsed.endDocument(ROOT)
    const meta = { idBytes: Buffer.from(`${seqNo}`), seqNo, version: 1, primaryTerm: 1, routing: undefined }
    buffer.add(parsed, [schema], meta, Buffer.from('{}'))
  }
  const terms = openChunks(sealSegment(buffer, { nestedPaths: [] }).chunks).terms('text')!
  const found: Record<string, unknown[]> = {}
  for (let ordinal = 0; ordinal < terms.termCount; ordinal++) {
    const postings = terms.postings(ordinal, true)
    const entries: unknown[] = []
    while (postings.nextBlock()) {
      for (let i = 0; i < postings.count; i++) {
        const count = postings.readPositions(i)
        entries.push([postings.docs[i], [...postings.positions.subarray(0, count)]])
      }
    }
    found[Buffer.from(terms.term(ordinal)).toString()] = entries
  }
  return found
}

test('positions that share a word with their document are those of the values', () => {
  assert.deepEqual(postingsOf([['a b a', 'b'], ['b']], 100), {
    a: [[0, [0, 2]]],
    b: [
      [0, [1, 103]],
      [1, [0]],
    ],
  })
})

test('positions too large to share a word with their document are those of the values', () => {
  const gap = 2 ** 29
  assert.deepEqual(postingsOf([['a b', 'a', 'b b', 'a'], ['b'], ['x', 'a'], ['a']], gap), {
    a: [
      [0, [0, 2 + gap, 5 + gap * 3]],
      [2, [1 + gap]],
      [3, [0]],
    ],
    b: [
      [0, [1, 3 + gap * 2, 4 + gap * 2]],
      [1, [0]],
    ],
    x: [[2, [0]]],
  })
})

test('a term written from its occurrences has the same bytes as one added document by document', () => {
  const document = fc.record({ skip: fc.nat({ max: 300 }), gaps: fc.array(fc.nat({ max: 300 }), { minLength: 1 }) })
  const list = fc.array(document, { minLength: 1, maxLength: 400 })
  const options = fc.constantFrom(
    { hasFreqs: false, hasPositions: false },
    { hasFreqs: true, hasPositions: false },
    { hasFreqs: true, hasPositions: true },
  )
  const positionBits = 13
  fc.assert(
    fc.property(fc.array(list, { maxLength: 4 }), options, (terms, { hasFreqs, hasPositions }) => {
      const norms = new Uint8Array(400 * 301).fill(7)
      const expected = new PostingsWriter({ hasFreqs, hasPositions, norms })
      const actual = new PostingsWriter({ hasFreqs, hasPositions, norms })
      for (const documents of terms) {
        const occurrences: number[] = []
        expected.beginTerm()
        let doc = -1
        for (const { skip, gaps } of documents) {
          doc += skip + 1
          expected.addDoc(doc, gaps.length)
          let position = 0
          for (const gap of gaps) {
            position += gap
            if (hasPositions) expected.addPosition(position)
            occurrences.push(hasPositions ? (doc << positionBits) | position : doc)
          }
        }
        const bits = hasPositions ? positionBits : 0
        // The list is a part of the array, as in a field with several terms.
        const address = actual.writeTerm(Int32Array.from([0, ...occurrences, 0]), 1, occurrences.length + 1, bits)
        assert.equal(address, expected.endTerm())
      }
      assert.deepEqual(actual.bytes.view(), expected.bytes.view())
      assert.deepEqual(actual.positionBytes.view(), expected.positionBytes.view())
      assert.equal(actual.sumTotalTermFreq, expected.sumTotalTermFreq)
    }),
    { numRuns: 60 },
  )
})
