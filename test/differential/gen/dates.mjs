// Dates: formats, date math, time zones, daylight-saving changes, nanoseconds.

import { INSTANTS, ZONES } from '../lib/values.mjs'
import { dateHistogram } from './aggregations.mjs'
import { both, fieldsAt, isDate, pickField, sortable } from './fields.mjs'
import { dateRange } from './queries.mjs'

export const area = {
  name: 'dates',
  casesPerWorld: 30,
  wish: {
    docs: [20, 90],
    indexSort: false,
    nested: false,
    leaves: (rng, leaf) => [
      plainDate(rng, leaf, 'at'),
      { ...plainDate(rng, leaf, 'many'), multi: true },
      leaf(rng, 'own', 'date', null),
      leaf(rng, 'own2', 'date', null),
      leaf(rng, 'fine', 'date_nanos', null),
      leaf(rng, 'kind', 'keyword', null),
    ],
  },
  makeCase(rng, world) {
    const body = rng.pick([ranged, bucketed, bucketed, formatted, rangedBuckets])(rng, world)
    return { steps: [{ kind: 'call', method: 'POST', path: `/${world.target}/_search`, body, as: 'search' }] }
  },
}

function plainDate(rng, leaf, path) {
  const field = leaf(rng, path, 'date', null)
  delete field.format
  delete field.mapping.format
  return field
}

const FORMATS = [
  'yyyy-MM-dd',
  'epoch_millis',
  'epoch_second',
  'strict_date_optional_time',
  'strict_date_optional_time_nanos',
  'basic_date',
  'yyyy-MM-dd HH:mm:ss.SSS',
  "yyyy-MM-dd'T'HH:mm:ssXXX",
  'week_date',
  'strict_weekyear_week',
  'date_hour_minute',
  'ordinal_date',
  'uuuu-DDD',
  'EEE, d MMM yyyy',
  'yyyy',
  'yyyy-MM',
  'HH:mm:ss',
  'basic_date_time',
  'iso8601',
  'h:mm a',
  'rfc3339_lenient',
  'QQQ yyyy',
]

const anyDate = (rng, world) => pickField(rng, world, null, both(isDate, sortable)) ?? { path: 'at', type: 'date' }

function ranged(rng, world) {
  const clauses = rng.times(rng.int(1, 2), () => {
    const field = rng.pick(fieldsAt(world, null, isDate))
    return { range: { [field.path]: dateRange(rng, field) } }
  })
  return {
    query: clauses.length === 1 ? clauses[0] : { bool: { filter: clauses } },
    size: 1000,
    _source: false,
    sort: ['uid'],
  }
}

function bucketed(rng, world) {
  const field = anyDate(rng, world)
  return {
    size: 0,
    aggs: {
      over: {
        date_histogram: dateHistogram(rng, field),
        ...rng.options({
          aggs: [0.3, () => ({ first: { min: { field: field.path } }, kinds: { terms: { field: 'kind', size: 2 } } })],
        }),
      },
    },
  }
}

function formatted(rng, world) {
  const fields = rng.sample(fieldsAt(world, null, both(isDate, sortable)), 3)
  const entries = fields.map((f) => ({ field: f.path, format: rng.pick(FORMATS) }))
  const [first] = fields
  return {
    size: 1000,
    _source: false,
    [rng.pick(['fields', 'docvalue_fields'])]: entries,
    ...(first
      ? {
          sort: [
            {
              [first.path]: {
                order: rng.pick(['asc', 'desc']),
                ...rng.options({
                  format: [0.6, () => rng.pick(FORMATS.slice(0, 8))],
                  missing: [0.4, () => rng.pick(['_first', '_last'])],
                }),
              },
            },
            'uid',
          ],
        }
      : {}),
  }
}

function rangedBuckets(rng, world) {
  const field = anyDate(rng, world)
  const point = () => rng.pick(INSTANTS) + rng.pick(['', '||/d', '||+1M/M', '||-1w/w', '||/y'])
  return {
    size: 0,
    aggs: {
      spans: {
        date_range: {
          field: field.path,
          format: rng.pick(['strict_date_optional_time', 'strict_date_optional_time||yyyy']),
          ranges: [{ to: point() }, { from: point() }, { key: 'third', from: '2023', to: '2024-06' }],
          ...rng.options({
            time_zone: [0.5, () => rng.pick(ZONES)],
            keyed: [0.2, () => true],
            missing: [0.2, () => '2024-02-29'],
          }),
        },
      },
    },
  }
}
