import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parse } from 'yaml'
import { jsonToYaml } from './yaml-writer.ts'

// Goal: any YAML parser reads our output.
test('YAML output has the same value as the JSON', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value)
      assert.deepEqual(parse(jsonToYaml(Buffer.from(text))), JSON.parse(text))
    }),
  )
})

test("YAML responses have Elasticsearch's layout", () => {
  assert.equal(
    jsonToYaml(Buffer.from('{"count":1,"hits":[{"_id":"1","x":{}},[2]],"none":[]}')),
    '---\ncount: 1\nhits:\n- _id: "1"\n  x: {}\n- - 2\nnone: []\n',
  )
})
