/** The rows of the README's table that a client can measure: a name, and a request or a sequence of pages. */

const WEEK = { range: { '@timestamp': { gte: '2025-01-08', lt: '2025-01-15' } } }
const composite = (sources, aggs) => ({
  size: 0,
  aggs: { pages: { composite: { size: 1000, sources }, ...(aggs && { aggs }) } },
})
const HOST = { host: { terms: { field: 'host' } } }
const DAY = { day: { date_histogram: { field: '@timestamp', calendar_interval: 'day' } } }
const AVG = { took: { avg: { field: 'took' } } }

/** One request per round. */
export const SEARCHES = {
  'match, two words, top 10': { query: { match: { message: 'timeout certificate' } } },
  'bool: match and two filters': {
    query: { bool: { must: [{ match: { message: 'timeout' } }], filter: [{ term: { host: 'web-3' } }, WEEK] } },
  },
  phrase: { query: { match_phrase: { message: 'connection refused' } } },
  'newest first within a week': { query: WEEK, sort: [{ '@timestamp': 'desc' }], size: 10 },
  'misspelled word': { query: { match: { message: { query: 'certficate', fuzziness: 'AUTO' } } } },
  'nested query': { query: { nested: { path: 'spans', query: { range: { 'spans.ms': { gte: 49.5 } } } } } },
  'terms, 40 values, with avg': { size: 0, aggs: { hosts: { terms: { field: 'host', size: 40 }, aggs: AVG } } },
  'date_histogram by day with avg': { size: 0, aggs: { days: { ...DAY.day, aggs: AVG } } },
  'date_histogram by week, time zone with DST': {
    size: 0,
    aggs: { weeks: { date_histogram: { field: '@timestamp', calendar_interval: 'week', time_zone: 'Europe/Berlin' } } },
  },
  percentiles: { size: 0, aggs: { took: { percentiles: { field: 'took' } } } },
  'cardinality of 20,000 values': { size: 0, aggs: { sessions: { cardinality: { field: 'session' } } } },
  'nested, terms, reverse_nested, terms': {
    size: 0,
    aggs: {
      spans: {
        nested: { path: 'spans' },
        aggs: {
          names: {
            terms: { field: 'spans.name' },
            aggs: { back: { reverse_nested: {}, aggs: { hosts: { terms: { field: 'host' } } } } },
          },
        },
      },
    },
  },
}

/** All pages of a composite aggregation per round. */
export const COMPOSITES = {
  'composite host × day, paged to the end': composite([HOST, DAY]),
  'the same with avg': composite([HOST, DAY], AVG),
  'composite over map tiles, paged to the end': composite([
    { tile: { geotile_grid: { field: 'place', precision: 8 } } },
  ]),
}
