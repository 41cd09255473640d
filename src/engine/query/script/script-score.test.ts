import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hitIds, openTestShard, runSearch, type TestDocument } from '../../search/search-fixture.ts'

// Two windows and a half in the first segment, with deleted documents.
const DOCS = 10_000
const rankOf = (i: number) => (i * 7919) % 5_003

const documents: readonly TestDocument[] = Array.from({ length: DOCS + 500 }, (_, i) => ({
  id: String(i),
  source: { rank: rankOf(i), group: i % 3 },
  deleted: i % 97 === 0,
}))

const shard = openTestShard({ rank: { type: 'integer' }, group: { type: 'integer' } }, [
  documents.slice(0, DOCS),
  documents.slice(DOCS),
])

const script = { source: "doc['rank'].value / 4.0" }

interface Expected {
  readonly boost?: number
  readonly least?: number
  readonly group?: number
}

function expectedHits({ boost = 1, least = 0, group }: Expected) {
  const found = documents.flatMap(({ deleted }, doc) => {
    const score = Math.fround(Math.fround(rankOf(doc) / 4) * boost)
    const matches = deleted !== true && score >= least && (group === undefined || doc % 3 === group)
    return matches ? [[doc, score] as const] : []
  })
  return { total: found.length, hits: found.toSorted(([a, x], [b, y]) => y - x || a - b).slice(0, 20) }
}

for (const [condition, members, expected] of [
  ['all documents', { query: { match_all: {} } }, {}],
  ['some documents', { query: { term: { group: 1 } } }, { group: 1 }],
  ['all documents with a boost', { query: { match_all: {} }, boost: 2.5 }, { boost: 2.5 }],
  ['all documents with a minimum score', { query: { match_all: {} }, min_score: 600 }, { least: 600 }],
] as const satisfies readonly [string, object, Expected][]) {
  test(`script_score of ${condition} has the best documents, their scores and the number of matches`, () => {
    const query = { script_score: { ...members, script } }
    const result = runSearch(shard, { query, size: 20 }, { totalUpTo: Number.POSITIVE_INFINITY })
    const { total, hits } = expectedHits(expected)
    assert.deepEqual(
      result.hits.map(({ shardDoc, score }) => [shardDoc, score]),
      hits,
    )
    assert.equal(result.total, total)
    assert.equal(result.maxScore, hits[0]![1])
  })
}

test('script_score as a clause of bool adds the same scores as alone', () => {
  const clause = { script_score: { query: { term: { group: 2 } }, script, min_score: 100 } }
  const query = { bool: { must: [clause], filter: [{ range: { rank: { gte: 0 } } }] } }
  const alone = runSearch(shard, { query: clause, size: 20 })
  const inside = runSearch(shard, { query, size: 20 })
  assert.deepEqual(
    inside.hits.map(({ shardDoc, score }) => [shardDoc, score]),
    alone.hits.map(({ shardDoc, score }) => [shardDoc, score]),
  )
})

test('script_score fails for the first document with a negative score', () => {
  const query = { script_score: { query: { match_all: {} }, script: { source: "2 - doc['rank'].value" } } }
  assert.throws(() => runSearch(shard, { query }), /returned an invalid score \[-2914\.0\] for doc \[1\]/)
})

test('script_score of functions has the best documents and all matches, also if later windows cannot have better ones', () => {
  const score = (i: number) => Math.fround(Math.log(2 + rankOf(i)) * 1.5)
  const source = "Math.log(2 + doc['rank'].value) * params.p"
  const query = { script_score: { query: { match_all: {} }, script: { source, params: { p: 1.5 } } } }
  const { hits, total } = runSearch(shard, { query, size: 5 }, { totalUpTo: Number.POSITIVE_INFINITY })
  const live = documents.flatMap(({ deleted }, doc) => (deleted === true ? [] : [doc]))
  const best = live.toSorted((a, b) => score(b) - score(a) || a - b).slice(0, 5)
  assert.deepEqual(
    hits.map(({ shardDoc, score }) => [shardDoc, score]),
    best.map((doc) => [doc, score(doc)]),
  )
  assert.equal(total, live.length)
})

test('script_score fails for a negative score in a later window, where all other scores are too small to matter', () => {
  const source = "doc['group'].value == 1 && doc['rank'].value == 3 ? -1.0 : doc['rank'].value < 4000 ? 0.5 : 9.0"
  const query = { script_score: { query: { range: { rank: { lt: 4500 } } }, script: { source } } }
  assert.throws(() => runSearch(shard, { query, size: 3 }), /returned an invalid score \[-1\.0\]/)
})

test('where scores are not needed, a minimum score is held against scores without the boosts around the query', () => {
  const shard = openTestShard({ n: { type: 'integer' } }, [[1, 2].map((n) => ({ id: String(n), source: { n } }))])
  const found = (clause: object, sort?: unknown) =>
    hitIds(shard, { query: { bool: { must: [clause], boost: 0.5 } }, sort })
  const query = { range: { n: { gte: 1 } } }
  const functionScore = { function_score: { query, field_value_factor: { field: 'n' }, min_score: 1 } }
  const scriptScore = { script_score: { query, script: { source: "doc['n'].value" }, min_score: 1 } }
  for (const clause of [functionScore, scriptScore]) {
    assert.deepEqual(found(clause), ['2'])
    assert.deepEqual(found(clause, ['n']), ['1', '2'])
  }
})

const groups = { script_score: { query: { match_all: {} }, script: { source: "doc['group'].value + 1.0" } } }

for (const [condition, members, scoreOf] of [
  ['multiplies', { query: { match_all: { boost: 2 } } }, (i) => 2 * (rankOf(i) / 4)],
  ['multiplies different scores', { query: groups }, (i) => ((i % 3) + 1) * (rankOf(i) / 4)],
  [
    'replaces scores, with a weight',
    { query: groups, boost_mode: 'replace', functions: [{ weight: 3, script_score: { script } }] },
    (i) => (rankOf(i) / 4) * 3,
  ],
  [
    'multiplies up to a maximum',
    { query: groups, max_boost: 900 },
    (i) => ((i % 3) + 1) * Math.min(rankOf(i) / 4, 900),
  ],
  ['adds', { query: groups, boost_mode: 'sum' }, (i) => (i % 3) + 1 + rankOf(i) / 4],
] as const satisfies readonly [string, object, (i: number) => number][]) {
  test(`function_score with a script that ${condition} has the best documents, their scores and the number of matches`, () => {
    const lone = 'functions' in members ? {} : { script_score: { script } }
    const query = { function_score: { ...members, ...lone } }
    const result = runSearch(shard, { query, size: 20 }, { totalUpTo: Number.POSITIVE_INFINITY })
    const live = documents.flatMap(({ deleted }, doc) => (deleted === true ? [] : [doc]))
    const score = (doc: number) => Math.fround(scoreOf(doc))
    const best = live.toSorted((a, b) => score(b) - score(a) || a - b).slice(0, 20)
    assert.deepEqual(
      result.hits.map((hit) => [hit.shardDoc, hit.score]),
      best.map((doc) => [doc, score(doc)]),
    )
    assert.equal(result.total, live.length)
  })
}

test('function_score drops documents below its minimum score', () => {
  const query = { function_score: { query: { match_all: {} }, script_score: { script }, min_score: 600 } }
  const { total, hits } = runSearch(shard, { query, size: 20 }, { totalUpTo: Number.POSITIVE_INFINITY })
  const expected = expectedHits({ least: 600 })
  assert.equal(total, expected.total)
  assert.deepEqual(
    hits.map(({ shardDoc, score }) => [shardDoc, score]),
    expected.hits,
  )
})
