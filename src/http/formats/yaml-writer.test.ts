import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parse } from 'yaml'
import { jsonToYaml } from './yaml-writer.ts'

// Goal: any YAML reader understands what we write.
test('YAML means what the JSON meant', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value)
      assert.deepEqual(parse(jsonToYaml(Buffer.from(text))), JSON.parse(text))
    }),
  )
})

test("YAML answers have Elasticsearch's layout", () => {
  assert.equal(
    jsonToYaml(Buffer.from('{"count":1,"hits":[{"_id":"1","x":{}},[2]],"none":[]}')),
    '---\ncount: 1\nhits:\n- _id: "1"\n  x: {}\n- - 2\nnone: []\n',
  )
})
