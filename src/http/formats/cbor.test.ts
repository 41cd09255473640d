import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { encodeJson } from '../../base/json/json-writer.ts'
import { decodeCbor, jsonToCbor } from './cbor.ts'

// Goal: CBOR represents every JSON value in both directions.
test('JSON converted to CBOR and back is unchanged', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
      const text = JSON.stringify(value)
      const back = encodeJson(decodeCbor(jsonToCbor(Buffer.from(text)))).toString()
      assert.deepEqual(JSON.parse(back), JSON.parse(text))
    }),
  )
})

test('CBOR integers keep all digits', () => {
  const text =
    '[9223372036854775807,-9223372036854775808,18446744073709551615,23,24,-25,123456789012345678901234,-99999999999999999999]'
  assert.equal(encodeJson(decodeCbor(jsonToCbor(Buffer.from(text)))).toString(), text)
})

test('CBOR definite lengths, tags, half floats and byte strings are decoded', () => {
  assert.deepEqual(decodeCbor(Buffer.from('d9d9f7a1616182016161', 'hex')), { a: [1, 'a'] })
  assert.equal(encodeJson(decodeCbor(Buffer.from('f93c00', 'hex'))).toString(), '1.0')
  assert.equal(decodeCbor(Buffer.from('43010203', 'hex')), 'AQID')
})

// Goal: no input crashes or hangs the decoder.
test('arbitrary bytes are decoded or rejected', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      try {
        decodeCbor(Buffer.from(bytes))
      } catch (error) {
        assert.equal((error as Error).name, 'ApiError')
      }
    }),
  )
})
