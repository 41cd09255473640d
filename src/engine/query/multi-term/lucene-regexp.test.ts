import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ALL_FLAGS, LuceneRegExp } from './lucene-regexp.ts'

const matches = (pattern: string, text: string) => new LuceneRegExp(pattern, ALL_FLAGS, false).matches(text)

// Goal: syntax common to Lucene and JavaScript has the same meaning in both.
test('common regular expression syntax matches as in JavaScript', () => {
  const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '(a|b)', '(ab)')
  const pattern = fc
    .array(fc.tuple(atom, fc.constantFrom('', '*', '+', '?', '{2}', '{1,2}')), { minLength: 1, maxLength: 5 })
    .map((parts) => parts.flat().join(''))
  const text = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 8 }).map((letters) => letters.join(''))
  fc.assert(
    fc.property(pattern, text, (source, value) => {
      assert.equal(matches(source, value), new RegExp(`^(?:${source})$`, 's').test(value), `${source} ${value}`)
    }),
  )
})

test("Lucene's own regular expression syntax is supported", () => {
  assert.equal(matches('~(ab)', 'ab'), false)
  assert.equal(matches('~(ab)', 'abc'), true)
  assert.equal(matches('a.*&.*z', 'a-z'), true)
  assert.equal(matches('a.*&.*z', 'a-y'), false)
  assert.equal(matches('<7-12>', '9'), true)
  assert.equal(matches('<07-12>', '9'), false)
  assert.equal(matches('a@', 'anything'), true)
  assert.equal(matches('"a.b"', 'a.b'), true)
  assert.equal(matches('"a.b"', 'axb'), false)
})

test('an expression that makes backtracking explode is answered immediately', () => {
  assert.equal(matches('(a*)*(a*)*(a*)*b', 'a'.repeat(2_000)), false)
})

test('syntax errors report their position in the expression', () => {
  assert.throws(() => matches('f(ast', ''), { message: "expected ')' at position 5" })
  assert.throws(() => matches('a{2', ''), { message: "expected '}' at position 3" })
  assert.throws(() => matches('a)', ''), { message: 'end-of-string expected at position 1' })
})

test('the literal prefix limits the terms to visit', () => {
  assert.equal(new LuceneRegExp('quick.*', ALL_FLAGS, false).literalPrefix, 'quick')
  assert.equal(new LuceneRegExp('(a|b)c', ALL_FLAGS, false).literalPrefix, '')
})

test('an expression that is nested too deeply is rejected', () => {
  const deep = `${'('.repeat(50_000)}a${')'.repeat(50_000)}`
  for (const pattern of [deep, '~'.repeat(50_000)]) {
    assert.throws(() => matches(pattern, 'a'), { status: 400, message: 'The request is nested too deeply' })
  }
})
