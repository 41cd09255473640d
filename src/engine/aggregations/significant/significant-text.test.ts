import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestShard, type TestDocument } from '../../search/search-fixture.ts'
import { aggregate, type TestAnswer } from '../aggregation-fixture.ts'
import { AggregationMemory } from '../state/aggregation-memory.ts'
import { RepeatedPassages } from './repeated-passages.ts'

// Goal: significant words are found in text fields, which have no doc values, by reading and analyzing the documents
// again.
const BOILERPLATE = 'sent from my phone please excuse typos'
const TEXTS: readonly (string | string[])[] = [
  'Storm at sea',
  ['A storm', 'the storm again'],
  'calm sea',
  `calm day ${BOILERPLATE}`,
  `quiet storm ${BOILERPLATE}`,
  `calm night ${BOILERPLATE}`,
]
const documents = TEXTS.map((t, i): TestDocument => ({ id: String(i), source: { t, n: i, other: 'storm warning' } }))
const shard = openTestShard({ t: { type: 'text' }, n: { type: 'integer' }, other: { type: 'text' } }, [documents])

function words(query: unknown, options: Record<string, unknown> = {}): [string, number, number][] {
  const body = { field: 't', min_doc_count: 1, ...options }
  const { x } = aggregate([shard], { x: { significant_text: body } }, { query })
  return x.buckets.map(({ key, doc_count, bg_count }: TestAnswer) => [key, doc_count, bg_count])
}

test('significant_text counts a word once per document, against all documents of the index', () => {
  assert.deepEqual(words({ range: { n: { lte: 1 } } }, { min_doc_count: 2 }), [['storm', 2, 3]])
  assert.deepEqual(words({ match_all: {} }), [], 'nothing stands out among all')
})

test('significant_text supports include, background_filter and source_fields', () => {
  const some = { range: { n: { lte: 1 } } }
  assert.deepEqual(words(some, { include: 'st.*' }), [['storm', 2, 3]])
  assert.deepEqual(words(some, { include: ['storm'], exclude: ['storm'] }), [])
  const background = { range: { n: { lte: 2 } } }
  assert.deepEqual(words(some, { include: ['storm'], background_filter: background }), [['storm', 2, 2]])
  assert.deepEqual(words({ term: { n: 2 } }, { include: ['storm'], source_fields: ['other'] }), [['storm', 1, 3]])
})

test('significant_text with filter_duplicate_text ignores repeated passages', () => {
  const signed = { match: { t: 'phone' } }
  assert.ok(words(signed).some(([word, count]) => word === 'phone' && count === 3))
  assert.deepEqual(words(signed, { min_doc_count: 2, filter_duplicate_text: true }), [['calm', 2, 3]])
})

test('deleted documents count in a background of all documents, and in no other', () => {
  const source = { t: 'storm', k: 'storm' }
  const docs = [
    { id: '0', source },
    { id: '1', source: {} },
    { id: '2', source, deleted: true },
  ]
  const deleting = openTestShard({ t: { type: 'text' }, k: { type: 'keyword' } }, [docs])
  const background = (kind: string, field: string, filter: unknown) => {
    const body = { field, min_doc_count: 1, background_filter: filter }
    const { x } = aggregate([deleting], { x: { [kind]: body } }, { query: { ids: { values: ['0'] } } })
    return [x.bg_count, x.buckets[0].bg_count]
  }
  for (const [kind, field] of [['significant_text', 't'] as const, ['significant_terms', 'k'] as const]) {
    assert.deepEqual(background(kind, field, undefined), [3, 2], kind)
    assert.deepEqual(background(kind, field, { match_all: {} }), [2, 1], kind)
  }
})

test('six consecutive words seen before are a repetition', () => {
  const passages = new RepeatedPassages(new AggregationMemory())
  const six = ['a', 'b', 'c', 'd', 'e', 'f']
  assert.ok(!passages.mark(six).includes(true))
  assert.ok(!passages.mark(six.slice(1)).includes(true))
  assert.deepEqual(passages.mark(['x', ...six, 'y']), [false, true, true, true, true, true, true, false])
})

test('significant_text rejects fields that are not analyzed, and sub-aggregations', () => {
  assert.throws(
    () => words({ match_all: {} }, { field: 'n' }),
    /Field \[n\] has no analyzer, but SignificantText requires an analyzed field/,
  )
  const child = { x: { significant_text: { field: 't' }, aggs: { m: { max: { field: 'n' } } } } }
  assert.throws(() => aggregate([shard], child), /cannot accept sub-aggregations/)
})
