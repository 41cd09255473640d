import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { JsonReader } from '../../../base/json/json-reader.ts'
import { encodeSource, inHashOrder, readSourceObject, type SourceObject } from './source-value.ts'
import { mergeSource } from './update-merge.ts'

const read = (text: string): SourceObject => {
  const reader = new JsonReader().reset(Buffer.from(text))
  reader.next()
  return readSourceObject(reader)
}
const print = (source: SourceObject) => Buffer.from(encodeSource(source)).toString()

function merged(source: string, changes: string): { result: string; changed: boolean } {
  const target = read(source)
  const changed = mergeSource(target, read(changes))
  return { result: print(target), changed }
}

test('an update merges objects and replaces all other values', () => {
  assert.deepEqual(merged('{"a":{"x":1,"y":[1,2]},"b":1}', '{"a":{"y":[3]},"c":null}'), {
    result: '{"a":{"x":1,"y":[3]},"b":1,"c":null}',
    changed: true,
  })
  assert.equal(merged('{"a":{"x":1}}', '{"a":5}').result, '{"a":5}')
  assert.equal(merged('{"a":5}', '{"a":{"x":1}}').result, '{"a":{"x":1}}')
})

test('an update that changes nothing is a noop', () => {
  assert.equal(merged('{"a":{"x":[1,{"y":"z"}]},"n":null}', '{"a":{"x":[1,{"y":"z"}]}}').changed, false)
  assert.equal(merged('{"n":null}', '{"n":null}').changed, false)
  assert.equal(merged('{}', '{"n":null}').changed, true)
  assert.equal(merged('{"n":1}', '{"n":1.0}').changed, true)
  assert.equal(merged('{"n":[1,2]}', '{"n":[2,1]}').changed, true)
})

test('an update keeps the form of numbers and the order of members', () => {
  const source = '{"z":1.0,"2":12345678901234567890,"a":1.0E10,"1":{"__proto__":1}}'
  assert.equal(print(read(source)), source)
})

// Goal: an update merges any documents correctly. Method: random JSON objects, merged by a simple model and compared.
test('merging agrees with a simple model', () => {
  const object = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 })
  fc.assert(
    fc.property(object, object, (source, changes) => {
      const target = read(JSON.stringify(source))
      mergeSource(target, inHashOrder(read(JSON.stringify(changes))) as SourceObject)
      assert.deepEqual(JSON.parse(print(target)), JSON.parse(JSON.stringify(model(source, changes))))
      assert.equal(mergeSource(target, read(JSON.stringify(changes))), false, 'a second time changes nothing')
    }),
  )
})

type Json = Record<string, unknown>
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

function model(source: Json, changes: Json): Json {
  const result = new Map(Object.entries(source))
  for (const [name, change] of Object.entries(changes)) {
    const old = result.get(name)
    result.set(name, isObject(old) && isObject(change) ? model(old, change) : change)
  }
  return Object.fromEntries(result)
}
