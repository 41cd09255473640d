import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Backtracker } from './backtracker.ts'
import {
  CASE_INSENSITIVE,
  COMMENTS,
  DOTALL,
  LITERAL,
  MULTILINE,
  UNICODE_CASE,
  UNICODE_CHARACTER_CLASS,
} from './flags.ts'
import { compileJavaRegex, type RegexMatch, StepBudget } from './java-regex.ts'
import { parseJavaRegex } from './parse-java-regex.ts'
import { compileProgram } from './program.ts'

const BUDGET = 1_000_000

function all(pattern: string, text: string, flags = 0): string[] {
  return matches(pattern, text, flags).map((match) => match.group()!)
}

function matches(pattern: string, text: string, flags = 0): RegexMatch[] {
  const regex = compileJavaRegex(pattern, flags)
  const budget = new StepBudget(BUDGET)
  const found: RegexMatch[] = []
  let from = 0
  let lastEnd = 0
  for (;;) {
    const match = regex.find(text, from, budget, lastEnd)
    if (match === undefined) return found
    found.push(match)
    lastEnd = match.end()
    from = match.end() === match.start() ? match.end() + 1 : match.end()
  }
}

const groups = (pattern: string, text: string) => {
  const match = compileJavaRegex(pattern).find(text, 0, new StepBudget(BUDGET))
  return match === undefined ? undefined : Array.from({ length: match.groupCount + 1 }, (_, i) => match.group(i))
}

test("character classes support Java's unions, intersections, negation of the whole class and quotation", () => {
  assert.deepEqual(all('[a-c&&[^b]]', 'abcd'), ['a', 'c'])
  assert.deepEqual(all('[[a]b]', 'abc'), ['a', 'b'])
  assert.deepEqual(all('[^a[b]]', 'abc'), ['c'])
  assert.deepEqual(all('[\\Qa-b\\E]+', 'a-bc'), ['a-b'])
  assert.deepEqual(all('\\Qa.\\E+', 'a.. ab'), ['a..'])
  assert.deepEqual(all('[\\p{L}&&[^\\p{Lu}]]+', 'aBcÉé'), ['a', 'c', 'é'])
})

test('\\w, \\d and \\s match ASCII only, unless UNICODE_CHARACTER_CLASS is set', () => {
  assert.deepEqual(all('\\w+', 'aé1'), ['a', '1'])
  assert.deepEqual(all('\\w+', 'aé1', UNICODE_CHARACTER_CLASS), ['aé1'])
  assert.deepEqual(all('\\s', 'a\u00a0b '), [' '])
  assert.deepEqual(all('é', 'É', CASE_INSENSITIVE), [])
  assert.deepEqual(all('é', 'É', CASE_INSENSITIVE | UNICODE_CASE), ['É'])
  assert.deepEqual(all('k', 'K\u212a', CASE_INSENSITIVE), ['K'])
})

test('a dollar sign matches before the last line terminator, and a multiline caret does not match at the end of the text', () => {
  assert.deepEqual(
    matches('$', 'a\r\n').map((match) => match.start()),
    [1, 3],
  )
  assert.deepEqual(
    matches('^', 'a\nb\n', MULTILINE).map((match) => match.start()),
    [0, 2],
  )
  assert.deepEqual(all('a.b', 'a\u2028b a\u2028b', DOTALL), ['a\u2028b', 'a\u2028b'])
  assert.deepEqual(all('a.b', 'a\u2028b'), [])
})

test('possessive quantifiers and atomic groups do not backtrack', () => {
  assert.deepEqual(all('a++a', 'aaa'), [])
  assert.deepEqual(all('(?>a|ab)c', 'abc ac'), ['ac'])
  assert.deepEqual(all('^(?:ab|a)*+b', 'aab'), [])
})

test('a back reference to a group that did not match fails', () => {
  assert.deepEqual(all('(a)?\\1b', 'b aab'), ['aab'])
  assert.deepEqual(groups('(?<x>a+)-\\k<x>', 'aa-a'), ['a-a', 'a'])
  assert.deepEqual(all('(?i)(a)\\1', 'aA'), ['aA'])
})

test('a group keeps the text of an earlier loop iteration that matched it', () => {
  assert.deepEqual(groups('(?:(a)|b)*', 'ab'), ['ab', 'a'])
  assert.deepEqual(groups('(a*)*', 'aab'), ['aa', ''])
})

test('a look-behind tries every length its body can have', () => {
  assert.deepEqual(all('(?<=a{1,3})b', 'aab b'), ['b'])
  assert.deepEqual(all('(?<!(?:a|bc))x', 'ax bcx x'), ['x'])
  assert.throws(
    () => compileJavaRegex('(?<=(?:ab)+)c'),
    /Look-behind group does not have an obvious maximum length near index 11/,
  )
})

test('the flags COMMENTS and LITERAL and inline flags apply to the whole pattern or a part of it', () => {
  assert.deepEqual(all('a b # c', 'ab', COMMENTS), ['ab'])
  assert.deepEqual(all('a.b', 'a.b axb', LITERAL), ['a.b'])
  assert.deepEqual(all('(?i:a)b', 'Ab AB'), ['Ab'])
  assert.deepEqual(all('a(?i)b', 'aB AB'), ['aB'])
})

test('\\G matches where the previous match ended', () => {
  assert.deepEqual(all('\\Ga', 'aaba'), ['a', 'a'])
})

test('matches requires the whole text to match, lookingAt only its beginning', () => {
  const regex = compileJavaRegex('a|ab')
  const budget = new StepBudget(BUDGET)
  assert.equal(regex.matches('ab', budget)?.end(), 2)
  assert.equal(regex.lookingAt('ab', budget)?.end(), 1)
  assert.equal(regex.matches('abc', budget), undefined)
})

test("a malformed pattern is rejected with Java's message", () => {
  const problems: readonly [string, string][] = [
    ['[a', 'Unclosed character class near index 1\n[a\n ^'],
    ['*a', "Dangling meta character '*' near index 0\n*a\n^"],
    ['(a', 'Unclosed group near index 2\n(a'],
    ['a)', "Unmatched closing ')' near index 0\na)\n^"],
    ['a{2,1}', 'Illegal repetition range near index 5\na{2,1}\n     ^'],
    ['\\y', 'Illegal/unsupported escape sequence near index 1\n\\y\n ^'],
    ['[b-a]', 'Illegal character range near index 3\n[b-a]\n   ^'],
    ['\\p{Foo}', 'Unknown character property name {Foo} near index 6\n\\p{Foo}\n      ^'],
  ]
  for (const [pattern, message] of problems) assert.throws(() => compileJavaRegex(pattern), { message })
})

test('patterns that take other engines exponential time finish within a budget proportional to the text', () => {
  const text = `${'a'.repeat(5_000)}!`
  for (const pattern of [
    '^(a+)+$',
    '(a|aa)+$',
    '(a*)*b',
    '(?:a|a)*b',
    'a*a*a*a*b',
    '(a?){20}a{20}b',
    '(.*)*x',
    '(x+x+)+y',
  ]) {
    const budget = new StepBudget(4_000_000)
    assert.equal(compileJavaRegex(pattern).find(text, 0, budget), undefined, pattern)
    assert.ok(budget.remaining > 0, pattern)
  }
})

test("a match that exceeds its budget throws the budget's error", () => {
  const error = new RangeError('enough')
  for (const pattern of ['(a+)+\\1b', '(?=(a+)+b)c', '((a{1,100}){1,100}){1,100}b']) {
    const budget = new StepBudget(100_000, () => error)
    assert.throws(() => compileJavaRegex(pattern).matches('a'.repeat(20_000), budget), error, pattern)
  }
})

test('a negated class in a repeated group matches the same characters in every repetition', () => {
  for (const quantifier of ['+', '{1,2}', '{2,}', '*', '+?']) {
    const regex = compileJavaRegex(`x(?:[^a]a)${quantifier}$`)
    const found = (input: string) => regex.find(input, 0, new StepBudget(BUDGET)) !== undefined
    assert.equal(found('xaa'), false, quantifier)
    assert.equal(found('xbaca'), true, quantifier)
  }
})

/** Random patterns of letters, classes, groups and quantifiers. */
const pattern: fc.Arbitrary<string> = fc.letrec<{ node: string; atom: string }>((tie) => ({
  atom: fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\d', '\\w', '\\s', '^', '$', '\\b', 'é', '\\p{L}', '😀'),
  node: fc.oneof(
    { depthSize: 'small' },
    tie('atom'),
    fc.tuple(tie('node'), tie('node')).map(([a, b]) => a + b),
    fc.tuple(tie('node'), tie('node')).map(([a, b]) => `(${a}|${b})`),
    fc.tuple(tie('node'), fc.constantFrom('*', '+', '?', '*?', '{1,2}', '{2}')).map(([a, q]) => `(?:${a})${q}`),
    fc.tuple(fc.constantFrom('(?=', '(?!', '(?<=', '(?<!'), tie('atom')).map(([open, a]) => `${open}${a})`),
  ),
})).node

const text = fc.string({ unit: fc.constantFrom('a', 'b', '1', ' ', '\n', '\r', 'é', '😀'), maxLength: 12 })

test('the native engine and the backtracking matcher find the same groups at the same positions', () => {
  fc.assert(
    fc.property(pattern, text, (source, input) => {
      const native = compileJavaRegex(source).find(input, 0, new StepBudget(BUDGET))
      const { root, groupCount } = parseJavaRegex(source)
      const matcher = new Backtracker(compileProgram(root, groupCount), source)
      matcher.begin(input, 0, false, new StepBudget(BUDGET))
      let found: number[] | undefined
      for (let at = 0; at <= input.length && found === undefined; at += input.codePointAt(at)! > 0xffff ? 2 : 1) {
        const end = matcher.attempt(at)
        if (end >= 0) found = [at, end, ...matcher.slots.slice(2, 2 * groupCount + 2)]
      }
      const places = native && Array.from({ length: groupCount + 1 }, (_, i) => [native.start(i), native.end(i)]).flat()
      assert.deepEqual(places, found)
    }),
    { numRuns: 500 },
  )
})
