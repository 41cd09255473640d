import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AnalysisRegistry } from '../../analysis/registry/analysis-registry.ts'
import { parseMapping } from '../mapping.ts'
import { mappingLimits } from '../mapping-context.ts'

const DEFAULTS = {
  'index.analysis.analyzer.default.type': 'whitespace',
  'index.analysis.analyzer.default_search.type': 'simple',
  'index.analysis.analyzer.default_search_quoted.type': 'keyword',
}

function mappingOf(properties: Record<string, unknown>, settings: Record<string, string> = DEFAULTS) {
  return parseMapping({ properties }, { analysis: AnalysisRegistry.fromSettings(settings), limits: mappingLimits({}) })
}

const namesOf = (definition: Record<string, unknown>, settings?: Record<string, string>) => {
  const field = mappingOf({ f: { type: 'text', ...definition } }, settings).field('f')!
  return [field.analyzerName, field.searchAnalyzerName, field.searchQuoteAnalyzerName]
}

test('a field without an analyzer uses the default analyzers of the index in order', () => {
  assert.deepEqual(namesOf({}), ['default', 'default_search', 'default_search_quoted'])
  assert.deepEqual(namesOf({}, {}), ['default', 'default', 'default'])
  assert.deepEqual(namesOf({ analyzer: 'stop' }), ['stop', 'stop', 'stop'])
  assert.deepEqual(namesOf({ search_analyzer: 'stop' }), ['default', 'stop', 'stop'])
  assert.deepEqual(namesOf({ search_quote_analyzer: 'stop' }), ['default', 'default_search', 'stop'])
})

test('a mapping prints the search analyzer of the index and parses its printed form', () => {
  const mapping = mappingOf({ f: { type: 'text' } })
  assert.deepEqual(mapping.toJson(), {
    properties: { f: { type: 'text', analyzer: 'default', search_analyzer: 'default_search' } },
  })
  assert.equal(mapping.merge(mapping.toJson()).field('f')?.searchQuoteAnalyzerName, 'default_search_quoted')
})
