import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AnalysisRegistry } from '../registry/analysis-registry.ts'
import { HyphenationPatterns } from './hyphenation.ts'

// A few patterns of our own, and their letters.
const XML = `<?xml version="1.0"?>
<hyphenation-info>
  <classes> aA eE fF hH cC sS mM aA iI lL nN oO tT uU pP </classes>
  <exceptions> mai-l </exceptions>
  <patterns> f1s s1t l1s 2s1c c2h .t2o n1m </patterns>
</hyphenation-info>`

test('odd digits allow a break, and the largest digit at a position counts', () => {
  const patterns = HyphenationPatterns.fromXml(XML)!
  assert.deepEqual(patterns.breaksOf('einmal'), [0, 3, 6])
  assert.deepEqual(patterns.breaksOf('Hofstatt'), [0, 3, 4, 8])
  assert.deepEqual(patterns.breaksOf(''), undefined)
  assert.deepEqual(patterns.breaksOf('anman'), [0, 2, 5])
  assert.deepEqual(patterns.breaksOf('mail'), [0, 3, 4])
  assert.deepEqual(patterns.breaksOf('asca'), [0, 2, 4])
  assert.equal(HyphenationPatterns.fromXml('<patterns/>'), undefined)
})

test('hyphenation_decompounder keeps the parts that are words, ignoring a joining letter', () => {
  const registry = AnalysisRegistry.fromSettings({
    'index.analysis._files.de.xml': XML.split('\n'),
    'index.analysis.filter.parts.type': 'hyphenation_decompounder',
    'index.analysis.filter.parts.hyphenation_patterns_path': 'de.xml',
    'index.analysis.filter.parts.word_list': ['al', 'sat', 'ala'],
    'index.analysis.filter.parts.min_word_size': '4',
    'index.analysis.analyzer.a.tokenizer': 'standard',
    'index.analysis.analyzer.a.filter': ['parts'],
  })
  const shown = registry
    .analyzer('a')!
    .tokens('alsat')
    .map(({ term, position }) => `${position}:${term}`)
  assert.deepEqual(shown, ['0:alsat', '0:al', '0:sat'])
})
