import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { compareTerms } from '../values/global-ordinals.ts'
import { decodeKey, encodeKey, type KeyPart } from './compound-key.ts'

const number = fc.double({ noNaN: true }).map((value) => value + 0)
const term = fc.uint8Array({ maxLength: 6 })

test('a compound key decodes to its parts', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(number, term), { minLength: 1, maxLength: 4 }), (parts) => {
      const decoded = decodeKey(encodeKey(parts)).map((part) => (typeof part === 'number' ? part + 0 : part))
      assert.deepEqual(decoded, parts)
    }),
  )
})

test('compound keys sort like their parts', () => {
  const compare = (a: KeyPart, b: KeyPart) =>
    typeof a === 'number' ? Math.sign(a - (b as number)) : Math.sign(compareTerms(a, b as Uint8Array))
  fc.assert(
    fc.property(fc.tuple(term, number), fc.tuple(term, number), (a, b) => {
      fc.pre(Number.isFinite(a[1]) && Number.isFinite(b[1]))
      const expected = compare(a[0], b[0]) || compare(a[1], b[1])
      assert.equal(Math.sign(compareTerms(encodeKey(a), encodeKey(b))), expected + 0)
    }),
  )
})
