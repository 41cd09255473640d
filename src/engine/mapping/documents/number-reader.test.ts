import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readDecimal, utf16Length } from './number-reader.ts'

// Goal: the fast path for digits never differs from the language's own parser by a bit.
test('decimals equal Number() of the same text', () => {
  const digits = fc.stringMatching(/^-?(0|[1-9][0-9]{0,17})(\.[0-9]{1,24})?([eE][+-]?[0-9]{1,3})?$/)
  fc.assert(
    fc.property(fc.oneof(digits, fc.double({ noNaN: true, noDefaultInfinity: true }).map(String)), (text) => {
      const bytes = Buffer.from(`x${text},`)
      assert.ok(Object.is(readDecimal(bytes, 1, bytes.length - 1), Number(text)), text)
    }),
    { numRuns: 2000 },
  )
})

test('utf16Length counts UTF-16 units', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const bytes = Buffer.from(text)
      assert.equal(utf16Length(bytes, 0, bytes.length), text.length)
    }),
  )
})
