/**
 * Requests that cause far more work than their size suggests. Each represents a class: a regular expression that
 * backtracks, text that grows when it is rendered, lists that are compared pair by pair, numbers and names of absurd
 * length.
 */
import { type HostileRequest, json, post, put, query, repeat, search, wrap } from './request-builders.ts'
import type { SentRequest } from './watched-service.ts'

/** The data for the requests: few documents, so that all of the cost is that of the request. */
export const SETUP: readonly SentRequest[] = [
  put('', '/hostile', {
    settings: {
      number_of_replicas: 0,
      analysis: {
        tokenizer: { backtracking: { type: 'pattern', pattern: '^(a+)+$' } },
        filter: { backtracking: { type: 'pattern_replace', pattern: '(a|aa)+\\1?$', replacement: '' } },
        analyzer: {
          backtracking: { type: 'custom', tokenizer: 'backtracking' },
          replacing: { type: 'custom', tokenizer: 'keyword', filter: ['backtracking'] },
        },
      },
    },
    mappings: {
      dynamic_templates: [{ backtracking: { match_pattern: 'regex', match: '^(a+)+$', mapping: { type: 'keyword' } } }],
      properties: {
        title: { type: 'text', fields: { raw: { type: 'keyword' } } },
        tag: { type: 'keyword' },
        size: { type: 'long' },
        price: { type: 'double' },
        when: { type: 'date' },
        place: { type: 'geo_point' },
        suggestion: { type: 'completion' },
        slow: { type: 'text', analyzer: 'backtracking' },
        slower: { type: 'text', analyzer: 'replacing' },
      },
    },
  }),
  {
    method: 'POST',
    path: '/_bulk?refresh=true',
    body: repeat(6, (i) =>
      [
        json({ index: { _index: 'hostile', _id: String(i) } }),
        json({
          title: `quick brown fox ${i}`,
          tag: `tag-${'a'.repeat(i)}`,
          size: i,
          price: i / 3,
          when: `2024-01-0${i + 1}`,
          place: { lat: i, lon: i },
          suggestion: `quick ${i}`,
        }),
        '',
      ].join('\n'),
    ).join(''),
  },
]

const A = 'a'.repeat(5_000)
const LONG_A = `${'a'.repeat(100_000)}!`

const REQUESTS: readonly HostileRequest[] = [
  // Regular expressions of analysis
  post('pattern tokenizer that backtracks', '/_analyze', {
    tokenizer: { type: 'pattern', pattern: '^(a+)+$' },
    text: `${'a'.repeat(40)}!`,
  }),
  post('pattern tokenizer over a long text', '/_analyze', {
    tokenizer: { type: 'pattern', pattern: '(a*)*b', group: 0 },
    text: LONG_A,
  }),
  post('pattern_replace filter that backtracks', '/_analyze', {
    tokenizer: 'keyword',
    filter: [{ type: 'pattern_replace', pattern: '(a|aa)+$', replacement: '' }],
    text: `${'a'.repeat(60)}!`,
  }),
  post('pattern_replace with references', '/_analyze', {
    tokenizer: 'keyword',
    filter: [{ type: 'pattern_replace', pattern: '(a+)+\\1\\1b', replacement: '' }],
    text: `${'a'.repeat(3_000)}!`,
  }),
  post('pattern_capture that backtracks', '/_analyze', {
    tokenizer: 'keyword',
    filter: [{ type: 'pattern_capture', patterns: repeat(20, () => '((a+)+)$') }],
    text: `${'a'.repeat(60)}!`,
  }),
  post('pattern_replace char filter that backtracks', '/_analyze', {
    tokenizer: 'keyword',
    char_filter: [{ type: 'pattern_replace', pattern: '(.*)*x', replacement: '' }],
    text: LONG_A,
  }),
  post('pattern_replace char filter with look-behind', '/_analyze', {
    tokenizer: 'keyword',
    char_filter: [{ type: 'pattern_replace', pattern: '(?<=(a{0,1000}){0,1000})b', replacement: '' }],
    text: `${A}b`,
  }),
  post('simple_pattern', '/_analyze', {
    tokenizer: { type: 'simple_pattern', pattern: '(a+)+b' },
    text: `${'a'.repeat(60)}!`,
  }),
  post('keyword_marker pattern', '/_analyze', {
    tokenizer: 'keyword',
    filter: [{ type: 'keyword_marker', keywords_pattern: '(a+)+b' }],
    text: `${'a'.repeat(60)}!`,
  }),
  post('pattern with nested counts', '/_analyze', {
    tokenizer: { type: 'pattern', pattern: '((a{100}){100}){100}', group: 0 },
    text: LONG_A,
  }),
  post('pattern of a thousand groups', '/_analyze', {
    tokenizer: { type: 'pattern', pattern: wrap(1_000, '(', 'a', ')*') },
    text: LONG_A,
  }),
  post('text with pattern analyzer, indexed', '/hostile/_doc/pattern', { slow: `${'a'.repeat(50_000)}!` }),
  post('text with pattern_replace analyzer, indexed', '/hostile/_doc/replace', { slower: `${'a'.repeat(200)}!` }),
  query('text with pattern analyzer, searched', { match: { slow: `${'a'.repeat(50_000)}!` } }),
  query('text with pattern_replace analyzer, searched', { match: { slower: `${'a'.repeat(2_000)}!` } }),
  post('dynamic template with a pattern that backtracks', '/hostile/_doc/template', { [`${'a'.repeat(40)}!`]: 1 }),
  // Other analysis
  post('ngrams of every size', '/_analyze', {
    tokenizer: { type: 'ngram', min_gram: 1, max_gram: 2 },
    filter: [
      { type: 'ngram', min_gram: 1, max_gram: 2 },
      { type: 'edge_ngram', min_gram: 1, max_gram: 100_000 },
    ],
    text: LONG_A,
  }),
  post('edge ngrams of a long text', '/_analyze', {
    tokenizer: 'keyword',
    filter: [{ type: 'edge_ngram', min_gram: 1, max_gram: 1_000_000 }],
    text: LONG_A,
  }),
  post('shingles', '/_analyze', {
    tokenizer: 'whitespace',
    filter: [{ type: 'shingle', min_shingle_size: 2, max_shingle_size: 5 }],
    text: 'a '.repeat(9_000),
  }),
  post('synonyms, many', '/_analyze', {
    tokenizer: 'whitespace',
    filter: [{ type: 'synonym_graph', synonyms: repeat(2_000, (i) => `a b c d${i}, e f g`) }],
    text: 'a b c d1 '.repeat(1_000),
  }),
  post('synonyms of synonyms', '/_analyze', {
    tokenizer: 'whitespace',
    filter: [{ type: 'synonym_graph', synonyms: [repeat(3_000, (i) => `w${i}`).join(',')] }],
    text: repeat(1_000, (i) => `w${i}`).join(' '),
  }),
  post('html_strip of open tags', '/_analyze', {
    tokenizer: 'keyword',
    char_filter: ['html_strip'],
    text: '<a '.repeat(30_000),
  }),
  post('html_strip of blanks', '/_analyze', {
    tokenizer: 'keyword',
    char_filter: ['html_strip'],
    text: `<a${' '.repeat(50_000)}`,
  }),
  post('html_strip of comments', '/_analyze', {
    tokenizer: 'keyword',
    char_filter: ['html_strip'],
    text: '<!--'.repeat(50_000),
  }),
  post('mapping char filter', '/_analyze', {
    tokenizer: 'keyword',
    char_filter: [{ type: 'mapping', mappings: repeat(5_000, (i) => `${'a'.repeat(50)}${i} => b`) }],
    text: LONG_A,
  }),
  post('uax_url_email of dots', '/_analyze', { tokenizer: 'uax_url_email', text: 'a.'.repeat(50_000) }),
  post('uax_url_email of an address', '/_analyze', { tokenizer: 'uax_url_email', text: `${'a.'.repeat(20_000)}@` }),
  post('classic tokenizer of hosts', '/_analyze', { tokenizer: 'classic', text: 'a.a-'.repeat(30_000) }),
  post('classic tokenizer of companies', '/_analyze', { tokenizer: 'classic', text: 'a&'.repeat(50_000) }),
  post('word_delimiter_graph', '/_analyze', {
    tokenizer: 'keyword',
    filter: [{ type: 'word_delimiter_graph', catenate_all: true, preserve_original: true }],
    text: 'a-1'.repeat(20_000),
  }),
  post('path_hierarchy', '/_analyze', { tokenizer: 'path_hierarchy', text: 'a/'.repeat(20_000) }),
  post('dictionary_decompounder', '/_analyze', {
    tokenizer: 'keyword',
    filter: [{ type: 'dictionary_decompounder', word_list: ['a', 'aa', 'aaa'], max_subword_size: 10_000 }],
    text: 'a'.repeat(20_000),
  }),
  post('fingerprint', '/_analyze', { analyzer: 'fingerprint', text: repeat(9_000, (i) => `w${i}`).join(' ') }),
  post('min_hash', '/_analyze', {
    tokenizer: 'keyword',
    filter: [{ type: 'min_hash', hash_count: 1_000, bucket_count: 1_000 }],
    text: 'a',
  }),
  post('explained analysis of a long text', '/_analyze', {
    analyzer: 'standard',
    explain: true,
    text: 'a '.repeat(9_000),
  }),
  post('filters, hundreds', '/_analyze', {
    tokenizer: 'whitespace',
    filter: repeat(500, () => 'lowercase'),
    text: 'a '.repeat(9_000),
  }),
  post('multiplexer of multiplexers', '/_analyze', {
    tokenizer: 'whitespace',
    filter: repeat(12, () => ({ type: 'multiplexer', filters: ['lowercase', 'uppercase'], preserve_original: true })),
    text: 'aB',
  }),
  // Templates
  post('template with nested sections', '/_render/template', {
    source: wrap(9, '{{#l}}', 'x', '{{/l}}'),
    params: { l: repeat(20, (i) => i) },
  }),
  post('template that repeats a long text', '/_render/template', {
    source: `{{#l}}${'{{t}}'.repeat(100)}{{/l}}`,
    params: { l: repeat(1_000, (i) => i), t: 'x'.repeat(10_000) },
  }),
  post('template with toJson of a list in a section', '/_render/template', {
    source: '{{#l}}{{#toJson}}l{{/toJson}}{{/l}}',
    params: { l: repeat(5_000, (i) => i) },
  }),
  post('template with open tags', '/_render/template', { source: '{{#a}}'.repeat(50_000), params: {} }),
  post('template with deep sections', '/_render/template', {
    source: wrap(20_000, '{{#a}}', '', '{{/a}}'),
    params: { a: true },
  }),
  post('search template with nested sections', '/hostile/_search/template', {
    source: `{"query":{"match":{"title":"${wrap(9, '{{#l}}', 'x', '{{/l}}')}"}}}`,
    params: { l: repeat(20, (i) => i) },
  }),
  // Queries
  query('more_like_this with ten thousand likes', {
    more_like_this: {
      fields: ['title'],
      like: repeat(10_000, (i) => ({ _index: 'hostile', _id: String(i % 6) })),
      min_term_freq: 1,
      min_doc_freq: 1,
    },
  }),
  query('more_like_this with ten thousand texts', {
    more_like_this: {
      fields: ['title'],
      like: repeat(10_000, (i) => `quick fox ${i}`),
      min_term_freq: 1,
      min_doc_freq: 1,
    },
  }),
  query('regexp with nested counts', { regexp: { tag: '((a{100}){100}){100}' } }),
  query('regexp with a large count', { regexp: { tag: '(a|b|c){1000}' } }),
  query('regexp that needs many states', { regexp: { tag: '(a|b)*a(a|b){200}' } }),
  query('regexp with complements', { regexp: { tag: { value: wrap(50, '~(', 'a.*b', ')'), flags: 'ALL' } } }),
  query('regexp of intersections', {
    regexp: { tag: { value: repeat(80, (i) => `(.*a.{${i % 20}})`).join('&'), flags: 'ALL' } },
  }),
  query('regexp with intervals', { regexp: { tag: { value: '<1-10000>'.repeat(50), flags: 'ALL' } } }),
  query('regexp nested deeply', { regexp: { tag: wrap(490, '(', 'a', ')') } }),
  query('wildcard with many stars', { wildcard: { 'title.raw': `${'*a'.repeat(5_000)}b` } }),
  query('wildcard with many stars and marks', { wildcard: { 'title.raw': '*?'.repeat(400) } }),
  query('fuzzy with a long word', { fuzzy: { tag: { value: 'a'.repeat(10_000), fuzziness: 2 } } }),
  query('prefix of a long text', { prefix: { tag: 'a'.repeat(100_000) } }),
  query('terms, a hundred thousand', { terms: { tag: repeat(65_536, (i) => `t${i}`) } }),
  query('ids, a hundred thousand', { ids: { values: repeat(100_000, String) } }),
  query('bool with thousands of clauses', { bool: { should: repeat(4_000, (i) => ({ term: { tag: `t${i}` } })) } }),
  query('bool with match_all clauses', { bool: { should: repeat(1_000, () => ({ match_all: {} })) } }),
  query('bool nested deeply', JSON.parse(wrap(25, '{"bool":{"must":', '{"match_all":{}}', '}}'))),
  post(
    'bool nested beyond any depth',
    '/hostile/_search',
    `{"query":${wrap(100_000, '{"bool":{"must":', '{"match_all":{}}', '}}')}}`,
  ),
  query('match with many words', { match: { title: 'quick '.repeat(5_000) } }),
  query('match_phrase with many words', { match_phrase: { title: 'quick '.repeat(20_000) } }),
  query('match with fuzziness', {
    match: { title: { query: repeat(1_000, (i) => `quick${i}`).join(' '), fuzziness: 2 } },
  }),
  query('multi_match over all fields', { multi_match: { query: 'quick '.repeat(900), fields: ['*'], lenient: true } }),
  query('multi_match with many fields', {
    multi_match: { query: 'quick', fields: repeat(1_000, (i) => `title^${i + 1}`) },
  }),
  query('query_string of many words', { query_string: { query: `${'quick OR '.repeat(1_000)}fox` } }),
  query('query_string nested deeply', { query_string: { query: wrap(5_000, '(', 'fox', ')') } }),
  query('query_string with many stars', {
    query_string: { query: `${'*a'.repeat(5_000)}`, default_field: 'title.raw' },
  }),
  query('query_string with regexes', {
    query_string: { query: repeat(200, () => '/(a|b)*a(a|b){8}/').join(' '), default_field: 'tag' },
  }),
  query('simple_query_string nested deeply', { simple_query_string: { query: wrap(5_000, '(', 'fox', ')') } }),
  query('simple_query_string of signs', { simple_query_string: { query: '+|-"('.repeat(5_000) } }),
  query('simple_query_string with fuzziness', {
    simple_query_string: { query: 'abcdefgh~2 '.repeat(900), fields: ['title'] },
  }),
  query('intervals', {
    intervals: {
      title: { all_of: { intervals: repeat(200, () => ({ match: { query: 'quick fox' } })), max_gaps: 100 } },
    },
  }),
  query('span_near of many', {
    span_near: { clauses: repeat(2_000, () => ({ span_term: { title: 'quick' } })), slop: 1_000 },
  }),
  query('dis_max of many', { dis_max: { queries: repeat(3_000, (i) => ({ term: { tag: `t${i}` } })) } }),
  query('function_score with many functions', {
    function_score: { functions: repeat(3_000, (i) => ({ filter: { term: { tag: `t${i}` } }, weight: 1 })) },
  }),
  query('geo_polygon of many points', {
    geo_polygon: { place: { points: repeat(20_000, (i) => ({ lat: (i % 90) / 2, lon: (i % 180) / 2 })) } },
  }),
  query('geo_shape of many points', {
    geo_shape: {
      place: {
        shape: {
          type: 'polygon',
          coordinates: [
            [
              ...repeat(5_000, (i) => [Math.cos(i / 800) * (i % 2 ? 40 : 20), Math.sin(i / 800) * (i % 2 ? 40 : 20)]),
              [20, 0],
            ],
          ],
        },
      },
    },
  }),
  query('geo_shape text of many points', {
    geo_shape: { place: { shape: `MULTIPOINT (${repeat(20_000, (i) => `${i % 180} ${i % 90}`).join(', ')})` } },
  }),
  query('geo_shape text of parentheses', {
    geo_shape: { place: { shape: `GEOMETRYCOLLECTION ${'('.repeat(50_000)}` } },
  }),
  query('range with long date math', { range: { when: { gte: `now${'+1d'.repeat(20_000)}` } } }),
  query('term with a long number', { term: { size: `1${'0'.repeat(100_000)}` } }),
  query('term with a large exponent', { term: { size: '1e1000000000' } }),
  query('terms_set', {
    terms_set: { tag: { terms: repeat(5_000, (i) => `t${i}`), minimum_should_match_field: 'size' } },
  }),
  query('minimum_should_match of many parts', {
    match: { title: { query: 'quick brown', minimum_should_match: repeat(20_000, (i) => `${i}<1`).join(' ') } },
  }),
  // Fetch phase
  search('highlights with many fields', {
    query: { match: { title: 'quick' } },
    highlight: { fields: Object.fromEntries(repeat(2_000, (i) => [`t${i}*`, {}])) },
  }),
  search('highlight_query of many', {
    query: { match_all: {} },
    highlight: {
      fields: {
        title: { highlight_query: { bool: { should: repeat(2_000, (i) => ({ prefix: { title: `a${i}` } })) } } },
      },
    },
  }),
  search('sorts, thousands', { sort: repeat(2_000, () => ({ size: 'asc' })) }),
  search('fields, thousands', { fields: repeat(20_000, (i) => `t*${i}*`) }),
  search('docvalue_fields, a hundred', { docvalue_fields: repeat(100, () => 'size') }),
  search('source filter with many patterns', { _source: { includes: repeat(5_000, (i) => `*a*b*${i}*`) } }),
  search('source filter with many stars', { _source: { includes: [`${'*a'.repeat(5_000)}`] } }),
  search('rescores, many', {
    rescore: repeat(500, () => ({ window_size: 10, query: { rescore_query: { match_all: {} } } })),
  }),
  search('suggests, many', {
    suggest: Object.fromEntries(repeat(500, (i) => [`s${i}`, { text: 'quikc brwon', term: { field: 'title' } }])),
  }),
  search('term suggester of a long text', {
    suggest: { s: { text: 'quikc '.repeat(5_000), term: { field: 'title' } } },
  }),
  search('phrase suggester of a long text', {
    suggest: { s: { text: 'quikc brwon '.repeat(200), phrase: { field: 'title' } } },
  }),
  search('completion regex', { suggest: { s: { regex: '(a|b)*a(a|b){200}', completion: { field: 'suggestion' } } } }),
  search('completion with fuzziness', {
    suggest: { s: { prefix: 'quick'.repeat(200), completion: { field: 'suggestion', fuzzy: { fuzziness: 2 } } } },
  }),
  search('collapse with inner hits', {
    collapse: { field: 'tag', inner_hits: repeat(200, (i) => ({ name: `i${i}`, size: 10 })) },
  }),
  search('stored_fields and script_fields, many', { stored_fields: repeat(5_000, (i) => `f${i}`) }),
  search('indices_boost, many', { indices_boost: repeat(5_000, () => ({ 'hos*': 1 })) }),
  // Aggregations
  search('adjacency_matrix with hundreds of filters', {
    size: 0,
    aggs: {
      m: {
        adjacency_matrix: { filters: Object.fromEntries(repeat(600, (i) => [`f${i}`, { exists: { field: 'tag' } }])) },
      },
    },
  }),
  search('adjacency_matrix in terms', {
    size: 0,
    aggs: {
      t: {
        terms: { field: 'tag' },
        aggs: {
          m: { adjacency_matrix: { filters: Object.fromEntries(repeat(300, (i) => [`f${i}`, { match_all: {} }])) } },
        },
      },
    },
  }),
  search('filters in filters', {
    size: 0,
    aggs: repeat(3, (i) => i).reduceRight<unknown>(
      (aggs) => ({
        f: { filters: { filters: repeat(60, () => ({ match_all: {} })) }, ...(aggs === undefined ? {} : { aggs }) },
      }),
      undefined,
    ),
  }),
  search('terms include that needs many states', {
    size: 0,
    aggs: { t: { terms: { field: 'tag', include: '(a|b|-|t|g)*a(a|b){200}' } } },
  }),
  search('terms include with nested counts', {
    size: 0,
    aggs: { t: { terms: { field: 'tag', include: '((a{100}){100}){100}' } } },
  }),
  search('terms include list', {
    size: 0,
    aggs: { t: { terms: { field: 'tag', include: repeat(100_000, (i) => `t${i}`) } } },
  }),
  search('histogram with a tiny interval', {
    size: 0,
    aggs: { h: { histogram: { field: 'size', interval: 1e-9, min_doc_count: 0 } } },
  }),
  search('date_histogram by the millisecond', {
    size: 0,
    aggs: { h: { date_histogram: { field: 'when', fixed_interval: '1ms' } } },
  }),
  search('date_histogram with far bounds', {
    size: 0,
    aggs: {
      h: {
        date_histogram: {
          field: 'when',
          calendar_interval: 'day',
          extended_bounds: { min: '0001-01-01', max: '9999-12-31' },
        },
      },
    },
  }),
  search('ranges, many', {
    size: 0,
    aggs: { r: { range: { field: 'size', ranges: repeat(20_000, (i) => ({ from: i, to: i + 10 })) } } },
  }),
  search('ranges in ranges', {
    size: 0,
    aggs: repeat(4, (i) => i).reduceRight<unknown>(
      (aggs) => ({
        r: {
          range: { field: 'size', ranges: repeat(40, () => ({ from: 0 })) },
          ...(aggs === undefined ? {} : { aggs }),
        },
      }),
      undefined,
    ),
  }),
  search('percentiles, many', {
    size: 0,
    aggs: { p: { percentiles: { field: 'size', percents: repeat(50_000, (i) => i / 500) } } },
  }),
  search('aggregations, thousands', {
    size: 0,
    aggs: Object.fromEntries(repeat(5_000, (i) => [`a${i}`, { max: { field: 'size' } }])),
  }),
  search('aggregations nested deeply', {
    size: 0,
    aggs: JSON.parse(
      `${'{"a":{"global":{},"aggs":'.repeat(0)}${wrap(80, '{"a":{"terms":{"field":"tag"},"aggs":', '{"m":{"max":{"field":"size"}}}', '}}')}`,
    ),
  }),
  search('composite with many sources', {
    size: 0,
    aggs: {
      c: { composite: { size: 1_000, sources: repeat(200, (i) => ({ [`s${i}`]: { terms: { field: 'tag' } } })) } },
    },
  }),
  search('multi_terms with many terms', {
    size: 0,
    aggs: { m: { multi_terms: { terms: repeat(200, () => ({ field: 'tag' })) } } },
  }),
  search('pipelines over pipelines', {
    size: 0,
    aggs: {
      h: {
        histogram: { field: 'size', interval: 0.001, min_doc_count: 0 },
        aggs: Object.fromEntries(
          repeat(30, (i) => [`d${i}`, { derivative: { buckets_path: i === 0 ? '_count' : `d${i - 1}` } }]),
        ),
      },
    },
  }),
  search('moving_fn with a wide window', {
    size: 0,
    aggs: {
      h: {
        histogram: { field: 'size', interval: 0.001, min_doc_count: 0 },
        aggs: { m: { moving_fn: { buckets_path: '_count', window: 100_000, script: 'MovingFunctions.max(values)' } } },
      },
    },
  }),
  search('significant_terms with a large background', {
    size: 0,
    aggs: { s: { significant_text: { field: 'title', filter_duplicate_text: true } } },
  }),
  search('geohash_grid at the finest', {
    size: 0,
    aggs: { g: { geotile_grid: { field: 'place', precision: 29, size: 1_000_000 } } },
  }),
  search('variable_width_histogram', {
    size: 0,
    aggs: { v: { variable_width_histogram: { field: 'price', buckets: 5_000_000, shard_size: 50_000_000 } } },
  }),
  // Many at once
  {
    name: 'msearch with ten thousand searches',
    method: 'POST',
    path: '/_msearch',
    body: '{"index":"hostile"}\n{"query":{"match":{"title":"quick"}}}\n'.repeat(10_000),
  },
  post('mget with ten thousand documents', '/_mget', {
    docs: repeat(10_000, (i) => ({ _index: 'hostile', _id: String(i % 6) })),
  }),
  post('mtermvectors with a thousand documents', '/_mtermvectors', {
    docs: repeat(1_000, (i) => ({ _index: 'hostile', _id: String(i % 6) })),
  }),
  {
    name: 'bulk of 30 MB',
    method: 'POST',
    path: '/_bulk',
    body: `{"index":{"_index":"hostile-bulk"}}\n{"title":"${'quick brown '.repeat(20)}","size":1}\n`.repeat(100_000),
  },
  {
    name: 'bulk of failing lines',
    method: 'POST',
    path: '/_bulk',
    body: `{"index":{"_index":"hostile","_id":"x"}}\n{"size":"no"}\n`.repeat(50_000),
  },
  {
    name: 'bulk with one action of ten megabytes',
    method: 'POST',
    path: '/_bulk',
    body: `{"index":{"_index":"hostile","_id":"${'x'.repeat(10_000_000)}"}}\n{}\n`,
  },
  post('document with a long text for a number', '/hostile/_doc/long', `{"size":"${'9'.repeat(20_000_000)}"}`),
  post('document with a long number', '/hostile/_doc/number', `{"size":${'9'.repeat(5_000_000)}}`),
  post('document with a long decimal', '/hostile/_doc/decimal', `{"price":0.${'1'.repeat(5_000_000)}}`),
  post('document with a long date', '/hostile/_doc/date', `{"when":"${'1'.repeat(5_000_000)}"}`),
  post('document with a long point', '/hostile/_doc/point', `{"place":"${'1,'.repeat(1_000_000)}"}`),
  post('document with a long name', '/hostile/_doc/name', `{"${'x'.repeat(1_000_000)}":1}`),
  post('document with many dots', '/hostile/_doc/dots', `{"${'x.'.repeat(10_000)}x":1}`),
  post('document nested deeply', '/hostile/_doc/deep', wrap(100_000, '{"a":', '1', '}')),
  post('document of many fields', '/hostile/_doc/fields', Object.fromEntries(repeat(50_000, (i) => [`f${i}`, i]))),
  post('document of a long list', '/hostile/_doc/list', { size: repeat(500_000, (i) => i) }),
  // Metadata
  put('mapping with a hundred thousand fields', '/hostile-fields', {
    mappings: { properties: Object.fromEntries(repeat(100_000, (i) => [`f${i}`, { type: 'keyword' }])) },
  }),
  put('mapping with a hundred thousand fields that are allowed', '/hostile-fields', {
    settings: { 'index.mapping.total_fields.limit': 200_000 },
    mappings: { properties: Object.fromEntries(repeat(100_000, (i) => [`f${i}`, { type: 'keyword' }])) },
  }),
  put('mapping nested deeply', '/hostile/_mapping', `{"properties":${wrap(2_000, '{"a":{"properties":', '{}', '}}')}}`),
  put('mapping with copy_to of all to all', '/hostile-copies', {
    mappings: {
      properties: Object.fromEntries(
        repeat(500, (i) => [`f${i}`, { type: 'keyword', copy_to: repeat(500, (j) => `f${j}`) }]),
      ),
    },
  }),
  put('mapping with many dynamic templates', '/hostile-templates', {
    mappings: {
      dynamic_templates: repeat(5_000, (i) => ({ [`t${i}`]: { match: `*a*b*${i}`, mapping: { type: 'keyword' } } })),
    },
  }),
  put('settings with many analyzers', '/hostile-analyzers', {
    settings: {
      analysis: {
        analyzer: Object.fromEntries(repeat(5_000, (i) => [`a${i}`, { type: 'custom', tokenizer: 'standard' }])),
      },
    },
  }),
  put('settings nested deeply', '/hostile-settings', `{"settings":${wrap(20_000, '{"a":', '1', '}')}}`),
  put('index template with many patterns', '/_index_template/hostile', {
    index_patterns: repeat(10_000, (i) => `hostile-*a*${i}*`),
    template: {},
  }),
  put('index template with many stars', '/_index_template/hostile-stars', {
    index_patterns: [`hostile${'*a'.repeat(5_000)}`],
    template: {},
  }),
  post('aliases, thousands', '/_aliases', {
    actions: repeat(5_000, (i) => ({ add: { index: 'hostile', alias: `hostile-alias-${i}` } })),
  }),
  put('index with a long name', `/${'x'.repeat(3_000)}`, {}),
  { name: 'index pattern with many stars', method: 'GET', path: `/${'*a'.repeat(3_000)}/_search` },
  {
    name: 'index list, thousands',
    method: 'GET',
    path: `/${repeat(1_500, (i) => `h*${i}`).join(',')}/_search?allow_no_indices=true`,
  },
  { name: 'filter_path with many stars', method: 'GET', path: `/hostile?filter_path=${'**.*a*.'.repeat(1_000)}x` },
  {
    name: 'field_caps with many patterns',
    method: 'GET',
    path: `/hostile/_field_caps?fields=${repeat(1_500, (i) => `*a*${i}`).join(',')}`,
  },
  { name: 'cat columns with many stars', method: 'GET', path: `/_cat/indices?h=${'*a'.repeat(3_000)}` },
  { name: 'settings by pattern with many stars', method: 'GET', path: `/hostile/_settings/${'*a'.repeat(3_000)}b` },
  { name: 'date math in a name', method: 'GET', path: `/%3Chostile-%7Bnow${'%2B1d'.repeat(2_000)}%7D%3E/_search` },
  { name: 'q of many stars', method: 'GET', path: `/hostile/_search?q=title.raw:${'*a'.repeat(3_000)}` },
  put('unknown setting with a long name', '/hostile/_settings', { ['k'.repeat(1_000_000)]: 1 }),
  put('index with an unknown setting with a long name', '/hostile-unknown', {
    settings: { ['k'.repeat(1_000_000)]: 1 },
  }),
  post('pipeline whose text grows tenfold with each step', '/_ingest/pipeline/_simulate', {
    pipeline: { processors: repeat(12, () => ({ gsub: { field: 'm', pattern: 'a', replacement: 'a'.repeat(10) } })) },
    docs: [{ _source: { m: 'a' } }],
  }),
  post('pipeline whose object doubles with each step', '/_ingest/pipeline/_simulate?verbose=true', {
    pipeline: { processors: repeat(40, (i) => ({ set: { field: `m.c${i}`, copy_from: 'm' } })) },
    docs: [{ _source: { m: { a: 1 } } }],
  }),
  put('pipeline-free cluster settings, many', '/_cluster/settings', {
    persistent: Object.fromEntries(repeat(10_000, (i) => [`logger.a${i}`, 'debug'])),
  }),
]

/** The requests of the short test: one of each class, none of which occupies a thread for long. */
const SHORT: ReadonlySet<string> = new Set([
  'pattern tokenizer that backtracks',
  'pattern_replace filter that backtracks',
  'pattern_replace with references',
  'pattern_capture that backtracks',
  'pattern_replace char filter that backtracks',
  'simple_pattern',
  'keyword_marker pattern',
  'pattern with nested counts',
  'text with pattern analyzer, indexed',
  'text with pattern_replace analyzer, indexed',
  'text with pattern analyzer, searched',
  'dynamic template with a pattern that backtracks',
  'template with nested sections',
  'template with deep sections',
  'search template with nested sections',
  'more_like_this with ten thousand likes',
  'regexp with nested counts',
  'regexp that needs many states',
  'wildcard with many stars',
  'bool nested beyond any depth',
  'query_string nested deeply',
  'simple_query_string nested deeply',
  'adjacency_matrix with hundreds of filters',
  'terms include that needs many states',
  'terms include with nested counts',
  'histogram with a tiny interval',
  'document nested deeply',
  'unknown setting with a long name',
  'pipeline whose text grows tenfold with each step',
  'pipeline whose object doubles with each step',
])

export const HOSTILE_REQUESTS: readonly HostileRequest[] = REQUESTS.map((request) => ({
  ...request,
  isShort: SHORT.has(request.name),
}))
