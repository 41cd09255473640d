import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AnalyzeIndex, analyzeRequest } from './analyze-request.ts'
import { AnalysisRegistry } from './registry/analysis-registry.ts'

const registry = AnalysisRegistry.fromSettings({
  analysis: {
    analyzer: { mine: { tokenizer: 'standard', filter: ['lowercase', 'stop'], position_increment_gap: 5 } },
    normalizer: { low: { filter: ['lowercase'] } },
  },
  'analyze.max_token_count': 6,
})
const index: AnalyzeIndex = {
  registry,
  field: (name) =>
    ({
      text: registry.analyzer('standard')!.withGap(7),
      low: registry.normalizer('low')!,
      exact: 'keyword' as const,
      date: 'none' as const,
    })[name],
}

/** `term position` of each token in the plain response. */
function places(...args: Parameters<typeof analyzeRequest>): string[] {
  const output = analyzeRequest(...args)
  return 'tokens' in output ? output.tokens.map((token) => `${token['token']} ${token['position']}`) : []
}

test('several texts are analyzed in sequence, with the position gap of an index between them', () => {
  const text = ['a b', 'c']
  assert.deepEqual(places({ analyzer: 'standard', text }), ['a 0', 'b 1', 'c 2'])
  assert.deepEqual(places({ analyzer: 'standard', text }, index), ['a 0', 'b 1', 'c 102'])
  assert.deepEqual(places({ analyzer: 'mine', text: ['x the', 'y'] }, index), ['x 0', 'y 7'])
  assert.deepEqual(places({ tokenizer: 'standard', text }), ['a 0', 'b 1', 'c 102'])
  assert.deepEqual(analyzeRequest({ analyzer: 'keyword', text }), {
    tokens: [
      { token: 'a b', start_offset: 0, end_offset: 3, type: 'word', position: 0 },
      { token: 'c', start_offset: 4, end_offset: 5, type: 'word', position: 1 },
    ],
  })
})

test('a field is analyzed by its analyzer, its normalizer, or as a single token', () => {
  const text = ['A b', 'C']
  assert.deepEqual(places({ field: 'text', text }, index), ['a 0', 'b 1', 'c 9'])
  assert.deepEqual(places({ field: 'low', text }, index), ['a b 0', 'c 1'])
  assert.deepEqual(places({ field: 'exact', text }, index), ['A b 0', 'C 1'])
  assert.deepEqual(places({ field: 'unmapped', text }, index), ['a 0', 'b 1', 'c 102'])
})

test('explain shows a built-in analyzer as a whole and a custom one by its components', () => {
  const token = { start_offset: 0, end_offset: 2, position: 0 }
  assert.deepEqual(analyzeRequest({ analyzer: 'standard', text: ['Ab'], explain: true }), {
    detail: {
      custom_analyzer: false,
      analyzer: {
        name: 'standard',
        tokens: [{ token: 'ab', ...token, type: '<ALPHANUM>', bytes: '[61 62]', positionLength: 1, termFrequency: 1 }],
      },
    },
  })
  const wanted = { type: 'word', bytes: '[61 62]' }
  assert.deepEqual(
    analyzeRequest({
      tokenizer: 'keyword',
      filter: [{ type: 'lowercase' }],
      text: ['ab'],
      explain: true,
      attributes: ['Bytes'],
    }),
    {
      detail: {
        custom_analyzer: true,
        charfilters: [],
        tokenizer: { name: 'keyword', tokens: [{ token: 'ab', ...token, ...wanted }] },
        tokenfilters: [{ name: '__anonymous__lowercase', tokens: [{ token: 'ab', ...token, ...wanted }] }],
      },
    },
  )
})

test('explain shows the keyword attribute of protected words', () => {
  const request = {
    tokenizer: 'whitespace',
    filter: ['keyword_repeat', 'porter_stem'],
    text: ['jumping'],
    explain: true,
  }
  const { detail } = analyzeRequest(request) as { detail: { tokenfilters: { tokens: { keyword: boolean }[] }[] } }
  assert.deepEqual(
    detail.tokenfilters[1]!.tokens.map((token) => token.keyword),
    [true, false],
  )
})

/** A request, whether it names an index, and the reason of its error. */
const REFUSED: [Parameters<typeof analyzeRequest>[0], boolean, string][] = [
  [{ analyzer: 'nope', text: ['x'] }, false, 'failed to find global analyzer [nope]'],
  [{ analyzer: 'nope', text: ['x'] }, true, 'failed to find analyzer [nope]'],
  [{ tokenizer: 'nope', text: ['x'] }, false, 'failed to find global tokenizer under [nope]'],
  [{ tokenizer: 'standard', filter: ['nope'], text: ['x'] }, true, 'failed to find filter under [nope]'],
  [
    { tokenizer: 'standard', filter: [{ type: 'nope' }], text: ['x'] },
    true,
    'failed to find global filter under [nope]',
  ],
  [{ tokenizer: { a: 'b' }, text: ['x'] }, false, 'Missing [type] setting for anonymous tokenizer: {"a":"b"}'],
  [{ filter: ['word_delimiter'], text: ['x'] }, false, 'Custom normalizer may not use filter [word_delimiter]'],
  [{ field: 'text', text: ['x'] }, false, 'analysis based on a specific field requires an index'],
  [
    { field: 'date', text: ['x'] },
    true,
    "Can't process field [date], Analysis requests are only supported on tokenized fields",
  ],
  [{ text: [] }, false, 'Validation Failed: 1: text is missing;'],
  [
    { normalizer: 'low', filter: ['lowercase'], text: ['x'] },
    false,
    'Validation Failed: 1: index is required if normalizer is specified;2: cannot define extra components on a named normalizer;',
  ],
  [
    { analyzer: 'standard', text: ['a b c d', 'e f g'] },
    true,
    'The number of tokens produced by calling _analyze has exceeded the allowed maximum of [6]. This limit can be set by changing the [index.analyze.max_token_count] index level setting.',
  ],
]

test('an invalid request is rejected with its reason', () => {
  for (const [request, named, reason] of REFUSED) {
    assert.throws(() => analyzeRequest(request, named ? index : undefined), { message: reason })
  }
})
