import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RequestReader } from '../request/request-reader.ts'
import { parseSuggest } from '../request/suggest/parse-suggest.ts'
import type { NamedSuggestion } from '../request/suggest/suggest-request.ts'
import { openTestShard } from '../search/search-fixture.ts'
import { suggestCompletions } from './completion-suggester.ts'
import { suggestPhrases } from './phrase-suggester.ts'
import { similarity } from './string-distance.ts'
import { suggestTerms } from './term-suggester.ts'

// Goal: suggestions and scores equal those of Elasticsearch 8 for the same documents. The expected values were recorded
// from a server.
const context = openTestShard(
  {
    t: { type: 'text' },
    k: { type: 'keyword' },
    c: { type: 'completion' },
    joined: { type: 'completion', analyzer: 'standard', preserve_separators: false },
    cx: {
      type: 'completion',
      contexts: [
        { name: 'color', type: 'category', path: 'k' },
        { name: 'place', type: 'geo', precision: 4 },
      ],
    },
  },
  [
    [
      { id: '1', source: { t: 'quick brown fox jumps', k: 'red', c: ['Quick Brown', 'quiet'], joined: 'foo bar' } },
      { id: '2', source: { t: 'quick quiet quack quilt', c: { input: ['Quick Red', 'Quarter'], weight: 5 } } },
      { id: '3', source: { t: 'brown bread and quicker foxes', c: [{ input: 'quiz', weight: 9 }], joined: 'fo ob' } },
      { id: '4', source: { t: 'the quick dog', c: { input: 'Quick Brown', weight: 2 } } },
      {
        id: '5',
        source: {
          t: 'quack duck',
          k: 'red',
          cx: { input: 'hotel one', contexts: { color: ['blue', 'green'], place: { lat: 52.37, lon: 4.9 } } },
        },
      },
      {
        id: '6',
        source: { k: 'green', cx: { input: ['hotel two', 'hostel'], weight: 4, contexts: { place: 'u173z' } } },
      },
    ],
  ],
)

function suggestion(body: unknown): NamedSuggestion {
  const reader = new RequestReader(Buffer.from(JSON.stringify({ s: body })))
  reader.next()
  return parseSuggest(reader)[0]!
}

function terms(text: string, options: object = {}): string {
  const { suggester, ...texts } = suggestion({ text, term: { field: 't', ...options } })
  assert.equal(suggester.kind, 'term')
  const entries = suggestTerms(context, suggester as Extract<typeof suggester, { kind: 'term' }>, texts)
  return entries
    .map(
      ({ text: word, options: found }) =>
        `${word}: ${found.map((o) => `${o.text} ${o.score} ${o.docFrequency}`).join(', ')}`,
    )
    .join('; ')
}

function completions(body: object, options: object = {}, shard = context): string[] {
  const { suggester, ...texts } = suggestion({ ...body, completion: { field: 'c', ...options } })
  const request = suggester as Extract<typeof suggester, { kind: 'completion' }>
  return suggestCompletions(shard, request, texts)[0]!.options.map(({ text, score }) => `${text} ${score}`)
}

test('the term suggester returns similar words, nearest and most frequent first', () => {
  const score = (value: number) => Math.fround(value)
  assert.equal(
    terms('quikc brwn'),
    `quikc: quick ${score(0.8)} 3, quack ${score(0.6)} 2, quiet ${score(0.6)} 1, quilt ${score(0.6)} 1; brwn: brown 0.75 2`,
  )
  assert.equal(terms('quick', { suggest_mode: 'popular', max_term_freq: 5 }), 'quick: ')
  assert.equal(terms('quack', { suggest_mode: 'popular', max_term_freq: 5 }), `quack: quick ${score(0.8)} 3`)
  assert.equal(terms('qui'), 'qui: ')
})

test('every string distance gives the similarity of Elasticsearch', () => {
  const like = (name: Parameters<typeof similarity>[0], b: string) => similarity(name, 'quikc', b)
  assert.equal(like('levenshtein', 'quick'), Math.fround(0.6))
  assert.equal(like('damerau_levenshtein', 'quick'), Math.fround(0.8))
  assert.equal(similarity('levenshtein', 'brown', 'brwn'), Math.fround(0.8))
  assert.equal(similarity('damerau_levenshtein', 'brown', 'brwn'), 0.75)
  assert.equal(like('jaro_winkler', 'quack'), Math.fround(0.82666665))
  assert.equal(like('ngram', 'quack'), 0.5)
})

test('the completion suggester returns inputs by weight, each document once', () => {
  assert.deepEqual(completions({ prefix: 'qui' }), ['quiz 9', 'Quick Red 5', 'Quick Brown 2', 'Quick Brown 1'])
  assert.deepEqual(completions({ prefix: 'quick' }, { skip_duplicates: true }), ['Quick Red 5', 'Quick Brown 2'])
  assert.deepEqual(completions({ text: 'quick r' }), ['Quick Red 5'])
  assert.deepEqual(completions({ regex: 'qu[ai].*r' }), ['Quarter 5', 'Quick Brown 2', 'Quick Brown 1'])
  assert.deepEqual(completions({ prefix: 'foo b' }, { field: 'joined' }), ['fo ob 1', 'foo bar 1'])
  assert.deepEqual(completions({ prefix: '' }), [])
})

test('fuzzy completions rank by the length of the matching prefix', () => {
  assert.deepEqual(completions({ prefix: 'quixk' }, { fuzzy: {} }), ['Quick Red 15', 'Quick Brown 6', 'Quick Brown 3'])
  assert.deepEqual(completions({ prefix: 'quik' }, { fuzzy: true, size: 1 }), ['quiz 27'])
})

test('completion contexts filter and boost', () => {
  const within = (contexts: object) => completions({ prefix: 'h' }, { field: 'cx', contexts })
  assert.deepEqual(within({ color: 'red' }), ['hotel one 1'])
  assert.deepEqual(
    within({
      color: [
        { context: 'green', boost: 3 },
        { context: 'bl', prefix: true },
      ],
    }),
    ['hostel 12', 'hotel one 3'],
  )
  assert.deepEqual(within({ place: { lat: 52.37, lon: 4.9 } }), ['hostel 4', 'hotel one 1'])
  assert.throws(() => within({}), { message: 'Missing mandatory contexts in context query' })
  assert.throws(() => within({ x: 1 }), { message: 'Unknown context name [x], must be one of [color, place]' })
})

test('the phrase suggester corrects a phrase where that makes it more likely', () => {
  const { suggester, ...texts } = suggestion({
    text: 'quikc brown fox',
    phrase: { field: 't', highlight: { pre_tag: '<', post_tag: '>' } },
  })
  const request = suggester as Extract<typeof suggester, { kind: 'phrase' }>
  const [best] = suggestPhrases(context, request, texts)[0]!.options
  assert.equal(best!.text, 'quick brown fox')
  assert.equal(best!.highlighted, '<quick> brown fox')
})

test('invalid suggestion requests are rejected', () => {
  assert.throws(() => suggestion({ text: 'x' }), { message: 'missing suggestion object' })
  assert.throws(() => suggestion({ text: 'x', term: {} }), { message: 'the required field option [field] is missing' })
  assert.throws(() => suggestion({ text: 'x', term: { field: 't', max_edits: 3 } }), {
    message: 'maxEdits must be between 1 and 2',
  })
  assert.throws(() => terms('x', { field: 'nope' }), { message: 'no mapping found for field [nope]' })
})

test('fuzzy completions count the letters up to where an input is near enough, and AUTO allows one edit', () => {
  const contexts = [{ name: 'kind', type: 'category' }]
  const lazy = (input: string, weight: number, kind: string) => ({
    p: { input, weight },
    c: { input, weight, contexts: { kind } },
  })
  const shard = openTestShard({ p: { type: 'completion' }, c: { type: 'completion', contexts } }, [
    [lazy('lazy dog', 7, 'x'), lazy('lazy cat', 6, 'xyz'), lazy('lay', 9, 'x')].map((source, i) => ({
      id: `${i}`,
      source,
    })),
  ])
  const scores = (prefix: string, field: string, options: object) =>
    completions({ prefix }, { field, ...options }, shard)
  assert.deepEqual(scores('laz', 'p', { fuzzy: {} }), ['lay 18', 'lazy dog 14', 'lazy cat 12'])
  assert.deepEqual(scores('lazy d', 'p', { fuzzy: { fuzziness: 'AUTO' } }), ['lazy dog 35', 'lazy cat 30'])
  assert.deepEqual(scores('lazy d', 'p', { fuzzy: { fuzziness: 2 } }), ['lazy dog 28', 'lazy cat 24'])
  assert.deepEqual(scores('laz', 'p', { fuzzy: { prefix_length: 3 } }), ['lazy dog 21', 'lazy cat 18'])
  assert.deepEqual(scores('laz', 'c', { fuzzy: {}, contexts: { kind: [{ context: 'x', boost: 3 }] } }), [
    'lay 45',
    'lazy dog 35',
  ])
})
