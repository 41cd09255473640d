import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { IndexAnalyzer } from '../../document/field-schema.ts'
import type { Analyzer } from '../analyzer.ts'
import { AnalysisRegistry } from '../registry/analysis-registry.ts'

/** Terms with their increments, then the trailing increment. */
function indexed(analyzer: IndexAnalyzer, text: string): string[] {
  const bytes = Buffer.from(`<${text}>`)
  const out: string[] = []
  analyzer.analyze(bytes, 1, bytes.length - 1, {
    token: (term, start, end, increment) => out.push(`${Buffer.from(term.subarray(start, end))}+${increment}`),
    endOfValue: (increment) => out.push(`end+${increment}`),
  })
  return out
}

function viaStrings(analyzer: Analyzer, text: string): string[] {
  const stream = analyzer.stream(text)
  return [
    ...stream.tokens.map((token) => `${token.term}+${token.positionIncrement}`),
    `end+${stream.trailingIncrement}`,
  ]
}

const registry = AnalysisRegistry.fromSettings({
  analysis: {
    analyzer: {
      with_stop: { type: 'standard', stopwords: '_english_' },
      short: { type: 'standard', max_token_length: 3 },
      cased: { tokenizer: 'standard' },
      folded: { tokenizer: 'standard', filter: ['lowercase', 'asciifolding', 'stop', 'porter_stem'] },
      stemmed_key: { tokenizer: 'keyword', filter: ['uppercase'] },
      lower_whitespace: { tokenizer: 'whitespace', filter: ['lowercase', 'stop'] },
    },
  },
})

const NAMES = [
  ...['standard', 'simple', 'whitespace', 'stop', 'keyword'],
  ...[
    'with_stop',
    'short',
    'cased',
    'lower_whitespace',
    'folded',
    'stemmed_key',
    'english',
    'french',
    'irish',
    'dutch',
  ],
]

// Goal: analyzing bytes and analyzing strings give the same terms and positions. Method: random texts of characters
// that trigger special rules, through both forms of every chain that has two.
test('analysis of bytes and of strings gives the same terms and positions', () => {
  const piece = fc.oneof(
    fc.constantFrom(...["'", '.', ',', ':', '_', ' ', '-', '#', '1', 'a', 'B', 'the ', 'is ', 'İ', 'Σ', 'é', 'ß', 'Ⱥ']),
    fc.constantFrom(
      '漢',
      'ひ',
      'カ',
      '한',
      'ไ',
      'א',
      '"',
      '👍',
      '🏻',
      '\u200d',
      '\ufe0f',
      '\u0301',
      '🇩',
      '\n',
      '\u00a0',
      '\u2003',
    ),
    fc.string({ unit: 'binary', maxLength: 3 }),
    fc.constantFrom('x'.repeat(300), 'ab.'.repeat(120), 'é'.repeat(254)),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), fc.constantFrom(...NAMES), (pieces, name) => {
      const text = Buffer.from(pieces.join('')).toString()
      const analyzer = registry.analyzer(name)!
      assert.deepEqual(indexed(analyzer.index, text), viaStrings(analyzer, text))
    }),
    { numRuns: 2000 },
  )
})

test('removed stop words leave gaps in the positions, including at the end', () => {
  assert.deepEqual(indexed(registry.analyzer('with_stop')!.index, 'The Fox and THE dog is'), [
    'fox+2',
    'dog+3',
    'end+1',
  ])
})

test('a word longer than the limit is split', () => {
  assert.deepEqual(indexed(registry.analyzer('short')!.index, 'abcdefgh ij'), [
    'abc+1',
    'def+1',
    'gh+1',
    'ij+1',
    'end+0',
  ])
})
