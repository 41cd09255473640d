import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { openTestShard, type TestDocument } from '../../search/search-fixture.ts'
import { aggregate, type TestAnswer } from '../aggregation-fixture.ts'

const PROPERTIES = {
  tag: { type: 'keyword' },
  comments: {
    type: 'nested',
    properties: {
      user: { type: 'keyword' },
      stars: { type: 'integer' },
      votes: { type: 'nested', properties: { by: { type: 'keyword' } } },
    },
  },
  other: { type: 'nested', properties: { x: { type: 'keyword' } } },
}

interface Comment {
  readonly user: string
  readonly stars: number
  readonly votes: readonly { readonly by: string }[]
}

interface Root {
  readonly tag: readonly string[]
  readonly comments: readonly Comment[]
  readonly other: readonly { readonly x: string }[]
  readonly deleted: boolean
}

const person = fc.constantFrom('ann', 'bob', 'cid')
const root: fc.Arbitrary<Root> = fc.record({
  tag: fc.subarray(['a', 'b']),
  comments: fc.array(
    fc.record({
      user: person,
      stars: fc.integer({ min: 1, max: 5 }),
      votes: fc.array(fc.record({ by: person }), { maxLength: 3 }),
    }),
    { maxLength: 4 },
  ),
  other: fc.array(fc.record({ x: person }), { maxLength: 2 }),
  deleted: fc.boolean(),
})

function shardOf(roots: readonly Root[]) {
  const docs = roots.map(({ deleted, ...source }, i): TestDocument => ({ id: String(i), source, deleted }))
  return openTestShard(PROPERTIES, [docs.filter((_, i) => i % 2 === 0), docs.filter((_, i) => i % 2 === 1)])
}

/** Counts by key, in the form of terms buckets. */
function tally(keys: Iterable<string>): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const key of keys) counts[key] = (counts[key] ?? 0) + 1
  return counts
}

const asTally = (answer: TestAnswer) =>
  Object.fromEntries(answer.buckets.map(({ key, doc_count: count }: TestAnswer) => [key, count]))

describe('nested and reverse_nested aggregations', () => {
  // Goal: every level counts its own objects, and reverse_nested counts each document once. Method: random documents,
  // some deleted, compared with a plain JavaScript count.
  test('nested and reverse_nested count the existing objects and documents', () => {
    fc.assert(
      fc.property(fc.array(root, { maxLength: 12 }), (roots) => {
        const live = roots.filter(({ deleted }) => !deleted)
        const comments = live.flatMap((one) => one.comments)
        const answer = aggregate([shardOf(roots)], {
          c: {
            nested: { path: 'comments' },
            aggs: {
              u: {
                terms: { field: 'comments.user' },
                aggs: { back: { reverse_nested: {}, aggs: { t: { terms: { field: 'tag' } } } } },
              },
              v: {
                nested: { path: 'comments.votes' },
                aggs: {
                  by: { terms: { field: 'comments.votes.by' } },
                  up: { reverse_nested: { path: 'comments' }, aggs: { s: { sum: { field: 'comments.stars' } } } },
                  root: { reverse_nested: {} },
                },
              },
            },
          },
        }).c
        assert.equal(answer.doc_count, comments.length)
        assert.deepEqual(asTally(answer.u), tally(comments.map(({ user }) => user)))
        for (const { key, back } of answer.u.buckets) {
          const around = live.filter((one) => one.comments.some(({ user }) => user === key))
          assert.equal(back.doc_count, around.length)
          assert.deepEqual(asTally(back.t), tally(around.flatMap(({ tag }) => tag)))
        }
        const voted = comments.filter(({ votes }) => votes.length > 0)
        assert.deepEqual(asTally(answer.v.by), tally(comments.flatMap(({ votes }) => votes.map(({ by }) => by))))
        assert.equal(answer.v.up.doc_count, voted.length)
        assert.equal(
          answer.v.up.s.value,
          voted.reduce((sum, { stars }) => sum + stars, 0),
        )
        const votedRoots = live.filter((one) => one.comments.some(({ votes }) => votes.length > 0))
        assert.equal(answer.v.root.doc_count, votedRoots.length)
      }),
      { numRuns: 60 },
    )
  })

  test('a filter inside nested matches objects, and fields of other levels have no values there', () => {
    const votes: { by: string }[] = []
    const shard = shardOf([
      {
        tag: ['a'],
        comments: [
          { user: 'ann', stars: 5, votes },
          { user: 'bob', stars: 1, votes },
        ],
        other: [],
        deleted: false,
      },
    ])
    const { c } = aggregate([shard], {
      c: {
        nested: { path: 'comments' },
        aggs: {
          f: {
            filter: { range: { 'comments.stars': { gte: 3 } } },
            aggs: { u: { terms: { field: 'comments.user' } } },
          },
          outside: { terms: { field: 'tag' } },
          best: { top_hits: { size: 1, sort: [{ 'comments.stars': 'asc' }] } },
        },
      },
    })
    assert.deepEqual(asTally(c.f.u), { ann: 1 })
    assert.deepEqual(c.outside.buckets, [])
    assert.deepEqual(c.best.hits.hits, [{ _id: '0', sort: [1] }])
  })

  // The expected counts are those of Elasticsearch.
  test('reverse_nested counts nothing below unmapped objects, and changes nothing below reverse_nested', () => {
    const votes = { by: 'ann' }
    const comment = { user: 'ann', stars: 1 }
    const shard = shardOf([
      {
        tag: ['a'],
        comments: [
          { ...comment, votes: [votes, votes] },
          { ...comment, votes: [votes] },
        ],
        other: [],
        deleted: false,
      },
      { tag: ['a'], comments: [{ ...comment, votes: [] }], other: [], deleted: false },
    ])
    const counts = (path: string, ...back: object[]): number[] => {
      let aggs = {}
      for (const options of back.toReversed()) aggs = { a: { reverse_nested: options, aggs } }
      let answer: TestAnswer | undefined = aggregate([shard], { a: { nested: { path }, aggs } })['a']
      const found: number[] = []
      for (; answer !== undefined; answer = answer['a']) found.push(answer.doc_count)
      return found
    }
    assert.deepEqual(counts('comments', {}, {}), [3, 2, 2])
    assert.deepEqual(counts('comments.votes', { path: 'comments' }, {}), [3, 2, 1])
    assert.deepEqual(counts('nothing', { path: 'neither' }), [0, 0])
    assert.deepEqual(counts('nothing', { path: 'comments' }), [0, 0])
    assert.deepEqual(counts('nothing', {}, {}), [0, 0, 0])
  })

  test('nested and reverse_nested in invalid places are rejected', () => {
    const shard = shardOf([])
    const refused = (aggs: Record<string, unknown>) => {
      try {
        aggregate([shard], aggs)
      } catch (error) {
        return (error as Error).message
      }
      return 'accepted'
    }
    assert.equal(
      refused({ r: { reverse_nested: {} } }),
      'Reverse nested aggregation [r] can only be used inside a [nested] aggregation',
    )
    assert.equal(
      refused({ c: { nested: { path: 'comments' }, aggs: { r: { reverse_nested: { path: 'other' } } } } }),
      'Reverse nested path [other] is not a parent of the current nested scope [comments]',
    )
    assert.equal(refused({ c: { nested: { path: 'nothing' } } }), 'accepted')
    assert.equal(
      refused({ c: { nested: { path: 'comments' }, aggs: { r: { reverse_nested: { path: 'nothing' } } } } }),
      'Reverse nested path [nothing] is not a parent of the current nested scope [comments]',
    )
    assert.match(
      refused({ f: { filter: { match_all: {} }, aggs: { g: { global: {} } } } }),
      /cannot have a global sub-aggregation/,
    )
    assert.equal(
      refused({
        t: { terms: { field: 'tag' }, aggs: { c: { composite: { sources: [{ k: { terms: { field: 'tag' } } }] } } } },
      }),
      '[composite] aggregation cannot be used with a parent aggregation of type: [TermsAggregatorFactory]',
    )
  })
})
