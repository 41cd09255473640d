import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { prefixEnd, WildcardPattern } from './term-patterns.ts'

// Goal: a wildcard pattern matches the same as the equivalent regular expression.
test('wildcard patterns match like regular expressions', () => {
  const letters = fc.constantFrom('a', 'b', 'é', '😀', '*', '?')
  const pattern = fc.array(letters, { maxLength: 6 }).map((parts) => parts.join(''))
  const text = fc.array(fc.constantFrom('a', 'b', 'é', '😀'), { maxLength: 8 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(pattern, text, (wildcard, value) => {
      const source = [...wildcard].map((c) => (c === '*' ? '.*' : c === '?' ? '.' : c)).join('')
      assert.equal(new WildcardPattern(wildcard, false).matches(value), new RegExp(`^${source}$`, 'su').test(value))
    }),
  )
})

test('a backslash escapes the next character', () => {
  assert.equal(new WildcardPattern('a\\*b', false).matches('a*b'), true)
  assert.equal(new WildcardPattern('a\\*b', false).matches('axb'), false)
})

test('prefixEnd sorts after everything that starts with the prefix', () => {
  assert.deepEqual(prefixEnd(Buffer.from('ab')), Uint8Array.from(Buffer.from('ac')))
  assert.deepEqual(prefixEnd(Uint8Array.of(0x61, 0xff)), Uint8Array.of(0x62))
  assert.equal(prefixEnd(Uint8Array.of(0xff, 0xff)), undefined)
})
