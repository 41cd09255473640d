import assert from 'node:assert/strict'
import { test } from 'node:test'
import { javaFlags, javaPattern, javaReplacement } from './java-pattern.ts'

const found = (pattern: string, text: string, flags?: string) =>
  Array.from(javaPattern(pattern, javaFlags(flags)).matchesIn(text), (match) => match.group())

test('syntax that exists only in Java has its Java meaning', () => {
  assert.deepEqual(found('\\Qa.b\\E+', 'a.b axb a.bb'), ['a.b', 'a.bb'])
  assert.deepEqual(found('(?i)ab', 'AB ab'), ['AB', 'ab'])
  assert.deepEqual(found('\\p{Lower}++', 'abC'), ['ab'])
  assert.deepEqual(found('\\p{L}+', 'äb1'), ['äb'])
  assert.deepEqual(found('\\p{IsAlphabetic}+|\\p{IsHan}', 'ab1漢'), ['ab', '漢'])
  assert.deepEqual(found('[\\p{Punct}&&[^.]]', 'a.b,c!'), [',', '!'])
  assert.deepEqual(found('[a-c[x-z]]+', 'abxmz'), ['abx', 'z'])
  assert.deepEqual(found('[a-z&&[^aeiou]]+', 'hello'), ['h', 'll'])
  assert.deepEqual(found('[()\\[\\]{}|/-]', 'a(b]-c'), ['(', ']', '-'])
  assert.deepEqual(found('\\h+', 'a \t b'), [' \t '])
  assert.deepEqual(found('a{2}+', 'aaa'), ['aa'])
  assert.deepEqual(found('\\W+', 'a-b'), ['-'])
})

test('flags are given by name', () => {
  assert.equal(javaFlags('CASE_INSENSITIVE|DOTALL'), 34)
  assert.throws(() => javaFlags('NOPE'), { message: 'Unknown regex flag [NOPE]' })
})

test('a malformed pattern is rejected with its position', () => {
  assert.throws(() => javaPattern('[a'), { message: 'Unclosed character class near index 1\n[a\n ^' })
  assert.throws(() => javaPattern('*a'), { message: "Dangling meta character '*' near index 0\n*a\n^" })
  assert.throws(() => javaPattern('(a'), { message: 'Unclosed group near index 2\n(a' })
})

test('replacements refer to groups by number or name', () => {
  const [match] = javaPattern('(?<x>a)(b)?').matchesIn('a')
  assert.equal(javaReplacement(['<$1$2$', '{x}\\$>'].join(''))(match!), '<aa$>')
})
