import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseQuery, parseQueryBody } from '../../query/parse-query.ts'
import { parseHighlight } from '../../request/highlight/parse-highlight.ts'
import { RequestReader } from '../../request/request-reader.ts'
import { HitDocument } from '../fetch/hit-document.ts'
import { openTestShard } from '../search-fixture.ts'
import { Highlighter } from './highlighter.ts'

// Goal: hits have the fragments of Elasticsearch 8. Method: one document per case; the expected fragments were recorded
// from a server.
const PROPERTIES = {
  t: { type: 'text', fields: { tv: { type: 'text', term_vector: 'with_positions_offsets' } } },
  u: { type: 'text' },
  k: { type: 'keyword', ignore_above: 10 },
  n: { type: 'integer' },
}

const STORY = {
  t: [
    'The quick brown fox jumps over the lazy dog. A quick reply came from the quick brown bear! Was it so? Foxes are quick, ' +
      'and the brown fox is the quickest of them all, which nobody had expected before the long winter came.',
    'Another value with a quick fox in it.',
  ],
  u: 'the slow fox sleeps',
  k: ['alpha', 'quick', 'much too long to be kept'],
  n: 5,
}

const context = openTestShard(PROPERTIES, [[{ id: '1', source: STORY }]])

function highlight(query: unknown, request: unknown): Record<string, string[]> | undefined {
  const reader = new RequestReader(Buffer.from(JSON.stringify(request)))
  reader.next()
  const parsed = parseHighlight(reader, parseQuery)
  const highlighter = new Highlighter(context, parsed, parseQueryBody(Buffer.from(JSON.stringify(query))))
  return highlighter.highlight(new HitDocument(context.view.segments[0]!, 0))
}

test("the unified highlighter shows sentences up to a size around the query's words", () => {
  assert.deepEqual(highlight({ match: { t: 'quick' } }, { fields: { t: {} } })?.['t'], [
    'The <em>quick</em> brown fox jumps over the lazy dog. A <em>quick</em> reply came from the <em>quick</em> brown bear!',
    'Foxes are <em>quick</em>, and the brown fox is the quickest of them all, which nobody had expected before the',
    'Another value with a <em>quick</em> fox in it.',
  ])
  const best = { fields: { t: { order: 'score', number_of_fragments: 3, fragment_size: 30 } } }
  assert.deepEqual(highlight({ match: { t: 'quick fox' } }, best)?.['t'], [
    'The <em>quick</em> brown <em>fox</em> jumps over',
    'Another value with a <em>quick</em> <em>fox</em>',
    'A <em>quick</em> reply came from the <em>quick</em>',
  ])
})

test('a phrase is marked as a whole, or word by word if other fields count too', () => {
  const first = 'jumps over the lazy dog. A quick reply came from the quick brown bear!'
  const phrase = { match_phrase: { t: 'quick brown fox' } }
  assert.deepEqual(highlight(phrase, { fields: { t: {} } })?.['t'], [`The <em>quick brown fox</em> ${first}`])
  assert.deepEqual(highlight(phrase, { require_field_match: false, fields: { t: {}, u: {} } }), {
    t: [`The <em>quick</em> <em>brown</em> <em>fox</em> ${first}`],
  })
  const loose = { match_phrase: { t: { query: 'quick fox', slop: 2 } } }
  assert.deepEqual(highlight(loose, { fields: { t: {} } })?.['t'], [
    `The <em>quick brown fox</em> ${first}`,
    'Another value with a <em>quick fox</em> in it.',
  ])
})

test('only clauses that match the document are highlighted', () => {
  const query = {
    bool: {
      should: [
        { bool: { must: [{ term: { t: 'lazy' } }, { term: { u: 'absent' } }] } },
        { bool: { must: [{ term: { u: 'slow' } }], must_not: [{ term: { u: 'absent' } }] } },
      ],
    },
  }
  assert.deepEqual(highlight(query, { fields: { t: {}, u: {} } }), { u: ['the <em>slow</em> fox sleeps'] })
})

test('prefix, pattern, range and terms queries highlight their terms', () => {
  const whole = { fields: { u: { number_of_fragments: 0 }, k: {} } }
  assert.deepEqual(highlight({ prefix: { u: 'sl' } }, whole), { u: ['the <em>slow</em> fox <em>sleeps</em>'] })
  assert.deepEqual(highlight({ fuzzy: { u: 'fix' } }, whole), { u: ['the slow <em>fox</em> sleeps'] })
  assert.deepEqual(highlight({ range: { k: { gte: 'a' } } }, whole), { k: ['<em>alpha</em>', '<em>quick</em>'] })
  assert.deepEqual(highlight({ terms: { k: ['quick'] } }, { fields: { '*': {} } }), { k: ['<em>quick</em>'] })
  assert.equal(highlight({ term: { n: 5 } }, { fields: { n: {} } }), undefined)
})

test('the plain highlighter fragments by size alone', () => {
  const request = { type: 'plain', fields: { t: { number_of_fragments: 3, fragment_size: 30 } } }
  assert.deepEqual(highlight({ match: { t: 'quick fox' } }, request)?.['t'], [
    'The <em>quick</em> brown <em>fox</em> jumps',
    ' over the lazy dog. A <em>quick</em> reply',
    ' came from the <em>quick</em> brown bear',
  ])
  assert.throws(() => highlight({ match: { t: 'quick' } }, { fields: { t: { type: 'plain', fragmenter: 'x' } } }), {
    message: 'unknown fragmenter option [x] for the field [t]',
  })
})

test('the fast vector highlighter requires term vectors', () => {
  const request = { type: 'fvh', fields: { 't.tv': { number_of_fragments: 3, fragment_size: 30 } } }
  assert.deepEqual(highlight({ match: { 't.tv': 'quick fox' } }, request)?.['t.tv'], [
    'The <em>quick</em> brown <em>fox</em> jumps over',
    'lazy dog. A <em>quick</em> reply came from',
    'from the <em>quick</em> brown bear! Was it',
  ])
  assert.throws(
    () => highlight({ match: { t: 'quick' } }, { type: 'fvh', fields: { t: {} } }),
    /should be indexed with/,
  )
})

test('highlighting supports no_match_size, tags, encoders and highlight_query', () => {
  const excerpt = { fields: { t: { no_match_size: 20 } } }
  assert.deepEqual(highlight({ match_all: {} }, excerpt), { t: ['The quick brown fox jumps'] })
  const tagged = { pre_tags: ['<b>'], post_tags: ['</b>'], encoder: 'html', fields: { u: {} } }
  assert.deepEqual(highlight({ match: { u: 'fox' } }, tagged), { u: ['the slow <b>fox</b> sleeps'] })
  const own = { fields: { t: { highlight_query: { match: { t: 'bear' } } } } }
  assert.deepEqual(highlight({ match: { t: 'quick' } }, own), {
    t: ['A quick reply came from the quick brown <em>bear</em>! Was it so?'],
  })
})

test('invalid highlight options are rejected', () => {
  const read = (request: unknown) => () => highlight({ match_all: {} }, request)
  assert.throws(read({ foo: 1 }), { message: '[1:2] [highlight] unknown field [foo]' })
  assert.throws(read({ pre_tags: ['<a>'], fields: {} }), { message: 'pre_tags are set but post_tags are not set' })
  assert.throws(read({ fields: { t: { type: 'x', no_match_size: 1 } } }), {
    message: 'unknown highlighter type [x] for the field [t]',
  })
})

test('the plain highlighter does not mark words of multi-term interval rules', () => {
  const rule = (own: object) => ({ intervals: { t: own } })
  const both = { any_of: { intervals: [{ match: { query: 'fox' } }, { prefix: { prefix: 'br' } }] } }
  const marked = (query: unknown, type: string) =>
    (highlight(query, { fields: { t: { type } } })?.['t'] ?? [])
      .join(' ')
      .match(/<em>[^<]*/g)
      ?.map((word) => word.slice(4))
  assert.deepEqual(new Set(marked(rule(both), 'plain')), new Set(['fox']))
  assert.deepEqual(new Set(marked(rule(both), 'unified')), new Set(['brown', 'fox']))
  assert.equal(marked(rule({ prefix: { prefix: 'br' } }), 'plain'), undefined)
})

test('-1 fragments are the default number, and fewer are rejected', () => {
  const query = { match: { t: 'fox' } }
  const shown = (count: number) => highlight(query, { fields: { t: { type: 'plain', number_of_fragments: count } } })
  assert.deepEqual(shown(-1), shown(5))
  assert.throws(() => shown(-5), /maxSize must be >= 0 and < 2147483631; got: -5/)
})

test('the unified highlighter shows an empty value only if another value follows it', () => {
  for (const [k, expected] of [
    ['', undefined],
    [['', 'a'], ['<em></em>']],
    [['', ''], ['<em></em>']],
    [['a', ''], undefined],
  ] as const) {
    const shard = openTestShard(PROPERTIES, [[{ id: '1', source: { k } }]])
    const reader = new RequestReader(Buffer.from('{"fields":{"k":{}}}'))
    reader.next()
    const query = parseQueryBody(Buffer.from('{"term":{"k":""}}'))
    const highlighter = new Highlighter(shard, parseHighlight(reader, parseQuery), query)
    const found = highlighter.highlight(new HitDocument(shard.view.segments[0]!, 0))
    assert.deepEqual(found?.['k'], expected, JSON.stringify(k))
  }
})
