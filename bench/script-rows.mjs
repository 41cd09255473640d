/** The rows of `scripts.mjs`. `start` is a statement that makes a script new, `p` a number that makes parameters new. */

const TEXT = (start) => `${start}emit(doc['host'].value.substring(4) + params.p)`
const PAIR = (start) => `${start}emit(doc['host'].value + '-' + doc['status'].value + params.p)`
const NUMBER = (start) => `${start}emit(doc['took'].value * params.p)`
const LONG = (start) => `${start}emit(doc['bytes'].value * 3 + params.p)`
const HOUR = (start) => `${start}emit(doc['@timestamp'].value.getHour() + params.p)`
const DAY = (start) =>
  `${start}emit(doc['@timestamp'].value.dayOfWeekEnum.getDisplayName(TextStyle.FULL, Locale.ROOT) + params.p)`
const BRANCH = (start) =>
  `${start}if (doc['took'].size() == 0) { emit(0) } else if (doc['status'].value >= 500) { emit(doc['took'].value * 10) } else { double x = doc['took'].value; emit(Math.sqrt(x) + params.p) }`

const text = { type: 'keyword', params: (p) => ({ p: `-${p}` }), mapped: 'host' }
// The factors are close to 1, so that all rounds have nearly the same buckets.
const number = { type: 'double', params: (p) => ({ p: 1 + p / 1e6 }), mapped: 'took' }
const whole = { type: 'long', params: (p) => ({ p }), mapped: 'bytes' }

const terms = (field) => ({ size: 0, aggs: { x: { terms: { field } } } })
const histogram = (interval) => (field) => ({ size: 0, aggs: { x: { histogram: { field, interval } } } })
const range = (field) => ({ size: 0, track_total_hits: true, query: { range: { [field]: { gte: 100, lt: 400 } } } })
const sort = (field) => ({ size: 10, sort: [{ [field]: 'desc' }], _source: false })
const composite = (field) => ({
  size: 0,
  aggs: { x: { composite: { size: 1000, sources: [{ a: { terms: { field } } }] } } },
})

/** Runtime fields, and the same request on a mapped field, with as many buckets: `mappedBody` if the values have another range. */
export const FIELDS = {
  'terms, text of one field': { ...text, source: TEXT, body: terms },
  'terms, text of two fields': { ...text, source: PAIR, body: terms },
  'terms, name of the day': { ...text, source: DAY, body: terms },
  'histogram, double': { ...number, source: NUMBER, body: histogram(100) },
  'histogram, double with branches': { ...number, source: BRANCH, body: histogram(100), mappedBody: histogram(10) },
  'histogram, long': { ...whole, source: LONG, body: histogram(100_000), mappedBody: histogram(33_333) },
  'histogram, hour of the day': { ...whole, source: HOUR, body: histogram(1), mapped: 'status' },
  'range query, double': { ...number, source: NUMBER, body: range },
  'range query, long': { ...whole, source: LONG, body: range },
  'sort, double': { ...number, source: NUMBER, body: sort },
  'composite, text of one field': { ...text, source: TEXT, body: composite },
  'composite, text of two fields': { ...text, source: PAIR, body: composite },
}

const all = { match_all: {} }
const ALL_HITS = { size: 10, _source: false, track_total_hits: true }

/** Scripts of the request itself. */
export const SCRIPTS = {
  'script_score of a field': {
    body: (start, p) => ({
      ...ALL_HITS,
      query: {
        script_score: {
          query: all,
          script: { source: `${start}Math.log(2 + doc['took'].value) * params.p`, params: { p: 1 + p / 1e6 } },
        },
      },
    }),
  },
  'script_score of score and field': {
    body: (start, p) => ({
      ...ALL_HITS,
      query: {
        script_score: {
          query: { term: { status: 200 } },
          script: { source: `${start}_score + doc['took'].value / params.p`, params: { p: 1 + p / 1e6 } },
        },
      },
    }),
  },
  'function_score, script_score': {
    body: (start, p) => ({
      ...ALL_HITS,
      query: {
        function_score: {
          query: all,
          script_score: { script: { source: `${start}doc['took'].value * params.p`, params: { p: 1 + p / 1e6 } } },
        },
      },
    }),
  },
  'script query': {
    body: (start, p) => ({
      size: 0,
      track_total_hits: true,
      query: {
        bool: {
          filter: {
            script: {
              script: {
                source: `${start}doc['took'].value > params.p && doc['status'].value == 200`,
                params: { p: 50 + p / 1e6 },
              },
            },
          },
        },
      },
    }),
  },
  'script sort, number': {
    body: (start, p) => ({
      ...ALL_HITS,
      sort: {
        _script: {
          type: 'number',
          order: 'desc',
          script: { source: `${start}doc['took'].value + doc['bytes'].value * params.p`, params: { p: 1 + p / 1e6 } },
        },
      },
    }),
  },
  'sum of a script': {
    body: (start, p) => ({
      size: 0,
      aggs: { x: { sum: { script: { source: `${start}doc['took'].value * params.p`, params: { p: 1 + p / 1e6 } } } } },
    }),
  },
}

const SOURCE = "ctx._source.count = (ctx._source.count ?: 0) + params.by; ctx._source.tags = ['a', ctx._source.host]"

/** Scripts that change documents. */
export const UPDATES = {
  'bulk of 1,000 scripted updates': {
    path: '/_bulk',
    type: 'application/x-ndjson',
    body: (round, docs) => {
      let lines = ''
      for (let i = 0; i < 1000; i++) {
        lines += `{"update":{"_id":"${(round * 1000 + i * 7) % docs}"}}\n`
        lines += `${JSON.stringify({ script: { source: SOURCE, params: { by: round + 1 } } })}\n`
      }
      return lines
    },
  },
  'update by query with a script, of 2,000': {
    path: '/_update_by_query?conflicts=proceed&max_docs=2000&refresh=true',
    body: (round) => ({
      query: { range: { bytes: { gte: 100 } } },
      script: { source: SOURCE, params: { by: round + 1 } },
    }),
  },
}
