import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { formatFloat } from '../../../base/json/json-writer.ts'
import { openTestShard, runSearch } from '../../search/search-fixture.ts'
import { type Interval, ordered, unordered } from './intervals.ts'

const TEXTS = [
  'the quick brown fox jumps over the lazy dog',
  'the lazy dog and the quick cat quick fox',
  'brown dog sleeps near a brown fox den',
  'fox fox quick quick brown brown',
  'quick quick quick',
  undefined,
  'a b c d e f g',
  'a x b y c z a b c',
]

const shard = openTestShard({ t: { type: 'text' } }, [
  TEXTS.map((t, i) => ({ id: String(i + 1), source: t === undefined ? {} : { t } })),
])

/** Hits best first, as `id:score`. */
function hits(query: unknown, among = shard): string {
  const { hits: found } = runSearch(among, { query })
  return found.map(({ doc, score }) => `${doc + 1}:${formatFloat(score)}`).join(' ')
}

const word = (t: string) => ({ span_term: { t } })
const near = (slop: number, inOrder: boolean, ...words: string[]) => ({
  span_near: { clauses: words.map(word), slop, in_order: inOrder },
})

// Goal: exactly the hits and scores of Elasticsearch. Method: its recorded responses for the same documents.
test('span queries match and score as recorded', () => {
  assert.equal(hits(near(5, true, 'quick', 'fox')), '2:1.2296355 1:0.6621115')
  assert.equal(hits(near(5, false, 'fox', 'quick')), '4:0.9090545 2:0.69414914 1:0.38086057')
  assert.equal(hits(near(3, true, 'a', 'b', 'c')), '8:3.3691847 7:3.2043874')
  assert.equal(hits(near(4, false, 'c', 'b', 'a')), '8:2.4753504 7:1.2257948')
  assert.equal(hits({ span_first: { match: word('quick'), end: 3 } }), '5:1.034549 4:0.6201331 1:0.5248444')
  const fox = near(0, true, 'brown', 'fox')
  assert.equal(hits({ span_not: { include: word('fox'), exclude: fox } }), '4:0.83244175 2:0.5248444')
  assert.equal(
    hits({ span_not: { include: word('quick'), exclude: word('brown'), dist: 1 } }),
    '5:1.034549 2:0.7420214 4:0.6201331',
  )
  const big = near(5, true, 'quick', 'fox')
  assert.equal(hits({ span_containing: { big, little: word('brown') } }), '1:1.1377697')
  assert.equal(hits({ span_within: { big, little: word('brown') } }), '1:1.803781')
  const prefix = { span_multi: { match: { prefix: { t: 'qu' } } } }
  assert.equal(hits(prefix), '5:1.034549 4:0.83244175 2:0.7420214 1:0.5248444')
  const gap = { span_near: { clauses: [word('quick'), { span_gap: { t: 1 } }, word('fox')], slop: 0 } }
  assert.equal(hits(gap), '1:1.0496888')
})

test('intervals queries match and score as recorded', () => {
  const match = (query: string, more: object = {}) => ({ intervals: { t: { match: { query, ...more } } } })
  assert.equal(hits(match('quick fox')), '2:0.5 4:0.5 1:0.3333333')
  assert.equal(hits(match('quick fox', { ordered: true })), '2:0.5 1:0.3333333')
  assert.equal(hits(match('quick brown', { ordered: true, max_gaps: 0 })), '1:0.5 4:0.5')
  assert.equal(hits(match('c b a')), '8:0.68421054 7:0.5')
  assert.equal(hits(match('quick quick')), '5:0.5 4:0.3333333 2:0.25')
  const filter = (kind: string, query: string) => ({ filter: { [kind]: { match: { query } } } })
  assert.equal(hits(match('quick', filter('before', 'fox'))), '2:0.6666666 1:0.5')
  assert.equal(hits(match('quick', filter('after', 'fox'))), '4:0.6666666')
  assert.equal(hits(match('quick fox', filter('containing', 'brown'))), '1:0.3333333')
  assert.equal(hits(match('quick fox', filter('not_containing', 'brown'))), '2:0.5 4:0.5')
  assert.equal(hits(match('brown', filter('contained_by', 'quick fox'))), '1:0.5')
  assert.equal(hits(match('quick fox', filter('overlapping', 'brown dog'))), '1:0.3333333')
  const either = {
    any_of: {
      intervals: [{ match: { query: 'lazy dog', max_gaps: 0, ordered: true } }, { match: { query: 'brown fox' } }],
    },
  }
  assert.equal(hits({ intervals: { t: either } }), '1:0.6666666 2:0.5 3:0.5 4:0.25')
  assert.equal(hits({ intervals: { t: { fuzzy: { term: 'fix' } } } }), '4:0.6666666 1:0.5 2:0.5 3:0.5')
})

test('removed words take a position without affecting the score', () => {
  const texts = ['of kelp', 'kelp and the reef', 'reef the kelp of kelp', 'kelp reef']
  const stopping = openTestShard({ t: { type: 'text', analyzer: 'stop' } }, [
    texts.map((t, i) => ({ id: String(i + 1), source: { t } })),
  ])
  const match = (query: string, more: object = {}) =>
    hits({ intervals: { t: { match: { query, ...more } } } }, stopping)
  assert.equal(match('of kelp'), '3:0.6666666 1:0.5 2:0.5 4:0.5')
  assert.equal(match('of kelp reef'), '3:0.5 4:0.5 2:0.3333333')
  assert.equal(match('kelp of reef', { ordered: true }), '2:0.3333333')
})

const positions = fc.uniqueArray(fc.integer({ min: 0, max: 15 }), { minLength: 1, maxLength: 5 })
const lists = fc
  .array(positions, { minLength: 2, maxLength: 3 })
  .map((all) =>
    all.map((list) => list.sort((a, b) => a - b).map((start): Interval => ({ start, end: start, gaps: 0 }))),
  )

/** Whether [start, end] contains a part of each list, in any order or in the given one. */
function holds(parts: readonly (readonly Interval[])[], start: number, end: number, inOrder: boolean): boolean {
  let from = start
  for (const list of parts) {
    const found = list.find((part) => part.start >= from && part.end <= end)
    if (found === undefined) return false
    if (inOrder) from = found.end + 1
  }
  return true
}

// Goal: exactly the ranges that match and contain no shorter match. Method: random positions, compared with all ranges.
test('intervals are minimal and complete', () => {
  fc.assert(
    fc.property(lists, fc.boolean(), (parts, inOrder) => {
      const expected: string[] = []
      for (let start = 0; start <= 15; start++) {
        for (let end = start; end <= 15; end++) {
          if (!holds(parts, start, end, inOrder)) continue
          if (holds(parts, start + 1, end, inOrder) || holds(parts, start, end - 1, inOrder)) continue
          expected.push(`${start}-${end}`)
        }
      }
      const found = inOrder ? ordered(parts) : unordered(parts)
      assert.deepEqual(
        found.map(({ start, end }) => `${start}-${end}`),
        expected,
      )
    }),
  )
})

test('a list of interval rules reports the token after an item that is no object', () => {
  const refusal = (intervals: unknown) => {
    try {
      hits({ intervals: { t: { any_of: { intervals } } } })
    } catch (error) {
      return (error as { causedBy?: Error }).causedBy?.message ?? (error as Error).message
    }
    return 'accepted'
  }
  assert.equal(refusal(['']), 'Expected [FIELD_NAME] but got [END_ARRAY]')
  assert.equal(refusal([1, { match: { query: 'fox' } }]), 'Expected [FIELD_NAME] but got [START_OBJECT]')
  assert.equal(refusal([[]]), 'expected value but got [START_ARRAY]')
  assert.equal(refusal({}), 'Expected [FIELD_NAME] but got [END_OBJECT]')
  assert.equal(refusal({ match: { query: 'fox' } }), 'accepted')
})
