import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ParsedDocument } from '../document/parsed-document.ts'
import { JsonDocumentParser } from '../mapping/documents/document-parser.ts'
import { testMapping } from '../mapping/mapping-fixture.ts'
import { runIndexScripts } from './index-scripts.ts'

const PROPERTIES = {
  n: { type: 'long' },
  tripled: { type: 'long', script: "emit(doc['n'].value * 3)" },
  half: { type: 'double', script: "emit(doc['tripled'].value / 2.0)" },
  year: { type: 'date', format: 'yyyy', script: "emit(parse('2020') + 1)" },
  upper: { type: 'keyword', script: 'for (x in params._source.words) { emit(x.toUpperCase()) }' },
  at: { type: 'geo_point', script: 'emit(1.5, 2.5)' },
  careless: { type: 'long', script: "emit(doc['none'].value)", on_script_error: 'continue' },
}

const mappingOf = (properties: Record<string, Record<string, unknown>>) => testMapping(properties)

test('scripts of a mapping see the document, the source and each other, and a failure is ignored only if the field allows it', () => {
  const source = Buffer.from('{"n": 4, "words": ["a", "b"]}')
  const values = runIndexScripts(mappingOf(PROPERTIES), source)
  assert.deepEqual(Object.fromEntries(values), {
    tripled: ['12'],
    half: ['6'],
    year: ['1577836800001'],
    upper: ['"A"', '"B"'],
    at: ['{"lat":1.5,"lon":2.5}'],
    careless: undefined,
  })
})

test('a document with a value for a scripted field, or whose script fails, is refused', () => {
  const parser = new JsonDocumentParser(runIndexScripts)
  const { tripled, n } = PROPERTIES
  const refusal = (source: string) => {
    try {
      const bytes = Buffer.from(source)
      parser.parse(
        mappingOf({ n, tripled }),
        bytes,
        0,
        bytes.length,
        { id: '1', routing: undefined },
        new ParsedDocument(),
      )
      return undefined
    } catch (error) {
      return (error as Error).message
    }
  }
  assert.equal(refusal('{"n": 1}'), undefined)
  assert.match(refusal('{"n": 1, "tripled": 3}')!, /failed to parse field \[tripled\] of type \[long\]/)
  assert.match(refusal('{}')!, /Error executing script on field \[tripled\]/)
})
