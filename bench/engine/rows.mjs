/** What `bench/engine.mjs` measures: aggregations and searches over the documents of `corpus.mjs`. */
const AVG = { v: { avg: { field: 'took' } } }
const SUM_WHOLE = { v: { avg: { field: 'status' } } }
const HALF = { range: { took: { lt: 62.5 } } }

export const AGGREGATIONS = {
  terms: { a: { terms: { field: 'host', size: 40 } } },
  'terms + avg': { a: { terms: { field: 'host', size: 40 }, aggs: AVG } },
  'terms + avg of integers': { a: { terms: { field: 'host', size: 40 }, aggs: SUM_WHOLE } },
  'terms of 20,000 + avg': { a: { terms: { field: 'session', size: 10 }, aggs: AVG } },
  'terms + stats': { a: { terms: { field: 'host', size: 40 }, aggs: { v: { stats: { field: 'took' } } } } },
  'date_histogram + avg': { a: { date_histogram: { field: '@timestamp', calendar_interval: 'day' }, aggs: AVG } },
  'date_histogram + terms + avg': {
    a: {
      date_histogram: { field: '@timestamp', calendar_interval: 'day' },
      aggs: { b: { terms: { field: 'host' }, aggs: AVG } },
    },
  },
  'date_histogram + percentiles': {
    a: {
      date_histogram: { field: '@timestamp', calendar_interval: 'month' },
      aggs: { p: { percentiles: { field: 'took' } } },
    },
  },
  'histogram + avg': { a: { histogram: { field: 'took', interval: 50 }, aggs: AVG } },
  'range + avg': {
    a: { range: { field: 'took', ranges: [{ to: 10 }, { from: 10, to: 100 }, { from: 100 }] }, aggs: AVG },
  },
  avg: { a: { avg: { field: 'took' } } },
  stats: { a: { stats: { field: 'took' } } },
  max: { a: { max: { field: 'took' } } },
  percentiles: { a: { percentiles: { field: 'took' } } },
  'cardinality of 20,000': { a: { cardinality: { field: 'session' } } },
  geotile_grid: { a: { geotile_grid: { field: 'place', precision: 6 } } },
  'geotile_grid + avg': { a: { geotile_grid: { field: 'place', precision: 6 }, aggs: AVG } },
  'composite host × day': {
    a: {
      composite: {
        size: 1000,
        sources: [
          { h: { terms: { field: 'host' } } },
          { d: { date_histogram: { field: '@timestamp', calendar_interval: 'day' } } },
        ],
      },
    },
  },
  'terms + avg of half': { query: HALF, a: { terms: { field: 'host', size: 40 }, aggs: AVG } },
  'date_histogram + avg of half': {
    query: HALF,
    a: { date_histogram: { field: '@timestamp', calendar_interval: 'day' }, aggs: AVG },
  },
}

const words = (operator) => ({ match: { message: { query: 'timeout certificate', operator } } })

export const SEARCHES = {
  or: words('or'),
  and: words('and'),
  'and of a frequent and a rare word': { match: { message: { query: 'request 1a2b', operator: 'and' } } },
  phrase: { match_phrase: { message: 'connection refused' } },
  'phrase of frequent words': { match_phrase: { message: 'request failed' } },
  'match and filter': {
    bool: { must: [{ match: { message: 'timeout' } }], filter: [{ term: { host: 'web-3' } }] },
  },
}
