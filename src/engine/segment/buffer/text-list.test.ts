import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { reviveAnalyzer } from '../../analysis/index-analyzers/choose.ts'
import type { FieldSchema, IndexAnalyzer } from '../../document/field-schema.ts'
import { ParsedDocument, ROOT, TEXT } from '../../document/parsed-document.ts'
import { sealSegment } from '../segment-writer.ts'
import { ListMemory } from './list-memory.ts'
import { WriteBuffer } from './write-buffer.ts'

const standard = reviveAnalyzer({ kind: 'standard', maxTokenLength: 255, lower: true, stopWords: ['the'] })
const atOnce: IndexAnalyzer = { analyze: (bytes, start, end, sink) => standard.analyze(bytes, start, end, sink) }

function schemaWith(analyzer: IndexAnalyzer): FieldSchema {
  const shape = { inverted: 'positions', norms: true, docValues: 'none', ordered: false, positionGap: 100 } as const
  return { id: 0, name: 't', analyzer, ...shape }
}

function fill(analyzer: IndexAnalyzer, documents: readonly (readonly string[])[], memory?: ListMemory): WriteBuffer {
  const schemas = [schemaWith(analyzer)]
  const buffer = new WriteBuffer({ memory })
  const parsed = new ParsedDocument()
  documents.forEach((texts, i) => {
    parsed.reset()
    for (const text of texts) {
      const bytes = Buffer.from(text)
      const start = parsed.reserve(bytes.length)
      parsed.bytes.set(bytes, start)
      parsed.add(schemas[0]!, TEXT, start, start + bytes.length, ROOT)
    }
    parsed.endDocument(ROOT)
    const meta = { idBytes: Buffer.from(`${i}`), seqNo: i, version: 1, primaryTerm: 1, routing: undefined }
    buffer.add(parsed, schemas, meta, Buffer.from('{}'))
  })
  return buffer
}

const fileOf = (buffer: WriteBuffer) => Buffer.concat(sealSegment(buffer, { nestedPaths: [] }).chunks)

// Goal: it does not matter when and in which thread a text is analyzed. Method: random texts, several per document; the
// files must be equal byte for byte.
test('texts analyzed late, in this or another thread, give the same segment', () => {
  const word = fc.constantFrom('The', 'quick', "fox's", 'naïve', 'x', 'ß', '日本', 'a.b', '')
  const text = fc.array(word, { maxLength: 8 }).map((words) => words.join(' '))
  const memory = new ListMemory()
  const elsewhere = new ListMemory()
  fc.assert(
    fc.property(fc.array(fc.array(text, { maxLength: 3 }), { minLength: 1, maxLength: 40 }), (documents) => {
      const expected = fileOf(fill(atOnce, documents))
      const late = fill(standard, documents, memory)
      const revival = { memory: elsewhere, analyzer: reviveAnalyzer }
      const unpacked = WriteBuffer.unpack(structuredClone(late.pack()), revival)
      assert.deepEqual(fileOf(unpacked), expected)
      unpacked.release()
      assert.deepEqual(fileOf(late), expected)
      // The next list reuses the memory of the previous one.
      late.release()
    }),
    { numRuns: 60 },
  )
})
