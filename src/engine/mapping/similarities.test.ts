import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SimScorer } from '../scoring/similarity.ts'
import { parseMapping } from './mapping.ts'
import { failureOf, testContext } from './mapping-fixture.ts'
import { Similarities } from './similarities.ts'

test('a field can use a similarity of the settings', () => {
  const similarities = Similarities.fromSettings({
    'index.similarity.flat.type': 'BM25',
    'index.similarity.flat.k1': '2.0',
    'index.similarity.flat.b': '0',
  })
  assert.deepEqual(similarities.of('flat'), { k1: 2, b: 0 })
  assert.deepEqual(similarities.of(undefined), { k1: 1.2, b: 0.75 })
  const properties = { title: { type: 'text', similarity: 'flat' } }
  assert.equal(parseMapping({ properties }, { ...testContext(), similarities }).field('title')?.similarityName, 'flat')
  assert.match(failureOf(() => parseMapping({ properties }, testContext())).join(), /Unknown Similarity type \[flat\]/)
})

test('the default similarity of an index can be replaced, the built-in ones cannot', () => {
  assert.equal(Similarities.fromSettings({ 'index.similarity.default.type': 'boolean' }).of(undefined).isConstant, true)
  assert.deepEqual(
    failureOf(() => Similarities.fromSettings({ 'index.similarity.BM25.type': 'BM25' })),
    ['illegal_argument_exception: illegal value for [index.similarity.BM25] cannot redefine built-in similarity'],
  )
})

test('an invalid similarity definition is rejected', () => {
  const refusal = (settings: Record<string, string>) =>
    failureOf(() =>
      Similarities.fromSettings(
        Object.fromEntries(Object.entries(settings).map(([k, v]) => [`index.similarity.${k}`, v])),
      ),
    )[0]
  assert.equal(refusal({ 'my.k1': '1' }), 'illegal_argument_exception: Similarity [my] must have an associated type')
  assert.equal(refusal({ 'my.type': 'nope' }), 'illegal_argument_exception: Unknown Similarity type [nope] for [my]')
  assert.equal(
    refusal({ 'my.type': 'BM25', 'my.b': '2' }),
    'illegal_argument_exception: illegal b value: 2.0, must be between 0 and 1',
  )
  assert.equal(
    refusal({ 'my.type': 'BM25', 'my.zz': '2' }),
    'illegal_argument_exception: Unknown settings for similarity of type [BM25]: [zz]',
  )
})

test('with the boolean similarity a term scores its boost, however often it occurs', () => {
  const simScorer = new SimScorer(2.5, [3], { docCount: 10, sumTotalTermFreq: 100 }, new Similarities().of('boolean'))
  assert.equal(simScorer.score(1, 7), 2.5)
  assert.equal(simScorer.score(9, 200), 2.5)
})
