import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatFloat } from '../../base/json/json-writer.ts'
import { parseQueryBody } from '../query/parse-query.ts'
import { HitExplainer, planWhole } from '../search/fetch/explain-hit.ts'
import { openTestShard } from '../search/search-fixture.ts'
import type { Explanation } from './explanation.ts'

const shard = openTestShard(
  { t: { type: 'text' }, u: { type: 'text' }, k: { type: 'keyword' }, n: { type: 'integer' } },
  [
    [
      { id: '1', source: { t: 'the quick brown fox jumps', u: 'red fox', k: ['a', 'b'], n: 1 } },
      { id: '2', source: { t: 'the lazy dog and the quick cat quick', u: 'blue dog', k: 'b', n: 2 } },
      { id: '3', source: { t: 'brown dog sleeps', u: 'red dog', k: 'c', n: 3 } },
      { id: '4', source: { t: 'fox', u: 'fox fox foxy', k: 'a', n: 4 } },
      { id: '5', source: { n: 5, k: 'd' } },
    ],
  ],
)

const request = (query: unknown) => ({
  query: parseQueryBody(Buffer.from(JSON.stringify(query))),
  filters: [],
  boost: 1,
  rescores: [],
})

/** The tree without the details of BM25: one line per number. */
function lines({ value, description, details }: Explanation, indent = ''): string[] {
  const inside = description.startsWith('weight(') ? [] : details
  return [`${indent}${formatFloat(value)} ${description}`, ...inside.flatMap((part) => lines(part, `${indent}  `))]
}

function explain(query: unknown, doc: number): string {
  const segment = shard.view.segments[0]!
  return lines(new HitExplainer(shard, request(query)).explain(segment, doc)).join('\n')
}

// Goal: the numbers and words of Elasticsearch. Method: its recorded responses for the same documents.
test("an explanation shows the factors of a term's score", () => {
  const segment = shard.view.segments[0]!
  const [score] = new HitExplainer(shard, request({ match: { t: 'fox' } })).explain(segment, 3).details
  assert.deepEqual(
    [score!, ...score!.details.flatMap((factor) => [factor, ...factor.details])].map((part) => lines(part)[0]),
    [
      '1.0087044 score(freq=1.0), computed as boost * idf * tf from:',
      '2.2 boost',
      '0.6931472 idf, computed as log(1 + (N - n + 0.5) / (n + 0.5)) from:',
      '2.0 n, number of documents containing term',
      '4.0 N, total number of documents with field',
      '0.6614786 tf, computed as freq / (freq + k1 * (1 - b + b * dl / avgdl)) from:',
      '1.0 freq, occurrences of term within document',
      '1.2 k1, term saturation parameter',
      '0.75 b, length normalization parameter',
      '1.0 dl, length of field',
      '4.25 avgdl, average length of field',
    ],
  )
})

test('every clause explains its score', () => {
  assert.equal(explain({ term: { n: { value: 1, boost: 2.5 } } }, 0), '2.5 n:[1 TO 1]^2.5')
  assert.equal(explain({ term: { n: 1 } }, 4), "0.0 n:[1 TO 1] doesn't match id 4")
  assert.equal(explain({ match: { t: 'fox' } }, 4), '0.0 no matching term')
  assert.equal(
    explain({ bool: { must: [{ match: { t: 'fox' } }], filter: [{ term: { k: 'a' } }] } }, 3),
    `1.0087044 sum of:
  1.0087044 weight(t:fox in 3) [PerFieldSimilarity], result of:
  0.0 match on required clause, product of:
    0.0 # clause
    1.0 k:a`,
  )
  assert.equal(
    explain({ bool: { must: [{ match: { t: 'fox' } }, { range: { n: { gte: 1 } } }] } }, 4),
    `0.0 Failure to meet condition(s) of required/prohibited clause(s)
  0.0 no match on required clause (t:fox)
    0.0 no matching term
  1.0 n:[1 TO 2147483647]`,
  )
  assert.equal(
    explain({ multi_match: { query: 'fox', fields: ['t', 'u'], tie_breaker: 0.3 } }, 3),
    `1.2701199 max plus 0.3 times others of:
  1.0087044 weight(t:fox in 3) [PerFieldSimilarity], result of:
  0.8713851 weight(u:fox in 3) [PerFieldSimilarity], result of:`,
  )
  assert.equal(
    explain({ function_score: { query: { match: { t: 'fox' } }, weight: 3 } }, 3),
    `3.0261133 function score, product of:
  1.0087044 weight(t:fox in 3) [PerFieldSimilarity], result of:
  3.0 min of:
    3.0 product of:
      1.0 constant score 1.0 - no function provided
      3.0 weight
    3.4028235E38 maxBoost`,
  )
})

// Goal: `_validate` shows the query as written, and with `rewrite` as Lucene simplifies it.
test('a query prints as written and as simplified', () => {
  const texts: [query: unknown, written: string, simplified: string][] = [
    [{ match: { t: 'quick fox' } }, 't:quick t:fox', 't:quick t:fox'],
    [{ match: { t: 'fox fox' } }, 't:fox t:fox', '(t:fox)^2.0'],
    [
      { match: { t: { query: 'quick fox brown', minimum_should_match: 2 } } },
      '(t:quick t:fox t:brown)~2',
      '(t:quick t:fox t:brown)~2',
    ],
    [{ bool: { filter: [{ term: { t: 'fox' } }] } }, '#t:fox', '(ConstantScore(t:fox))^0.0'],
    [{ bool: { must: [{ match_all: {} }], filter: [{ term: { k: 'a' } }] } }, '+*:* #k:a', 'ConstantScore(k:a)'],
    [
      { bool: { should: [{ match: { t: 'fox dog' } }, { match: { u: 'red fox' } }] } },
      '(t:fox t:dog) (u:red u:fox)',
      't:fox t:dog u:red u:fox',
    ],
    [{ bool: { must_not: [{ term: { k: 'b' } }] } }, '-k:b #*:*', '-k:b #*:*'],
    [{ exists: { field: 'n' } }, 'ConstantScore(FieldExistsQuery [field=n])', 'ConstantScore(*:*)'],
    [{ match_phrase_prefix: { t: 'quick br' } }, 't:"quick br*"', 't:"quick brown"'],
    [{ term: { zz: 1 } }, 'MatchNoDocsQuery("The "term" query is against a field that does not exist")', ''],
  ]
  for (const [query, written, simplified] of texts) {
    const plan = planWhole(shard, request(query))
    assert.equal(plan.text(false), written)
    assert.equal(plan.text(true), simplified === '' ? written : simplified)
  }
})

test('without frequencies the length of a field is its number of terms and not of tokens', () => {
  const docs = [
    { id: '1', source: { t: 'fox fox fox dog' } },
    { id: '2', source: { t: 'fox dog' } },
  ]
  const bare = openTestShard({ t: { type: 'text', index_options: 'docs' } }, [docs])
  const explainer = new HitExplainer(bare, request({ match: { t: 'fox' } }))
  const [one, other] = [0, 1].map((doc) => explainer.explain(bare.view.segments[0]!, doc).value)
  assert.equal(one, other)
})

const nested = openTestShard(
  { t: { type: 'text' }, k: { type: 'keyword' }, o: { type: 'nested', properties: { k: { type: 'keyword' } } } },
  [[{ id: '1', source: { t: 'quick brown fox', k: 'a', o: [{ k: 'x' }] } }]],
)

// Elasticsearch restricts a query to root documents if it does not know the class of the query.
test('a query of a class without a known field is restricted to root documents where nested objects exist', () => {
  const text = (query: unknown, rewritten: boolean) => planWhole(nested, request(query)).text(rewritten)
  const roots = '#FieldExistsQuery [field=_primary_term]'
  assert.equal(text({ term: { k: 'a' } }, true), 'k:a')
  assert.equal(text({ dis_max: { queries: [{ term: { k: 'a' } }] } }, true), `+k:a ${roots}`)
  const like = { fields: ['t'], like: 'quick', min_term_freq: 1, min_doc_freq: 1 }
  assert.equal(text({ more_like_this: like }, false), `+like:[quick] ${roots}`)
  assert.equal(text({ fuzzy: { t: 'quik' } }, false), `+t:quik~1 ${roots}`)
  assert.equal(text({ fuzzy: { t: 'quik' } }, true), `+(t:quick)^0.75 ${roots}`)
  assert.equal(
    text({ constant_score: { filter: { fuzzy: { t: 'quik' } } } }, false),
    `+ConstantScore(t:quik~1) ${roots}`,
  )
  assert.equal(
    text({ bool: { must: [{ fuzzy: { t: 'quik' } }], must_not: [{ term: { k: 'c' } }] } }, true),
    `+(+(t:quick)^0.75 -k:c) ${roots}`,
  )
})

test('required clauses of an inner conjunction stay inside it', () => {
  const query = {
    bool: { must: [{ bool: { must: [{ term: { k: 'a' } }, { term: { k: 'b' } }] } }, { term: { k: 'c' } }] },
  }
  assert.equal(planWhole(shard, request(query)).text(true), '+(+k:a +k:b) +k:c')
})

test('a query that requires optional clauses and has none matches nothing', () => {
  const query = { bool: { must: [{ match_all: {} }], filter: [{ exists: { field: 'n' } }], minimum_should_match: 1 } }
  assert.equal(planWhole(shard, request(query)).scorer(shard.view.segments[0]!), undefined)
  assert.equal(
    planWhole(shard, request({ bool: { must: [{ term: { k: 'a' } }], minimum_should_match: 1 } })).scorer(
      shard.view.segments[0]!,
    ),
    undefined,
  )
})

test('a document that lacks optional clauses is explained by those that match', () => {
  const must = [{ term: { k: 'a' } }]
  assert.match(
    explain({ bool: { must, minimum_should_match: 1 } }, 0),
    /^0.0 Failure to match minimum number of optional clauses: 1/,
  )
  const should = [{ term: { k: 'b' } }]
  assert.match(
    explain({ bool: { must, should, minimum_should_match: 2 } }, 0),
    /^0.0 SHOULD clause count less than minimumNumberShouldMatch/,
  )
})

test('ids whose packed bytes are text are shown as text', () => {
  assert.equal(planWhole(shard, request({ ids: { values: ['d10', 'd1'] } })).text(true), '_id:(w] [ff 64 31])')
})

test('a range without values between its bounds is explained as no match, and its text shows the rewritten doc values', () => {
  assert.equal(explain({ range: { n: { gte: 3, lte: 0 } } }, 0), '0.0 ')
  const required = explain({ bool: { must: [{ range: { n: { gt: 1, lt: 2 } } }, { match_all: {} }] } }, 0)
  assert.match(
    required,
    /\(IndexOrDocValuesQuery\(indexQuery=n:\[2 TO 1\], dvQuery=MatchNoDocsQuery\(""\)\)\)\n {4}0\.0 \n/,
  )
})

test('a range of terms shows its excluded bounds as written', () => {
  assert.equal(explain({ range: { k: { gt: 'x', lt: 'z' } } }, 0), "0.0 k:{x TO z} doesn't match id 0")
})

test('any_of within any_of shows one list of alternatives', () => {
  const inner = { any_of: { intervals: [{ match: { query: 'b' } }, { match: { query: 'c' } }] } }
  const rule = { any_of: { intervals: [{ match: { query: 'a' } }, inner] } }
  assert.equal(explain({ intervals: { t: rule } }, 0), '0.0 no matching intervals')
  const filter = { intervals: { t: rule } }
  assert.equal(explain({ constant_score: { filter } }, 0), "0.0 ConstantScore(t:or(a,b,c)) doesn't match id 0")
})

test('the negative query of boosting is shown as it was before Lucene rewrites it', () => {
  const shown = (negative: unknown) =>
    /queryboost\(score\((.*)\)\)\^0\.5/.exec(
      explain({ boosting: { positive: { match_all: {} }, negative, negative_boost: 0.5 } }, 0),
    )?.[1]
  assert.equal(shown({ span_multi: { match: { prefix: { t: 'qu' } } } }), 'SpanMultiTermQueryWrapper(t:qu*)')
  assert.equal(shown({ bool: { must: [{ match: { t: 'fox' } }] } }), '+t:fox')
  const inner = { positive: { match_phrase_prefix: { t: 'quick br' } }, negative: { match_all: {} }, negative_boost: 0 }
  assert.match(shown({ boosting: inner }) ?? '', /^FunctionScoreQuery\(t:"quick br\*", /)
  assert.equal(shown({ exists: { field: 't' } }), 'ConstantScore(FieldExistsQuery [field=t])')
  assert.equal(
    shown({ range: { n: { gte: 3, lte: 1 } } }),
    'IndexOrDocValuesQuery(indexQuery=n:[3 TO 1], dvQuery=n:[3 TO 1])',
  )
  assert.equal(shown({ term: { k: { value: 'b', boost: 2 } } }), '(k:b)^2.0')
  assert.equal(shown({ match_none: { boost: 2 } }), 'MatchNoDocsQuery("User requested "match_none" query.")')
  assert.equal(shown({ match: { zz: { query: 'a', boost: 2 } } }), 'MatchNoDocsQuery("unmapped fields [zz]")')
  const empty = 'MatchNoDocsQuery("The "terms" query was rewritten to a "match_none" query.")'
  assert.equal(shown({ terms: { k: [], boost: 2 } }), empty)
})

test('where only matching counts, required clauses are shown as filters and optional ones beside them are omitted', () => {
  const [fox, dog, b] = [{ match: { t: 'fox' } }, { match: { t: 'dog' } }, { term: { k: 'b' } }]
  const shown = (filter: unknown) => explain({ constant_score: { filter } }, 4).replace("doesn't match id 4", '')
  assert.equal(shown({ bool: { must: [fox, dog], should: [b] } }), '0.0 ConstantScore(#t:fox #t:dog) ')
  assert.equal(
    shown({ bool: { must: [{ bool: { must: [fox, dog] } }, b] } }),
    '0.0 ConstantScore(#(#t:fox #t:dog) #k:b) ',
  )
  assert.equal(
    shown({ bool: { should: [{ bool: { must: [fox, b] } }, dog] } }),
    '0.0 ConstantScore((#t:fox #k:b) t:dog) ',
  )
  assert.equal(shown({ query_string: { query: '+fox -dog', fields: ['t'] } }), '0.0 ConstantScore(#t:fox -t:dog) ')
  const excluded = explain({ bool: { must: [b], must_not: [{ bool: { must: [fox, dog] } }] } }, 4)
  assert.match(excluded, /no match on required clause \(k:b\)/)
})

test('a clause with a boost of 0 is explained as a constant score', () => {
  const query = { match: { t: { query: 'fox lazy', boost: 0 } } }
  assert.equal(explain(query, 0), '0.0 ConstantScore(t:fox t:lazy)^0.0')
  assert.equal(explain(query, 4), "0.0 ConstantScore(t:fox t:lazy) doesn't match id 4")
  assert.equal(explain({ match_all: { boost: 0 } }, 4), '0.0 ConstantScore(*:*)^0.0')
  assert.equal(explain({ exists: { field: 't', boost: 0 } }, 0), '0.0 ConstantScore(FieldExistsQuery [field=t])^0.0')
  const fields = { multi_match: { query: 'fox lazy', fields: ['t^2'], boost: 0 } }
  assert.equal(explain(fields, 0), '0.0 ConstantScore(t:fox t:lazy)^0.0')
  const required = explain({ bool: { must: [{ term: { k: 'd' } }, query] } }, 4)
  assert.match(required, /no match on required clause \(\(ConstantScore\(t:fox t:lazy\)\)\^0\.0\)/)
})

test('boosts around a boosted query are multiplied', () => {
  const shown = (query: unknown) => planWhole(shard, request(query)).text(true)
  assert.equal(shown({ bool: { must: [{ term: { k: { value: 'a', boost: 2 } } }], boost: 3 } }), '(k:a)^6.0')
  assert.equal(shown({ multi_match: { query: 'fox', fields: ['t^2'], boost: 3 } }), '(t:fox)^6.0')
  assert.equal(shown({ bool: { filter: [{ term: { k: 'a' } }], boost: 2 } }), '(ConstantScore(k:a))^0.0')
})

test('more_like_this shows how many of its words are needed, and is parenthesized inside another query', () => {
  const like = { more_like_this: { fields: ['t'], like: 'fox dog', min_term_freq: 1, min_doc_freq: 1 } }
  const shown = (query: unknown) => planWhole(shard, request(query)).text(true)
  assert.equal(shown({ bool: { must: [{ term: { k: 'a' } }, like] } }), '+k:a +(t:dog t:fox)')
  const { more_like_this: words } = like
  const four = { more_like_this: { ...words, like: 'fox dog quick brown' } }
  assert.match(shown(four), /^\((t:\w+ ?){4}\)~1$/)
  assert.match(shown({ bool: { must: [{ term: { k: 'a' } }, four] } }), /^\+k:a \+\(\((t:\w+ ?){4}\)~1\)$/)
  assert.match(shown({ constant_score: { filter: four } }), /^ConstantScore\(\((t:\w+ ?){4}\)~1\)$/)
})
