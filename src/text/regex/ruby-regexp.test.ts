import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { emitRegex } from './emit-regex.ts'
import { parseRegex } from './parse-regex.ts'
import { RegexSyntaxError } from './regex-tree.ts'
import { RubyRegexp } from './ruby-regexp.ts'
import { stepBudget } from './stepwise.ts'
import { runWithin } from './time-guard.ts'

function found(source: string, text: string, dotAll = false): string | undefined {
  return new RubyRegexp(source, { dotAll }).exec(text)?.[0]
}

// Goal: Ruby's semantics where JavaScript differs. Method: one line per difference.
test('an expression matches as in Ruby where JavaScript differs', () => {
  const cases: [string, string, string | undefined][] = [
    ['^b$', 'a\nb\nc', 'b'],
    ['^b', 'a\rb', undefined],
    ['a.b', 'a\rb', 'a\rb'],
    ['\\Ab', 'a\nb', undefined],
    ['b\\Z', 'ab\n', 'b'],
    ['\\h+', 'xyzCAFE', 'CAFE'],
    ['\\s', '\u00a0', undefined],
    ['\\w+', 'Zürich', 'Z'],
    ['\\bZ\\b', 'Zürich', undefined],
    ['\\b\\w+\\b', 'Zürich is', 'is'],
    ['[[:upper:]]+', 'aÄB', 'ÄB'],
    ['[[:alnum:]_%]+', '-é5_%', 'é5_%'],
    ['[^]x]+', ']xab', 'ab'],
    ['[a-z&&[^aeiou]]+', 'aebcd', 'bcd'],
    ['(?>a+)ab', 'aaab', undefined],
    ['a++b', 'aab', 'aab'],
    ['a{,2}b', 'aaab', 'aab'],
    ['x(?i)ab|c', 'xC', 'xC'],
    ['(?i:a)b', 'Ab', 'Ab'],
    ['(?i:a)b', 'AB', undefined],
    ['(?x) a  b # no blanks', 'ab', 'ab'],
    ['{a}', '{a}', '{a}'],
    ['(?<x>a)\\k<x>', 'aa', 'aa'],
    ['\\p{Alpha}+', '1é', 'é'],
    ['C:(?:\\\\[^\\\\?*]*)+$', 'C:\\Čierny\\中', 'C:\\Čierny\\中'],
  ]
  for (const [source, text, expected] of cases) assert.equal(found(source, text), expected, source)
  assert.equal(found('a.b', 'a\nb', true), 'a\nb')
})

test('groups with any name capture, plain groups next to them do not, and earlier iterations are kept', () => {
  const regexp = new RubyRegexp('(?<[a][b]>x)(y)(?<c-d>z)')
  assert.deepEqual(regexp.groups, ['[a][b]', 'c-d'])
  const loop = new RubyRegexp('(?:a=(?<a>\\d) ?|b=(?<b>\\d) ?)*')
  const match = loop.exec('a=1 b=2')!
  assert.deepEqual([match[loop.groupAt(0)], match[loop.groupAt(1)]], ['1', '2'])
})

test('a replacement may refer to groups, names and the whole match', () => {
  assert.equal(new RubyRegexp('([a-z])([0-9])').replaceAll('a1 b2', '\\2\\1'), '1a 2b')
  assert.equal(new RubyRegexp('(?<n>b)').replaceAll('abc', '<\\k<n>\\0>'), 'a<bb>c')
  assert.equal(new RubyRegexp('^').replaceAll('l1\nl2', '> '), '> l1\n> l2')
})

test('an invalid expression is rejected', () => {
  for (const source of ['(a', 'a)', '[a', '*a', '(?<n>a)\\k<m>', '[z-a]', '(?<=a']) {
    assert.throws(() => new RubyRegexp(source), RegexSyntaxError, source)
  }
})

// Goal: both forms of an expression give the same results. Method: random ASCII texts through both.
test('the ASCII form and the Unicode form agree on ASCII texts', () => {
  const sources = [
    '\\b\\w+\\b',
    '[[:punct:]]+',
    '[^a-m[:digit:]]+',
    '(?i)ab[c-e]',
    '(?>\\d+)x?',
    '\\W\\S',
    '^.$',
    '[\\W&&[^ ]]',
  ]
  const forms = sources.map((source) => {
    const tree = parseRegex(source, { ignoreCase: false, dotAll: false, extended: false })
    return (['ascii', 'unicode'] as const).map((form) => {
      const { source: written, flags } = emitRegex(tree, form)
      return new RegExp(written, flags)
    })
  })
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => {
      for (const [ascii, unicode] of forms)
        assert.equal(ascii!.exec(text)?.[0], unicode!.exec(text)?.[0], ascii!.source)
    }),
  )
})

// Goal: an endless expression is interrupted, and safe expressions are recognized.
test('exponential expressions are recognized and can be interrupted', () => {
  for (const source of ['(a+)+$', '(?:a|a)*b', '(?:\\w+\\s*)*x', '(x+x+)+y']) {
    assert.equal(new RubyRegexp(source).surelyFastLength, 0, source)
  }
  for (const source of ['\\w+ \\d+', '"(?:[^"\\\\]|\\\\.)*"', '(?:/[a-z]*)+', '(?:[a-z]+\\.)*[a-z]+']) {
    assert.ok(new RubyRegexp(source).surelyFastLength > 1000, source)
  }
  const endless = new RubyRegexp('^(a+)+$')
  assert.equal(
    runWithin(50, () => void endless.test(`${'a'.repeat(40)}b`)),
    false,
  )
  assert.equal(
    runWithin(10_000, () => void endless.test('aaa')),
    true,
  )
})

// Expected values are Ruby's.
test('groups inside repetitions keep what Ruby keeps', () => {
  const groups = (source: string, text: string) => new RubyRegexp(source).execFrom(text, 0)?.groups
  assert.deepEqual(groups('^(?<h>(?:\\b\\d+|\\b\\w+))+ ', '12ab hello'), ['12ab ', '12ab'])
  assert.deepEqual(groups('^x(?:(?<aa>a)|(?<bb>a1))+$', 'xa1'), ['xa1', undefined, 'a1'])
  assert.deepEqual(groups('(?:(a)|(b))+', 'ab'), ['ab', 'a', 'b'])
  assert.deepEqual(groups('(a*)*', 'aab'), ['aa', ''])
  assert.deepEqual(groups('(?:-*?)?', '-a'), [''])
  assert.deepEqual(groups('(a)?\\1', 'b'), undefined)
  assert.deepEqual(groups('(?<x>a)|(?<x>b)\\k<x>', 'bb'), ['bb', undefined, 'b'])
  assert.deepEqual(groups('(a)?(?(1)b|c)', 'ab'), ['ab', 'a'])
  assert.deepEqual(groups('a\\Kb', 'ab'), ['b'])
  assert.deepEqual(groups('a{2}?b', 'b'), ['b'])
  assert.deepEqual(groups('\\X', 'e\u0301x'), ['e\u0301'])
})

test('a line begins after a line feed, but not at the end of the text', () => {
  assert.equal(new RubyRegexp('^').replaceAll('one\ntwo\n', '> '), '> one\n> two\n')
  assert.equal(new RubyRegexp('^').replaceAll('', '> '), '> ')
})

test('an empty match is never found inside a character', () => {
  assert.equal(new RubyRegexp('$').replaceAll('\u{1f600}a', '-'), '\u{1f600}a-')
})

// Goal: it does not matter for the result which matcher runs.
test('a stepwise search gives the same result', () => {
  for (const [source, text] of [
    ['(\\w+) (?<!x)(\\d+)', 'ab 12 cd 34'],
    ['(?i:é|k)+', 'ÉKk'],
    ['(?>a+)b|a+', 'aac aab'],
    ['\\b[[:alpha:]]++', '1 äb'],
  ] as const) {
    const regexp = new RubyRegexp(source)
    const scanned = regexp.scan(text)
    assert.deepEqual(
      regexp.stepwise(stepBudget(), () => regexp.scan(text)),
      scanned,
      source,
    )
    assert.deepEqual(
      regexp.stepwise(stepBudget(), () => regexp.execFrom(text, 1)?.groups),
      regexp.execFrom(text, 1)?.groups,
    )
  }
})
