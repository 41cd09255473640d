import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeJson } from '../../base/json/json-writer.ts'
import { parseJson } from './exchange.ts'

test('a lone surrogate in a request reaches the cluster unchanged, and numbers beside it keep their digits', () => {
  const same = (text: string) => assert.equal(encodeJson(parseJson(Buffer.from(text))).toString(), text)
  same('{"query":{"match":{"t":"cedar \\ud83d"}},"a":[9007199254740993,1.0,"\\udc00x"],"\\ud800":{"b":"é"}}')
  same('{"t":"\\ud83d\\\\udc00"}')
  assert.deepEqual(parseJson(Buffer.from('{"t":"\\ud83d\\ude00"}')), { t: '😀' })
})
