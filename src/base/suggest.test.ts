import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { closestWords, didYouMean, levenshteinSimilarity, SETTING_SIMILARITY } from './suggest.ts'

test('suggestions equal those of Elasticsearch', () => {
  assert.equal(didYouMean('mtch', ['match', 'match_all', 'term']), ' did you mean [match]?')
  assert.equal(didYouMean('term', ['terms', 'avg']), ' did you mean [terms]?')
  assert.equal(didYouMean('interval', ['fixed_interval', 'calendar_interval']), ' did you mean [fixed_interval]?')
  assert.equal(didYouMean('abcd', ['abce', 'abcf']), ' did you mean any of [abce, abcf]?')
  assert.equal(didYouMean('foo', ['terms']), '')
  const settings = ['index.number_of_shards', 'index.number_of_replicas']
  assert.deepEqual(closestWords('index.number_of_shard', settings, SETTING_SIMILARITY), ['index.number_of_shards'])
})

test('similarity is symmetric, one for equal words, and decreases with each edit', () => {
  const words = fc.string({ unit: fc.constantFrom(...'abc'), maxLength: 8 })
  fc.assert(
    fc.property(words, words, (a, b) => {
      assert.equal(levenshteinSimilarity(a, b), levenshteinSimilarity(b, a))
      assert.equal(levenshteinSimilarity(a, b) === 1, a === b)
    }),
  )
})

test('a name of millions of characters is compared with no word', () => {
  const name = `x${'k'.repeat(5_000_000)}`
  assert.equal(didYouMean(name, ['index.number_of_shards', 'index.refresh_interval']), '')
})
