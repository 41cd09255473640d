import assert from 'node:assert/strict'
import { test } from 'node:test'
import { JsonReader } from '../../../base/json/json-reader.ts'
import { plainValue } from '../../../base/json/plain-value.ts'
import { testMapping } from '../mapping-fixture.ts'
import { type SourceObject, valueFor, valuesAt } from './source-values.ts'

function sourceOf(json: string): SourceObject {
  const reader = new JsonReader().reset(Buffer.from(json))
  reader.next()
  return plainValue(reader, true) as SourceObject
}

test('1.0 is text for a keyword field and a number for a numeric field', () => {
  const mapping = testMapping({ k: { type: 'keyword' }, n: { type: 'long' }, p: { type: 'geo_point' } })
  const source = sourceOf('{"k":1.0,"n":1.0,"p":{"lat":2.0,"lon":3.5}}')
  const given = (name: string) => valueFor(mapping.field(name)!, valuesAt(source, name)[0])
  assert.equal(given('k'), '1.0')
  assert.equal(given('n'), 1)
  assert.deepEqual(given('p'), { lat: 2, lon: 3.5 })
})

test('dots lead into objects, and arrays are searched', () => {
  const source = sourceOf('{"a":[{"b":1},{"b":[2,3]}],"a.b":4}')
  assert.deepEqual(valuesAt(source, 'a.b'), [1, [2, 3], 4])
})
