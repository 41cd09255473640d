import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseQueryBody } from '../../query/parse-query.ts'
import { hitIds, openTestShard, runSearch } from '../search-fixture.ts'
import { HitFetcher } from './fetch-hits.ts'
import type { FetchedHit, FetchRequest, InnerHits } from './fetched-hit.ts'

// Goal: matching nested objects are returned with their document, and documents can be sorted by them.
const context = openTestShard(
  {
    k: { type: 'keyword' },
    c: {
      type: 'nested',
      properties: {
        user: { type: 'keyword' },
        stars: { type: 'integer' },
        text: { type: 'text' },
        mood: { type: 'text', store: true },
        votes: { type: 'nested', properties: { by: { type: 'keyword' }, w: { type: 'double' } } },
      },
    },
  },
  [
    [
      {
        id: '1',
        source: {
          c: [
            {
              user: 'ann',
              stars: 5,
              text: 'very good day',
              votes: [
                { by: 'p', w: 1 },
                { by: 'q', w: 2 },
              ],
            },
            { user: 'bob', stars: 1, text: 'bad day', mood: ['grim', 'so grim'] },
            { user: 'cy', stars: 3, text: 'good good', votes: { by: 'r', w: 7 } },
          ],
        },
      },
      { id: '2', source: { c: { user: 'ann', stars: 2, text: 'good' } } },
    ],
    [{ id: '3', source: { k: 'no comments' } }],
  ],
)

const FETCH: FetchRequest = {
  source: undefined,
  storedFields: undefined,
  docvalueFields: [],
  fields: [],
  version: false,
  seqNoPrimaryTerm: false,
  highlight: undefined,
  query: undefined,
}

/** The inner hits of the document with id 1. */
function innerHits(query: unknown): readonly InnerHits[] {
  const parsed = parseQueryBody(Buffer.from(JSON.stringify(query)))
  const { hits } = runSearch(context, { query })
  const segment = context.view.segments[0]!
  const hit = hits.find(({ segment: at, doc }) => at === 0 && segment.reader.id(doc) === '1')!
  return new HitFetcher(context, { ...FETCH, query: parsed }).fetch(segment, hit.doc).innerHits
}

const sourceOf = ({ _source }: FetchedHit) => JSON.parse(Buffer.from(_source!.bytes).toString())

test('inner hits list matching objects, best first, with their position and source', () => {
  const [list] = innerHits({ nested: { path: 'c', query: { match: { 'c.text': 'good' } }, inner_hits: {} } })
  assert.equal(list!.name, 'c')
  assert.equal(list!.total, 2)
  assert.deepEqual(
    list!.hits.map(({ fetched }) => [fetched._id, fetched.nestedSteps, sourceOf(fetched).user]),
    [
      ['1', [{ field: 'c', offset: 2 }], 'cy'],
      ['1', [{ field: 'c', offset: 0 }], 'ann'],
    ],
  )
  assert.ok(list!.hits[0]!.score > list!.hits[1]!.score)
})

test('inner hits support name, sort, paging, source, fields and highlight', () => {
  const [list] = innerHits({
    nested: {
      path: 'c',
      query: { match: { 'c.text': 'day' } },
      inner_hits: {
        name: 'days',
        sort: [{ 'c.stars': 'asc' }],
        from: 1,
        size: 1,
        _source: ['c.user'],
        docvalue_fields: ['c.stars'],
        fields: ['c.votes.by'],
        highlight: { fields: { 'c.text': {} } },
      },
    },
  })
  assert.equal(list!.name, 'days')
  const { fetched, sort } = list!.hits[0]!
  assert.deepEqual(sort, [5])
  assert.deepEqual(sourceOf(fetched), { user: 'ann' })
  assert.deepEqual(fetched.fields, { c: [{ votes: [{ by: ['p'] }, { by: ['q'] }] }], 'c.stars': [5] })
  assert.deepEqual(fetched.highlight, { 'c.text': ['very good <em>day</em>'] })
})

test('a score function is evaluated only for listed objects, and not at all if no score is shown', () => {
  // A negative score is an error.
  const refusing = (stars: number, innerHits: unknown) => {
    const refused = { filter: { term: { 'c.stars': stars } }, field_value_factor: { field: 'c.stars', factor: -1 } }
    const query = { function_score: { query: { exists: { field: 'c.stars' } }, functions: [refused] } }
    return { nested: { path: 'c', score_mode: 'none', query, inner_hits: innerHits } }
  }
  assert.equal(innerHits(refusing(2, {}))[0]!.total, 3, 'two stars are those of another document')
  assert.throws(() => innerHits(refusing(5, {})), /must not produce negative scores/)
  assert.equal(innerHits(refusing(5, { sort: ['c.stars'] }))[0]!.total, 3)
})

test('stored fields of a nested object are its own, and highlights read them', () => {
  const [list] = innerHits({
    nested: {
      path: 'c',
      query: { match: { 'c.mood': 'grim' } },
      inner_hits: { stored_fields: ['c.mood'], highlight: { fields: { 'c.mood': {} } } },
    },
  })
  const { fetched } = list!.hits[0]!
  assert.equal(fetched._source, undefined)
  assert.deepEqual(fetched.fields, { 'c.mood': ['grim', 'so grim'] })
  assert.deepEqual(fetched.highlight, { 'c.mood': ['<em>grim</em>', 'so <em>grim</em>'] })
})

test('objects that are only counted are not scored', () => {
  const factor = { field_value_factor: { field: 'c.stars', modifier: 'ln', factor: 0.5 } }
  const query = { function_score: { query: { match: { 'c.text': 'bad' } }, functions: [factor] } }
  const counted = (size: number) =>
    innerHits({ bool: { filter: [{ nested: { path: 'c', query, inner_hits: { size } } }] } })
  assert.equal(counted(0)[0]!.total, 1)
  assert.throws(() => counted(1), /must not produce negative scores/)
})

test('inner hits list the inner hits of deeper objects', () => {
  const votes = { nested: { path: 'c.votes', query: { range: { 'c.votes.w': { gte: 2 } } }, inner_hits: {} } }
  const [comments] = innerHits({ nested: { path: 'c', query: votes, inner_hits: {} } })
  const inside = comments!.hits.map(({ fetched }) => fetched.innerHits[0]!.hits.map((hit) => hit.fetched.nestedSteps))
  assert.deepEqual(inside, [
    [
      [
        { field: 'c', offset: 0 },
        { field: 'votes', offset: 1 },
      ],
    ],
    [
      [
        { field: 'c', offset: 2 },
        { field: 'votes', offset: 0 },
      ],
    ],
  ])
  // Without inner hits of its own the outer query shows none of the inner one's.
  assert.deepEqual(innerHits({ nested: { path: 'c', query: votes } }), [])
})

test('invalid inner_hits options are rejected', () => {
  const all = { match_all: {} }
  const twice = { nested: { path: 'c', query: all, inner_hits: {} } }
  assert.throws(() => innerHits({ bool: { must: [twice, twice] } }), {
    message: '[inner_hits] already contains an entry for key [c]',
  })
  assert.throws(() => innerHits({ nested: { path: 'c', query: all, inner_hits: { size: 101 } } }), /\[null\]'s from/)
})

test('documents are sorted by values of nested objects', () => {
  const by = (field: string, options: object) => hitIds(context, { sort: [{ [field]: options }] }).join('')
  const nested = { path: 'c' }
  assert.equal(by('c.stars', { order: 'desc', nested }), '123')
  assert.equal(by('c.stars', { order: 'asc', nested }), '123')
  assert.equal(by('c.stars', { order: 'asc', mode: 'avg', nested }), '213')
  assert.equal(by('c.stars', { order: 'asc', nested: { path: 'c', filter: { term: { 'c.user': 'ann' } } } }), '213')
  assert.equal(by('c.stars', { order: 'desc', nested: { path: 'c', max_children: 2 } }), '123')
  assert.equal(by('c.user', { order: 'desc', missing: '_first', nested }), '312')
  const deep = { path: 'c', filter: { term: { 'c.user': 'cy' } }, nested: { path: 'c.votes' } }
  const [hit] = runSearch(context, { sort: [{ 'c.votes.w': { order: 'desc', nested: deep } }] }).hits
  assert.deepEqual(hit!.sort, [7])
})

test('invalid nested sort options are rejected', () => {
  const sort = (spec: object) => () => hitIds(context, { sort: [{ 'c.stars': spec }] })
  assert.throws(sort({ order: 'asc' }), /it is mandatory to set the \[nested\] context/)
  assert.throws(sort({ nested: { path: 'nope' } }), /failed to find nested object under path \[nope\]/)
  assert.throws(sort({ nested: { foo: 1 } }), /failed to parse field \[nested\]/)
  assert.throws(sort({ nested: { path: 'c', nested: { path: 'c.votes', max_children: 1 } } }), /only supported on top/)
})

test('post_filter has inner hits; filters of functions and prohibited clauses have none', () => {
  const nested = { nested: { path: 'c', query: { term: { 'c.user': 'ann' } }, inner_hits: {} } }
  const parsed = (query: unknown) => parseQueryBody(Buffer.from(JSON.stringify(query)))
  const segment = context.view.segments[0]!
  const [hit] = runSearch(context, { query: nested }).hits
  const shown = (request: Partial<FetchRequest>) =>
    new HitFetcher(context, { ...FETCH, ...request }).fetch(segment, hit!.doc).innerHits.map(({ name }) => name)
  assert.deepEqual(shown({ postFilter: parsed(nested) }), ['c'])
  assert.deepEqual(shown({ query: parsed({ function_score: { functions: [{ filter: nested, weight: 2 }] } }) }), [])
  assert.deepEqual(shown({ query: parsed({ bool: { must_not: [nested] } }) }), [])
  assert.throws(() => shown({ query: parsed(nested), postFilter: parsed(nested) }), /already contains an entry/)
})
