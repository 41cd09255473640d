/** What the recordings of gateway-pairs.ndjson are about, for the script that makes them and the test that reads them. */
import { encodeJson } from '../../src/base/json/json-writer.ts'
import { scopeOf } from '../../src/gateway/handlers/search-scope.ts'
import type { SearchScope } from '../../src/gateway/rewrite/search-rewrite.ts'
import { QueryParameters } from '../../src/http/query-parameters.ts'
import type { SandpiperNode } from '../../src/service/sandpiper-node.ts'

export type JsonObject = Record<string, unknown>

/** A request of a client, what Elasticsearch answers, what the gateway sends instead, and what OpenSearch answers to that. */
export interface Pair {
  /** The name of the rewrite, or `errors`. */
  readonly rewrite: string
  readonly method?: string
  readonly path?: string
  readonly request: JsonObject
  /** The query string. */
  readonly target?: string
  readonly elasticsearch: Answered
  /** The body for OpenSearch. Undefined if the gateway refuses the request, or sends it as it is. */
  readonly sent?: JsonObject
  readonly opensearch: Answered
}

interface Answered {
  readonly status: number
  /** The text, in which numbers keep their digits. */
  readonly body: string
}

export const INDEX = 'recorded-pairs'

export const MAPPING: JsonObject = {
  dynamic: false,
  properties: {
    k: { type: 'keyword' },
    n: { type: 'long' },
    d: { type: 'date', format: 'yyyy-MM-dd' },
    x: { type: 'date_nanos' },
    h: { type: 'half_float' },
    b: { type: 'boolean' },
    g: { type: 'geo_point' },
    s: { type: 'keyword', ignore_above: 5 },
    f: { type: 'flattened' },
    o: { properties: { a: { type: 'keyword' }, b: { type: 'keyword' } } },
    c: {
      type: 'nested',
      properties: {
        v: { type: 'long' },
        w: { type: 'keyword' },
        x: { type: 'date_nanos' },
        h: { type: 'half_float' },
      },
    },
  },
}

export const DOCUMENTS: readonly JsonObject[] = [
  { k: 'a', n: 5, d: '2024-01-01', x: '2024-01-01T00:00:00.123456789Z', h: 0.1, b: true, g: [2, 48], o: { a: 'x' } },
  { k: 'b', n: 1, d: '2024-01-02', h: 13.512, b: false, g: [13, 52], s: 'too long', o: { a: 'x', b: 'y' } },
  { k: 'a', n: 9, d: '2024-02-01', x: '2023-05-05T05:05:05.000000005Z', b: true, f: { p: 'q' }, z: 'late' },
  {
    k: 'c',
    d: '2024-03-31',
    g: [-70, 40],
    o: { a: 'y', c: [{}] },
    c: [
      { v: 4, w: 'm', x: '2024-01-01T00:00:00.123456789Z', h: 0.1 },
      { v: 8, w: 'n' },
    ],
    z: 'early',
  },
  { n: 7, b: false, h: [1.5, 70], c: [{ v: 1, w: 'n' }], s: ['short', 'much too long'] },
  { k: 'b', n: 3, d: '2024-01-02', c: { w: 'm' }, f: { p: 'r' } },
]

const composite = (sources: readonly JsonObject[], rest: JsonObject = {}) => ({
  composite: { sources, size: 2, ...rest },
})
const days = { day: { date_histogram: { field: 'd', calendar_interval: 'day', order: 'desc' } } }

/** Searches, each for the rewrite that it needs. */
export const SEARCHES: readonly Pick<Pair, 'rewrite' | 'request' | 'target'>[] = [
  { rewrite: 'flattened_terms', request: { size: 0, aggs: { t: { terms: { field: 'f.p' } } } } },
  {
    rewrite: 'week_days',
    request: { size: 0, aggs: { t: { date_histogram: { field: 'd', calendar_interval: 'month', format: 'e' } } } },
  },
  {
    rewrite: 'runtime_fields',
    request: {
      runtime_mappings: { z: { type: 'keyword' } },
      query: { term: { z: 'late' } },
      aggs: { t: { terms: { field: 'z' } } },
      _source: false,
    },
  },
  { rewrite: 'query_values', request: { query: { term: { d: 1_704_067_200_000 } }, _source: ['k'] } },
  { rewrite: 'query_values', request: { query: { terms: { b: [true] } }, _source: ['k'] } },
  { rewrite: 'query_values', request: { query: { range: { d: { gt: -1, lte: 1_704_067_200_000 } } }, _source: ['k'] } },
  { rewrite: 'terminated_early', request: { size: 0, track_total_hits: true } },
  {
    rewrite: 'empty_meta',
    request: { size: 0, query: { term: { k: 'none' } }, aggs: { t: { missing: { field: 'k' } } } },
  },
  {
    rewrite: 'empty_meta',
    request: {
      size: 0,
      query: { term: { k: 'none' } },
      aggs: { t: { nested: { path: 'c' }, aggs: { u: { reverse_nested: {} } } } },
    },
  },
  {
    rewrite: 'keyed_filters',
    request: { size: 0, aggs: { t: { filters: { keyed: false, filters: { one: { term: { k: 'a' } } } } } } },
  },
  {
    rewrite: 'mixed_terms',
    request: { size: 0, aggs: { t: { terms: { field: 'k', include: ['a', 'b', '', 'c.*'], exclude: 'b|d' } } } },
  },
  {
    rewrite: 'mixed_terms',
    request: { size: 0, aggs: { t: { terms: { field: 'k', include: [], exclude: 'b.*' } } } },
  },
  {
    rewrite: 'mixed_terms',
    request: { size: 0, aggs: { t: { rare_terms: { field: 'k', max_doc_count: 9, include: '.*', exclude: ['b'] } } } },
  },
  {
    rewrite: 'empty_bounds',
    target: 'typed_keys=true',
    request: {
      size: 0,
      aggs: {
        t: {
          range: { field: 'n', ranges: [{ to: 6 }, { from: 100 }] },
          aggs: { b: { geo_bounds: { field: 'g' }, meta: { a: 1 } } },
        },
      },
    },
  },
  {
    rewrite: 'empty_bounds',
    request: {
      size: 0,
      query: { term: { k: 'a' } },
      aggs: { t: { terms: { field: 'k', min_doc_count: 0 }, aggs: { b: { geo_bounds: { field: 'g' } } } } },
    },
  },
  {
    rewrite: 'significant_background',
    request: {
      size: 0,
      query: { range: { n: { lte: 5 } } },
      aggs: { t: { significant_terms: { field: 'k', min_doc_count: 1 } } },
    },
  },
  {
    rewrite: 'significant_background',
    request: {
      size: 0,
      aggs: {
        t: {
          filter: { term: { k: 'a' } },
          aggs: { s: { significant_terms: { field: 'o.a', min_doc_count: 1, jlh: {} } } },
        },
      },
    },
  },
  {
    rewrite: 'order_of_none',
    request: {
      size: 0,
      aggs: { t: { terms: { field: 'k', order: { m: 'desc' } }, aggs: { m: { avg: { field: 'n' } } } } },
    },
  },
  {
    rewrite: 'order_of_none',
    request: {
      size: 0,
      aggs: {
        t: {
          terms: { field: 'k', order: [{ 'c>m.std_deviation': 'desc' }, { _key: 'desc' }] },
          aggs: { c: { nested: { path: 'c' }, aggs: { m: { extended_stats: { field: 'c.v' } } } } },
        },
      },
    },
  },
  {
    rewrite: 'order_of_none',
    target: 'typed_keys=true',
    request: {
      size: 0,
      aggs: {
        t: {
          histogram: { field: 'n', interval: 2, order: { m: 'desc' } },
          aggs: { m: { median_absolute_deviation: { field: 'n' } } },
        },
      },
    },
  },
  ...['nanos_in_fields', 'half_floats', 'nested_fields'].flatMap((rewrite) => [
    {
      rewrite,
      request: {
        _source: false,
        query: {
          nested: { path: 'c', query: { match_all: {} }, inner_hits: { fields: ['c.x', 'c.h'], _source: false } },
        },
      },
    },
    {
      rewrite,
      request: {
        _source: false,
        query: { term: { k: 'a' } },
        sort: ['n'],
        collapse: { field: 'k', inner_hits: { name: 'i', fields: ['x', 'h'], sort: ['n'], _source: false } },
      },
    },
    {
      rewrite,
      request: {
        size: 0,
        query: { term: { k: 'a' } },
        aggs: { t: { top_hits: { fields: ['x', 'h*'], sort: ['n'], _source: false } } },
      },
    },
  ]),
  { rewrite: 'flattened_fields', request: { fields: ['f'], _source: false, query: { term: { n: 9 } } } },
  { rewrite: 'ignored_queries', request: { query: { exists: { field: '_ignored' } }, _source: false, sort: ['_doc'] } },
  {
    rewrite: 'tile_bounds',
    request: {
      size: 0,
      aggs: {
        t: { geotile_grid: { field: 'g', precision: 6, bounds: { top_left: [0, 60], bottom_right: [20, 45] } } },
      },
    },
  },
  {
    rewrite: 'tile_bounds',
    request: {
      size: 0,
      aggs: {
        t: { geohash_grid: { field: 'g', precision: 1, bounds: { top_left: [3, 47], bottom_right: [20, 46] } } },
      },
    },
  },
  {
    rewrite: 'composite_dates',
    request: {
      size: 0,
      aggs: {
        t: composite([
          { day: { date_histogram: { field: 'd', calendar_interval: 'day', format: 'dd.MM.yyyy' } } },
          { k: { terms: { field: 'k' } } },
        ]),
      },
    },
  },
  { rewrite: 'composite_first_source', request: { size: 0, aggs: { t: composite([days]) } } },
  {
    rewrite: 'composite_first_source',
    request: { size: 0, aggs: { t: composite([days], { after: { day: 1_704_153_600_000 } }) } },
  },
  {
    rewrite: 'composite_first_source',
    request: {
      size: 0,
      aggs: { f: { filter: { term: { b: true } }, aggs: { t: composite([{ k: { terms: { field: 'k' } } }]) } } },
    },
  },
  {
    rewrite: 'composite_first_source',
    request: {
      size: 0,
      aggs: {
        f: {
          filter: { term: { b: true } },
          aggs: { t: composite([{ n: { terms: { field: 'n' } } }], { after: { n: 2 } }) },
        },
      },
    },
  },
  { rewrite: 'exact_percentiles', request: { size: 0, aggs: { t: { percentiles: { field: 'n' } } } } },
  {
    rewrite: 'nested_top_hits',
    request: {
      size: 0,
      aggs: { t: { nested: { path: 'c' }, aggs: { h: { top_hits: { _source: false, size: 2 } } } } },
    },
  },
  { rewrite: 'source_excludes', request: { sort: ['_doc'], _source: { excludes: ['o.a', 'c.v', 'f.p'] } } },
  {
    rewrite: 'source_excludes',
    request: { size: 0, aggs: { t: { top_hits: { size: 9, sort: ['_doc'], _source: { excludes: ['o.a'] } } } } },
  },
  { rewrite: 'ignored_values', request: { sort: ['_doc'] } },
  { rewrite: 'half_floats', request: { sort: ['_doc'], fields: ['h'], _source: false } },
  { rewrite: 'nanos_in_fields', request: { sort: ['_doc'], fields: ['x'], _source: false } },
  { rewrite: 'nanos_in_fields', request: { sort: ['_doc'], fields: ['x*'], _source: false } },
  {
    rewrite: 'sort_format',
    request: { sort: [{ d: { order: 'asc', format: 'dd.MM.yyyy' } }, '_doc'], _source: false },
  },
  { rewrite: 'sort_format', request: { sort: ['b', '_doc'], _source: false } },
  {
    rewrite: 'missing_last',
    request: { sort: [{ k: 'asc' }, { n: 'asc' }], search_after: ['b', 3], _source: false },
  },
  {
    rewrite: 'unskipped_sort',
    request: {
      sort: [{ 'c.v': { mode: 'avg', nested: { path: 'c' } } }, '_doc'],
      track_total_hits: false,
      size: 2,
      _source: false,
    },
  },
  { rewrite: 'unskipped_sort', request: { sort: [{ n: { mode: 'sum', order: 'desc' } }, '_doc'], _source: false } },
]

/** Requests that both servers refuse, in other words. */
export const MISTAKES: readonly Pick<Pair, 'rewrite' | 'method' | 'path' | 'request'>[] = [
  ['POST', `/${INDEX}-none/_search`, {}],
  ['GET', `/${INDEX}-none/_doc/1`, {}],
  ['PUT', `/${INDEX}/_create/0`, {}],
  ['PUT', `/${INDEX}/_doc/0?if_seq_no=99&if_primary_term=1`, {}],
  ['POST', `/${INDEX}/_search`, { query: { range: { d: { gte: 'never' } } } }],
  ['POST', `/${INDEX}/_search`, { sort: ['nothing'] }],
].map(([method, path, request]) => ({ rewrite: 'errors', method, path, request }) as Pair)

/** What rewrites know about the index of the recordings. */
export function pairScope(target = ''): SearchScope {
  const index = { mapping: MAPPING, settings: {}, shardCount: 1, routingShards: 1024 }
  const state = { index: () => index, persistentSettings: {} }
  const node = { state, metadata: { transientSettings: {}, state } } as unknown as SandpiperNode
  return scopeOf(node, [INDEX], new QueryParameters(target))
}

/** An answer without what differs between two runs. */
export function comparable(answer: unknown): unknown {
  const text = typeof answer === 'string' ? answer : encodeJson(answer as never).toString()
  return JSON.parse(text, (name, value) => (VARYING.has(name) ? undefined : value))
}

const VARYING: ReadonlySet<string> = new Set(['took', 'node', 'index_uuid'])
