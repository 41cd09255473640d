import assert from 'node:assert/strict'
import test from 'node:test'
import { END_OBJECT, JsonReader } from './json-reader.ts'
import { KnownNames } from './known-names.ts'

/** The names of an object's members. */
function namesOf(json: string, known: KnownNames): string[] {
  const reader = new JsonReader().reset(Buffer.from(json))
  const names: string[] = []
  reader.next()
  while (reader.next() !== END_OBJECT) {
    names.push(known.of(reader))
    reader.next()
  }
  return names
}

test('names of members are those of the document, when they are new and when they are known', () => {
  const known = new KnownNames()
  const names = ['a', '', 'ä', 'Ã¤', '@timestamp', 'quoted "name"', 'n'.repeat(200), '😀', 'line\nbreak']
  const json = JSON.stringify(Object.fromEntries(names.map((name) => [name, 1])))
  for (let round = 0; round < 3; round++) assert.deepEqual(namesOf(json, known), names)
})

test('names that share a slot of the table are told apart', () => {
  const known = new KnownNames()
  const names = Array.from({ length: 3000 }, (_, i) => `field_${i}`)
  const json = JSON.stringify(Object.fromEntries(names.map((name) => [name, 1])))
  for (let round = 0; round < 2; round++) assert.deepEqual(namesOf(json, known), names)
})
