/** Requests about one document of five megabytes, and requests whose text is that long. */
import { type HostileRequest, json, post, put, repeat, search, wrap } from './request-builders.ts'
import type { SentRequest } from './watched-service.ts'

const WORDS = repeat(500_000, (i) => (i % 5 === 0 ? 'quick' : `w${i % 5_000}`)).join(' ')
const LARGE = '/hostile-large'

export const LARGE_SETUP: readonly SentRequest[] = [
  put('', LARGE, {
    settings: { number_of_replicas: 0, 'index.highlight.max_analyzed_offset': 10_000_000 },
    mappings: {
      properties: {
        plain: { type: 'text' },
        offsets: { type: 'text', index_options: 'offsets' },
        vectors: { type: 'text', term_vector: 'with_positions_offsets' },
        unstored: { type: 'object', enabled: false },
      },
    },
  }),
  put('', `${LARGE}/_doc/1?refresh=true`, { plain: WORDS, offsets: WORDS, vectors: WORDS }),
  put('', `${LARGE}/_doc/2?refresh=true`, {
    unstored: repeat(100_000, (i) => ({ name: `n${i}`, deep: { a: { b: i } } })),
  }),
]

const large = (name: string, body: object): HostileRequest => ({ ...search(name, body), path: `${LARGE}/_search` })
const FIELDS = ['plain', 'offsets', 'vectors'] as const
const quick = (field: string) => ({ match: { [field]: 'quick w7 w77 w777' } })
const term = (field: string, value = 'quick') => ({ span_term: { [field]: value } })

const HIGHLIGHTS = FIELDS.flatMap((field) =>
  (['unified', 'plain', 'fvh'] as const)
    .filter((type) => type !== 'fvh' || field === 'vectors')
    .flatMap((type) => [
      large(`${type} highlight of ${field}, long`, {
        query: quick(field),
        highlight: { type, fields: { [field]: {} } },
      }),
      large(`${type} highlight of ${field}, all fragments`, {
        query: quick(field),
        highlight: { type, fields: { [field]: { number_of_fragments: 100_000, fragment_size: 20 } } },
      }),
      large(`${type} highlight of ${field} as a whole, by phrases`, {
        query: { match_phrase: { [field]: { query: 'quick w1', slop: 50 } } },
        highlight: { type, fields: { [field]: { number_of_fragments: 0 } } },
      }),
    ]),
)

export const HOSTILE_DOCUMENTS: readonly HostileRequest[] = [
  ...HIGHLIGHTS,
  ...FIELDS.flatMap((field) => [
    post(`termvectors of ${field}, long`, `${LARGE}/_termvectors/1?fields=${field}&term_statistics=true`, {}),
    post(`termvectors of ${field} with a filter, long`, `${LARGE}/_termvectors/1`, {
      fields: [field],
      filter: { max_num_terms: 100_000, min_term_freq: 1 },
    }),
    post(`explain of ${field}, long`, `${LARGE}/_explain/1`, { query: quick(field) }),
    large(`more_like_this of ${field}, long`, {
      query: {
        more_like_this: {
          fields: [field],
          like: [{ _index: LARGE.slice(1), _id: '1' }],
          min_term_freq: 1,
          min_doc_freq: 1,
        },
      },
    }),
    large(`span_near of ${field}, many clauses`, {
      query: { span_near: { clauses: repeat(500, () => term(field)), slop: 100_000, in_order: false } },
    }),
    large(`intervals of ${field}, unordered`, {
      query: {
        intervals: {
          [field]: { match: { query: repeat(20, (i) => `quick w${i}`).join(' '), ordered: false, max_gaps: 1_000 } },
        },
      },
    }),
    large(`sloppy phrase of ${field} with repeated words`, {
      query: { match_phrase: { [field]: { query: 'quick '.repeat(30), slop: 1_000 } } },
    }),
  ]),
  post('termvectors of an artificial document, long', `${LARGE}/_termvectors`, { doc: { plain: WORDS } }),
  post('mtermvectors of a long document, many times', '/_mtermvectors', {
    docs: repeat(50, () => ({ _index: LARGE.slice(1), _id: '1', fields: ['plain'] })),
  }),
  large('span_not of many', {
    query: { span_not: { include: term('plain'), exclude: term('plain', 'w1'), pre: 100_000, post: 100_000 } },
  }),
  large('span_within of many', {
    query: {
      span_within: {
        little: term('plain'),
        big: { span_near: { clauses: [term('plain'), term('plain', 'w1')], slop: 100_000, in_order: false } },
      },
    },
  }),
  large('span_near of span_or, nested', {
    query: repeat(8, (i) => i).reduce<object>(
      (inner, i) => ({
        span_near: { clauses: [inner, { span_or: { clauses: [term('plain', `w${i}`), inner] } }], slop: 50 },
      }),
      term('plain'),
    ),
  }),
  large('phrase prefix over all words', {
    query: { match_phrase_prefix: { plain: { query: 'quick w', max_expansions: 5_000, slop: 10 } } },
  }),
  large('all fields of a long document', { fields: ['*'], docvalue_fields: ['_id'], _source: false }),
  large('source filter of a long document', { _source: { excludes: repeat(1_000, (i) => `unstored.*.a.b${i}`) } }),
  large('fields below a list of objects', { fields: ['unstored.deep.*'] }),
  { name: 'pretty long document', method: 'GET', path: `${LARGE}/_doc/2?pretty` },
  { name: 'long document as YAML', method: 'GET', path: `${LARGE}/_doc/2?format=yaml` },
  { name: 'long document as CBOR', method: 'GET', path: `${LARGE}/_doc/2?format=cbor` },
  {
    name: 'filter_path of a long document',
    method: 'GET',
    path: `${LARGE}/_doc/2?filter_path=${'**.*a*.'.repeat(30)}b`,
  },
  {
    name: 'filter_path of a long document, twice',
    method: 'GET',
    path: `${LARGE}/_search?filter_path=hits.hits._source.**.b,-**.a`,
  },
  post('update of a long document', `${LARGE}/_update/2`, { doc: { x: 1 } }),
  post('update of a long document that changes nothing', `${LARGE}/_update/2`, { doc: { x: 1 } }),
  post('script update of a long document', `${LARGE}/_update/2`, { script: "ctx._source.unstored.add(['a':1])" }),
  post('analyze five megabytes', '/_analyze', { analyzer: 'standard', text: WORDS }),
  post('analyze five megabytes in every language', '/_analyze', { analyzer: 'german', text: WORDS }),
  post('analyze with ngrams, long', '/_analyze', {
    tokenizer: { type: 'ngram', min_gram: 3, max_gram: 4 },
    text: WORDS.slice(0, 1_000_000),
  }),
  post('simulate with a long document', '/_ingest/pipeline/_simulate', {
    pipeline: {
      processors: [
        { split: { field: 'm', separator: ' ', target_field: 'l' } },
        { foreach: { field: 'l', processor: { uppercase: { field: '_ingest._value' } } } },
        { join: { field: 'l', separator: '-' } },
        { sort: { field: 'l' } },
      ],
    },
    docs: [{ _source: { m: WORDS } }],
  }),
  post('match with five megabytes', `${LARGE}/_search`, { query: { match: { plain: WORDS } } }),
  post('query_string of five megabytes', `${LARGE}/_search`, { query: { query_string: { query: WORDS } } }),
  post('simple_query_string of five megabytes', `${LARGE}/_search`, {
    query: { simple_query_string: { query: WORDS } },
  }),
  post('match_phrase of five megabytes', `${LARGE}/_search`, { query: { match_phrase: { plain: WORDS } } }),
  post('intervals of five megabytes', `${LARGE}/_search`, {
    query: { intervals: { plain: { match: { query: WORDS } } } },
  }),
  post('count with five megabytes', `${LARGE}/_count`, { query: { match: { plain: WORDS } } }),
  post('validate with five megabytes', `${LARGE}/_validate/query?explain=true`, { query: { match: { plain: WORDS } } }),
  post('suggest for five megabytes', `${LARGE}/_search`, { suggest: { s: { text: WORDS, term: { field: 'plain' } } } }),
  post('terms_enum with a long text', `${LARGE}/_terms_enum`, { field: 'plain', string: WORDS }),
  post('JSON of brackets', `${LARGE}/_search`, '['.repeat(5_000_000)),
  post('JSON of objects', `${LARGE}/_search`, wrap(1_000_000, '{"a":', '1', '}')),
  post('JSON of escapes', `${LARGE}/_search`, `{"query":{"match":{"plain":"${'\\u0041'.repeat(800_000)}"}}}`),
  post(
    'JSON with a hundred thousand names',
    `${LARGE}/_search`,
    Object.fromEntries(repeat(100_000, (i) => [`k${i}`, i])),
  ),
  post('delete by query of long texts', `${LARGE}/_delete_by_query?conflicts=proceed`, {
    query: { match: { plain: WORDS.slice(0, 50_000) } },
  }),
  post('document of long tokens', `${LARGE}/_doc/3`, { plain: 'x'.repeat(5_000_000) }),
  post('document of many short tokens', `${LARGE}/_doc/4`, { plain: 'a '.repeat(2_500_000) }),
  post('document of escapes', `${LARGE}/_doc/5`, `{"plain":"${'\\u0041 '.repeat(700_000)}"}`),
  {
    name: 'bulk of a million tiny items',
    method: 'POST',
    path: '/_bulk',
    body: `{"delete":{"_index":"hostile-large","_id":"x"}}\n`.repeat(1_000_000),
  },
  {
    name: 'bulk of malformed lines',
    method: 'POST',
    path: '/_bulk',
    body: `${json({ index: {} })}\n{\n`.repeat(200_000),
  },
]
