import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AnalysisRegistry } from '../../analysis/registry/analysis-registry.ts'
import { parseMapping } from '../mapping.ts'
import { mappingLimits } from '../mapping-context.ts'
import { failureOf, testMapping } from '../mapping-fixture.ts'

const terms = (text: string, analyzerName: string) =>
  AnalysisRegistry.fromSettings({})
    .analyzer(analyzerName)!
    .tokens(text)
    .map((token) => token.term)

test('the shingle and prefix fields exist but are not printed in the mapping', () => {
  const mapping = testMapping({ title: { type: 'search_as_you_type' } })
  assert.deepEqual([...mapping.fieldNames()], ['title', 'title._2gram', 'title._3gram', 'title._index_prefix'])
  assert.deepEqual(mapping.toJson(), { properties: { title: { type: 'search_as_you_type', max_shingle_size: 3 } } })
  assert.equal(mapping.field('title._3gram')?.sourcePath, 'title')
})

test('a shingle field has as many words per term as its name says', () => {
  const mapping = testMapping({ title: { type: 'search_as_you_type', max_shingle_size: 2 } })
  const pairs = mapping.field('title._2gram')!
  assert.deepEqual(terms('Quick brown fox', pairs.analyzerName!), ['quick brown', 'brown fox'])
  const prefix = mapping.field('title._index_prefix')!
  assert.deepEqual(terms('to be', prefix.analyzerName!), ['t', 'to', 'to ', 'to b', 'to be', 'b', 'be', 'be '])
  assert.deepEqual(terms('to be', prefix.searchAnalyzerName!), ['to be'])
})

test("the field's own analyzer is the base of the hidden analyzers", () => {
  const analysis = AnalysisRegistry.fromSettings({})
  const mapping = parseMapping(
    { properties: { t: { type: 'search_as_you_type', analyzer: 'whitespace' } } },
    { analysis, limits: mappingLimits({}) },
  )
  assert.deepEqual(terms('A B', mapping.field('t._2gram')!.analyzerName!), ['A B'])
})

test('shingle sizes beyond four and doc values are rejected', () => {
  const refusal = (more: Record<string, unknown>) =>
    failureOf(() => testMapping({ t: { type: 'search_as_you_type', ...more } }))[1]
  assert.equal(
    refusal({ max_shingle_size: 5 }),
    'mapper_parsing_exception: [max_shingle_size] must be at least [2] and at most [4], got [5]',
  )
  assert.match(refusal({ doc_values: true })!, /Cannot set \[doc_values\]/)
})
