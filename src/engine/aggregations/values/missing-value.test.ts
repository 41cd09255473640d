import assert from 'node:assert/strict'
import test from 'node:test'
import { openTestShard } from '../../search/search-fixture.ts'
import { aggregate } from '../aggregation-fixture.ts'

const PROPERTIES = {
  whole: { type: 'long' },
  part: { type: 'double' },
  day: { type: 'date' },
  flag: { type: 'boolean' },
  address: { type: 'ip' },
  place: { type: 'geo_point' },
  word: { type: 'keyword' },
  span: { type: 'integer_range' },
}
const EMPTY = openTestShard(PROPERTIES, [])
const shard = openTestShard(PROPERTIES, [[{ id: '1', source: { word: 'a' } }]])

const NO_POINT = 'unsupported symbol [.] in geohash [1.2.3.4]'

/** The errors are those of Elasticsearch. */
const REFUSED = [
  ['whole', 'x', 'For input string: "x"'],
  ['whole', true, 'For input string: "true"'],
  ['part', '', 'empty String'],
  ['day', 'x', /^failed to parse date field \[x\] with format/],
  ['flag', '1', 'Cannot parse boolean [1], expected either [true] or [false]'],
  ['address', 7, "'7' is not an IP string literal."],
  ['place', '1.2.3.4', NO_POINT],
  ['span', 1, "Can't apply missing values on a class org.elasticsearch.search.aggregations.support.ValuesSource$Range"],
] as const

for (const [field, missing, message] of REFUSED) {
  const ofField = { cardinality: { field, missing } }
  test(`missing ${JSON.stringify(missing)} of the field ${field} is refused, whether documents are seen or not`, () => {
    assert.throws(() => aggregate([EMPTY], { a: ofField }), { status: 400, message })
    assert.throws(() => aggregate([shard], { words: { terms: { field: 'whole' }, aggs: { a: ofField } } }), { message })
  })
}

test('a missing value that cannot be read is reported before the type that the aggregation does not support', () => {
  assert.throws(() => aggregate([shard], { a: { avg: { field: 'address', missing: 'x' } } }), {
    message: "'x' is not an IP string literal.",
  })
  assert.throws(() => aggregate([shard], { a: { avg: { field: 'address', missing: '::1' } } }), {
    message: 'Field [address] of type [ip] is not supported for aggregation [avg]',
  })
})

test('a missing number counts as it is, also for booleans and dates', () => {
  const answer = aggregate([shard], {
    flag: { avg: { field: 'flag', missing: 7 } },
    day: { max: { field: 'day', missing: 86_400_000 } },
    whole: { terms: { field: 'whole', missing: '1.5' } },
  })
  assert.equal(answer.flag.value, 7)
  assert.equal(answer.day.value_as_string, '1970-01-02T00:00:00.000Z')
  assert.deepEqual(answer.whole.buckets, [{ key: 1.5, doc_count: 1 }])
})

test('a long field with a fraction as its missing value has fractions for rare_terms', () => {
  assert.throws(() => aggregate([shard], { a: { rare_terms: { field: 'whole', missing: 1.5 } } }), {
    message: 'RareTerms aggregation does not support floating point fields.',
  })
})

test('cardinality counts the missing point and the same point of a document once', () => {
  const two = openTestShard(PROPERTIES, [
    [
      { id: '1', source: { place: '1,2' } },
      { id: '2', source: { word: 'a' } },
    ],
  ])
  assert.equal(aggregate([two], { a: { cardinality: { field: 'place', missing: '1,2' } } }).a.value, 1)
  assert.equal(aggregate([two], { a: { cardinality: { field: 'place', missing: '2,2' } } }).a.value, 2)
})
