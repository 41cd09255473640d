import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { SourceFilter } from './source-filter.ts'

const filtered = (source: string, includes: string[], excludes: string[] = []) =>
  Buffer.from(new SourceFilter(includes, excludes).apply(Buffer.from(source))).toString()

test('includes select fields, objects and patterns', () => {
  const source = '{"n":1,"k":"a","o":{"x":1.0,"y":[1,2],"z":"q"}}'
  assert.equal(filtered(source, ['o.*', 'n'], ['o.y']), '{"n":1,"o":{"x":1.0,"z":"q"}}')
  assert.equal(filtered(source, ['o']), '{"o":{"x":1.0,"y":[1,2],"z":"q"}}')
  assert.equal(filtered(source, ['o.x']), '{"o":{"x":1.0}}')
  assert.equal(filtered(source, ['*.z']), '{"o":{"z":"q"}}')
  assert.equal(filtered(source, ['nothing']), '{}')
})

// Recorded from Elasticsearch, which has two filter implementations.
test('excludes take precedence and remove objects that become empty', () => {
  const source = '{"a":{"b":1},"c":2,"e":{},"l":[{"b":1,"c":2},{"b":3},{},[],[[{"b":1}],[]],5]}'
  const list = '"l":[{"b":1,"c":2},{"b":3},{},[],[[{"b":1}],[]],5]'
  assert.equal(filtered(source, [], ['a.b']), `{"c":2,"e":{},${list}}`)
  assert.equal(filtered(source, ['a'], ['a']), '{}')
  assert.equal(filtered(source, ['l'], ['l.b']), '{"l":[{"c":2},{},[],[[]],5]}')
  assert.equal(filtered('{"l":[{"b":1}],"c":2}', [], ['l.b']), '{"c":2}')
})

test('excludes with a wildcard leave empty members but no empty elements', () => {
  assert.equal(filtered('{"a":{"b":1},"e":{},"l":[{"b":1},{},[],5]}', [], ['*.b']), '{"a":{},"e":{},"l":[5]}')
  assert.equal(filtered('{"l":[{"b":1}],"k":{"l":{"m":1}}}', [], ['l.*', 'k.*']), '{"l":[],"k":{}}')
})

test('dotted names are paths, and escapes stay as they were sent', () => {
  assert.equal(filtered('{"a.b":"x\\u0041","a":{"c":1}}', ['a.b']), '{"a.b":"x\\u0041"}')
  assert.equal(filtered('{"q\\"uote" : [ "\\n" ] , "z":1}', ['q*']), '{"q\\"uote":[ "\\n" ]}')
})

// Goal: a filter that selects everything or nothing changes nothing, and the result is always JSON.
test('a filtered source is JSON, and unchanged if nothing is filtered', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (document) => {
      const source = JSON.stringify(document)
      assert.equal(filtered(source, []), source)
      assert.deepEqual(JSON.parse(filtered(source, ['*'])), JSON.parse(source))
      JSON.parse(filtered(source, ['a*'], ['*b']))
    }),
  )
})
