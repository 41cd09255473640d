import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { filterSourceBytes } from './source-filter.ts'

const filtered = (source: string, includes: string[], excludes: string[] = []) =>
  Buffer.from(filterSourceBytes(Buffer.from(source), { includes, excludes })).toString()

test('includes name fields, objects and patterns', () => {
  const source = '{"n":1,"k":"a","o":{"x":1.0,"y":[1,2],"z":"q"}}'
  assert.equal(filtered(source, ['o.*', 'n'], ['o.y']), '{"n":1,"o":{"x":1.0,"z":"q"}}')
  assert.equal(filtered(source, ['o']), '{"o":{"x":1.0,"y":[1,2],"z":"q"}}')
  assert.equal(filtered(source, ['o.x']), '{"o":{"x":1.0}}')
  assert.equal(filtered(source, ['*.z']), '{"o":{"z":"q"}}')
  assert.equal(filtered(source, ['nothing']), '{}')
})

test('excludes win and leave the objects around them', () => {
  assert.equal(filtered('{"a":{"b":1},"c":2}', [], ['a.b']), '{"a":{},"c":2}')
  assert.equal(filtered('{"a":{"b":1},"c":2}', ['a'], ['a']), '{}')
  assert.equal(filtered('{"a":[{"b":1,"c":2},{"b":3}],"d":4}', ['a'], ['a.b']), '{"a":[{"c":2},{}]}')
})

test('dotted names are paths, escapes stay as they were sent', () => {
  assert.equal(filtered('{"a.b":"x\\u0041","a":{"c":1}}', ['a.b']), '{"a.b":"x\\u0041"}')
  assert.equal(filtered('{"q\\"uote" : [ "\\n" ] , "z":1}', ['q*']), '{"q\\"uote":[ "\\n" ]}')
})

// Goal: a filter that names everything or nothing changes nothing, and the result is always JSON.
test('what is left is JSON, and all of it when nothing is named', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (document) => {
      const source = JSON.stringify(document)
      assert.equal(filtered(source, []), source)
      assert.deepEqual(JSON.parse(filtered(source, ['*'])), JSON.parse(source))
      JSON.parse(filtered(source, ['a*'], ['*b']))
    }),
  )
})
