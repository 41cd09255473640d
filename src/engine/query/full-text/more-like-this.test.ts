import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatFloat } from '../../../base/json/json-writer.ts'
import { openTestShard, runSearch } from '../../search/search-fixture.ts'

const shard = openTestShard(
  {
    t: { type: 'text' },
    u: { type: 'text' },
    tags: { type: 'keyword' },
    req: { type: 'long' },
    d: { type: 'date' },
  },
  [
    [
      ['the quick brown fox jumps over the lazy dog', 'red fox runs', ['x', 'y', 'z'], 2, '2024-01-01'],
      ['the lazy dog and the quick cat quick fox', 'blue dog', ['x'], 1, '2024-01-05'],
      ['brown dog sleeps near a brown fox den', 'red dog', ['y', 'z'], 3, '2024-01-10'],
      ['fox fox quick quick brown brown', 'fox fox foxy', ['x', 'y'], undefined, undefined],
      ['quick quick quick', undefined, ['q'], 1, undefined],
      [undefined, 'the quick brown fox jumps over the lazy dog', [], undefined, undefined],
      ['a b c d e f g', 'a b c', [], undefined, undefined],
      ['a x b y c z a b c', 'c b a', [], undefined, undefined],
    ].map(([t, u, tags, req, d], i) => ({ id: String(i + 1), source: { t, u, tags, req, d } })),
  ],
)

function hits(query: unknown): string {
  const { hits: found } = runSearch(shard, { query })
  return found.map(({ doc, score }) => `${doc + 1}:${formatFloat(score)}`).join(' ')
}

// Goal: exactly the hits and scores of Elasticsearch. Method: its recorded responses for the same documents.
test('more_like_this selects the characteristic words', () => {
  const like = (more: object) => ({ more_like_this: { fields: ['t'], min_term_freq: 1, min_doc_freq: 1, ...more } })
  assert.equal(hits(like({ like: 'quick brown fox' })), '4:2.860929 1:1.803781 3:1.6593595 2:1.2668657 5:1.034549')
  assert.equal(
    hits(like({ like: 'quick brown fox', unlike: 'brown' })),
    '4:1.6648835 2:1.2668657 1:1.0496888 5:1.034549 3:0.55317783',
  )
  assert.equal(
    hits(like({ like: 'quick brown fox lazy dog', max_query_terms: 2 })),
    '1:1.8151127 4:1.1960456 3:1.1061816 2:1.0610205',
  )
  assert.equal(
    hits(like({ like: 'quick brown fox', boost_terms: 2 })),
    '4:6.058037 1:3.8195186 3:3.6296391 2:2.5337315 5:2.069098',
  )
  assert.equal(hits(like({ like: [{ doc: { t: 'lazy dog quick' } }], min_term_freq: 2 })), '')
})

test('combined_fields treats several fields as one', () => {
  const combined = (more: object) => ({ combined_fields: { query: 'quick fox', fields: ['t', 'u'], ...more } })
  assert.equal(hits(combined({})), '4:1.8345083 2:1.3604926 1:1.3199883 6:1.2373105 5:1.0700878 3:0.59456664')
  assert.equal(hits(combined({ operator: 'and' })), '4:1.8345083 2:1.3604926 1:1.3199883 6:1.2373105')
  assert.equal(
    hits(combined({ fields: ['t^2', 'u'] })),
    '4:2.0819695 2:1.7257301 1:1.6322005 6:1.4495648 5:1.1511403 3:0.7928816',
  )
})

test('terms_set reads the required number of terms from the document', () => {
  const set = (more: object) => ({ terms_set: { tags: { terms: ['x', 'y', 'z'], ...more } } })
  assert.equal(hits(set({ minimum_should_match_field: 'req' })), '1:2.3875644 2:0.65877354')
  assert.equal(hits(set({ minimum_should_match: 2 })), '1:2.3875644 3:1.7287909 4:1.3175471')
})

test('distance_feature, pinned and wrapper give the recorded hits', () => {
  const feature = { distance_feature: { field: 'd', origin: '2024-01-04', pivot: '2d' } }
  assert.equal(hits(feature), '2:1.0 1:0.33333334 3:0.2857143')
  const pinned = { pinned: { ids: ['3', '1'], organic: { match: { t: 'cat' } } } }
  assert.equal(hits(pinned).replaceAll(/:\S+/g, ''), '3 1 2')
  const wrapped = Buffer.from(JSON.stringify({ term: { tags: 'q' } })).toString('base64')
  assert.match(hits({ wrapper: { query: wrapped } }), /^5:/)
})
