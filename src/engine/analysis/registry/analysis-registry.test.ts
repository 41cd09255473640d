import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AnalysisRegistry, globalAnalysis } from './analysis-registry.ts'

const terms = (registry: AnalysisRegistry, analyzer: string, text: string) =>
  registry
    .analyzer(analyzer)!
    .tokens(text)
    .map((token) => `${token.term}@${token.position}`)

test('a custom analyzer may be defined nested or flat', () => {
  const nested = { index: { analysis: { analyzer: { my: { tokenizer: 'standard', filter: ['lowercase', 'stop'] } } } } }
  const flat = {
    'index.analysis.analyzer.my.type': 'custom',
    'index.analysis.analyzer.my.tokenizer': 'standard',
    'index.analysis.analyzer.my.filter.0': 'lowercase',
    'index.analysis.analyzer.my.filter.1': 'stop',
  }
  for (const settings of [nested, flat]) {
    assert.deepEqual(terms(AnalysisRegistry.fromSettings(settings), 'my', 'The Fox and THE dog'), ['fox@1', 'dog@4'])
  }
})

test("an index's definitions override built-in ones, and default is standard unless defined", () => {
  const settings = {
    analysis: {
      filter: { stop: { type: 'stop', stopwords: 'x, y' } },
      analyzer: { a: { tokenizer: 'standard', filter: 'stop' } },
    },
  }
  const registry = AnalysisRegistry.fromSettings(settings)
  assert.deepEqual(terms(registry, 'a', 'the x b'), ['the@0', 'b@2'])
  assert.deepEqual(terms(registry, 'default', 'The x'), ['the@0', 'x@1'])
  assert.equal(registry.analyzer('default_search'), undefined)
  assert.equal(globalAnalysis.analyzer('nope'), undefined)
})

test('the position gap is 100 unless the analyzer sets it', () => {
  const registry = AnalysisRegistry.fromSettings({
    analysis: { analyzer: { g: { tokenizer: 'standard', position_increment_gap: 5 } } },
  })
  assert.equal(registry.analyzer('g')!.positionIncrementGap, 5)
  assert.equal(registry.analyzer('standard')!.positionIncrementGap, 100)
  assert.equal(registry.analyzer('g')!.withGap(7).positionIncrementGap, 7)
})

test('a normalizer combines filters that work on single characters', () => {
  const registry = AnalysisRegistry.fromSettings({
    analysis: {
      char_filter: { quotes: { type: 'mapping', mappings: ['« => "'] } },
      normalizer: { low: { type: 'custom', filter: ['lowercase', 'asciifolding'], char_filter: ['quotes'] } },
    },
  })
  assert.equal(registry.normalizer('low')!.normalize('«Ünï'), '"uni')
  assert.equal(registry.normalizer('lowercase')!.normalize('ABC'), 'abc')
  assert.equal(registry.normalizer('nope'), undefined)
})

/** Settings and the reason for which Elasticsearch rejects them. */
const REFUSED: [object, string][] = [
  [{ analyzer: { x: { tokenizer: 'nope' } } }, 'Custom Analyzer [x] failed to find tokenizer under name [nope]'],
  [
    { analyzer: { x: { tokenizer: 'standard', filter: ['nope'] } } },
    'Custom Analyzer [x] failed to find filter under name [nope]',
  ],
  [
    { analyzer: { x: { tokenizer: 'standard', char_filter: ['nope'] } } },
    'Custom Analyzer [x] failed to find char_filter under name [nope]',
  ],
  [{ analyzer: { x: { type: 'custom' } } }, 'Custom Analyzer [x] must be configured with a tokenizer'],
  [{ analyzer: { x: { filter: ['lowercase'] } } }, 'analyzer [x] must specify either an analyzer type, or a tokenizer'],
  [{ analyzer: { x: { type: 'nope' } } }, 'Unknown analyzer type [nope] for [x]'],
  [{ analyzer: { _x: { tokenizer: 'standard' } } }, `analyzer name must not start with '_'. got "_x"`],
  [{ filter: { x: { type: 'nope' } } }, 'Unknown filter type [nope] for [x]'],
  [{ filter: { x: { min_gram: 2 } } }, 'filter [x] must specify either an analyzer type, or a tokenizer'],
  [{ tokenizer: { x: { type: 'nope' } } }, 'Unknown tokenizer type [nope] for [x]'],
  [{ char_filter: { x: { type: 'nope' } } }, 'Unknown char_filter type [nope] for [x]'],
  [{ normalizer: { x: { type: 'nope' } } }, 'Unknown normalizer type [nope] for [x]'],
  [{ normalizer: { x: { filter: ['stop'] } } }, 'Custom normalizer [x] may not use filter [stop]'],
  [{ normalizer: { x: { tokenizer: 'standard' } } }, 'Custom normalizer [x] cannot configure a tokenizer'],
  [
    { analyzer: { x: { type: 'standard', max_token_length: 'abc' } } },
    'Failed to parse int setting [max_token_length] with value [abc]',
  ],
  [{ analyzer: { x: { type: 'standard', max_token_length: 0 } } }, 'maxTokenLength must be greater than zero'],
  [
    { filter: { x: { type: 'stop', ignore_case: 'maybe' } } },
    'Failed to parse value [maybe] as only [true] or [false] are allowed.',
  ],
  [
    { analyzer: { x: 'standard' } },
    "Failed to get setting group for [index.analysis.analyzer.] setting prefix and setting [index.analysis.analyzer.x] because of a missing '.'",
  ],
]

test('invalid analysis settings are rejected with the reason', () => {
  for (const [analysis, reason] of REFUSED) {
    assert.throws(() => AnalysisRegistry.fromSettings({ analysis }), { message: reason })
  }
})
