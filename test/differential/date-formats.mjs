/** Formats of dates with values, roundings and time zones: in documents, ranges, sorts, buckets and shown fields. */
import { call, emptyWorld, SETTINGS } from './steps.mjs'

const FORMATS = [
  'strict_date_optional_time',
  'date_optional_time',
  'strict_date_optional_time_nanos',
  'epoch_millis',
  'epoch_second',
  'basic_date',
  'basic_date_time',
  'basic_date_time_no_millis',
  'basic_ordinal_date',
  'basic_week_date',
  'strict_basic_week_date',
  'basic_time',
  'basic_t_time',
  'date',
  'strict_date',
  'date_hour',
  'date_hour_minute',
  'date_hour_minute_second',
  'date_hour_minute_second_fraction',
  'date_hour_minute_second_millis',
  'strict_date_hour_minute_second_millis',
  'date_time',
  'date_time_no_millis',
  'strict_date_time_no_millis',
  'hour_minute',
  'hour_minute_second',
  'ordinal_date',
  'strict_ordinal_date',
  'ordinal_date_time',
  'time',
  'strict_time_no_millis',
  't_time',
  'week_date',
  'week_date_time',
  'strict_week_date_time_no_millis',
  'weekyear',
  'weekyear_week',
  'weekyear_week_day',
  'strict_weekyear_week_day',
  'year',
  'strict_year',
  'year_month',
  'strict_year_month',
  'year_month_day',
  'iso8601',
  'yyyy-MM-dd HH:mm:ss',
  'yyyy-MM-dd HH:mm:ss.SSS',
  'yyyy/MM/dd',
  'uuuu-MM-dd',
  'yyyy',
  'yy-M-d',
  'dd.MM.yyyy',
  'dd MMM yyyy',
  'EEE, dd MMM yyyy HH:mm:ss Z',
  'EEEE d MMMM yyyy',
  "yyyy-MM-dd'T'HH:mm:ss.SSSXXX",
  "yyyy-MM-dd'T'HH:mm:ssZ",
  'yyyy-MM-dd HH:mm:ss z',
  'yyyy-DDD',
  "YYYY-'W'ww-e",
  'hh:mm a',
  'HH',
  'yyyyMMddHHmmss',
  'yyyy[-MM[-dd]]',
  'yyyy-MM-dd||epoch_millis',
  'dd/MM/yyyy||yyyy-MM-dd||epoch_second',
  'yyyy-MM-dd G',
  'yyyy-qq',
  "yyyy-MM-dd'",
  'nope',
  'yyyy-MM-dd HH:mm:ss VV',
]

const VALUES = [
  '2024-05-06',
  '2024-05-06T07:08:09Z',
  '2024-05-06T07:08:09.123Z',
  '2024-05-06T07:08:09.123456789Z',
  '2024-05-06T07:08:09+02:00',
  '2024-05-06T07:08:09,5Z',
  '2024-05-06T07:08',
  '2024-05-06T07',
  '2024-05-06T24:00:00',
  '2024-05',
  '2024',
  '24',
  '1969-12-31T23:59:59.999Z',
  '0001-01-01',
  '-0044-03-15',
  '+12024-01-01',
  '12024-01-01',
  '9999-12-31T23:59:59.999999999Z',
  '2024-02-29',
  '2023-02-29',
  '2024-13-01',
  '2024-5-6',
  '20240506',
  '20240506T070809Z',
  '20240506T070809.123Z',
  '2024127',
  '2024-127',
  '2024-W19-1',
  '2024W191',
  '2024-W19',
  '1714979289123',
  '1714979289',
  '1714979289.5',
  '-1',
  '0',
  '1.5e12',
  1714979289123,
  1714979289,
  1714979289.5,
  -1,
  '2024-05-06 07:08:09',
  '2024/05/06',
  '06.05.2024',
  '06 May 2024',
  'Mon, 06 May 2024 07:08:09 +0000',
  'Monday 6 May 2024',
  '07:08',
  '07:08:09',
  'T07:08:09.123Z',
  '07:08 AM',
  '07',
  '20240506070809',
  '2024-05-06 07:08:09 Europe/Berlin',
  '2024-05-06 07:08:09 CET',
  '2024-05-06 AD',
  '',
  'x',
]

const MATH = ['||/d', '||/M', '||+1d', '||-1M/y', '||+1h/h', '||/w', '||/x', '||+d', '||', '||/d+12h']
const ZONES = ['Europe/Berlin', '+05:30', '-0700', 'America/New_York', 'CET', 'Z', '+25:00', 'Mars/Base', 'UTC+1']
const INTERVALS = [
  { calendar_interval: 'day' },
  { calendar_interval: '1w' },
  { calendar_interval: 'month' },
  { calendar_interval: 'quarter' },
  { calendar_interval: '1y' },
  { fixed_interval: '12h' },
  { fixed_interval: '30d' },
]

const bound = (rng) => {
  const value = rng.pick(VALUES)
  return typeof value === 'string' && rng.chance(0.4) ? `${value}${rng.pick(MATH)}` : value
}

const range = (rng) => ({
  range: {
    d: {
      ...rng.options({
        gte: [0.5, () => bound(rng)],
        gt: [0.2, () => bound(rng)],
        lte: [0.4, () => bound(rng)],
        lt: [0.2, () => bound(rng)],
        format: [0.4, () => rng.pick(FORMATS)],
        time_zone: [0.3, () => rng.pick(ZONES)],
      }),
    },
  },
})

const READS = [
  (rng) => ({ query: range(rng), _source: false }),
  (rng) => ({ query: range(rng), _source: false }),
  (rng) => ({ query: { term: { d: bound(rng) } }, _source: false }),
  (rng) => ({ fields: [{ field: 'd', format: rng.pick(FORMATS) }], sort: ['_doc'], _source: false }),
  (rng) => ({ docvalue_fields: [{ field: 'd', format: rng.pick(FORMATS) }], sort: ['_doc'], _source: false }),
  (rng) => ({ sort: [{ d: { format: rng.pick(FORMATS), missing: rng.pick(['_first', '_last']) } }], _source: false }),
  (rng) => ({
    size: 0,
    query: { range: { d: { gte: '1960', lt: '2100', format: 'yyyy' } } },
    aggs: {
      a: {
        date_histogram: {
          field: 'd',
          ...rng.pick(INTERVALS),
          min_doc_count: 1,
          ...rng.options({
            format: [0.5, () => rng.pick(FORMATS)],
            time_zone: [0.4, () => rng.pick(ZONES)],
            offset: [0.3, () => rng.pick(['+6h', '-1d', '3600000', 'x'])],
            keyed: [0.2, () => true],
          }),
        },
      },
    },
  }),
  (rng) => ({
    size: 0,
    aggs: {
      a: {
        date_range: {
          field: 'd',
          ...rng.options({ format: [0.5, () => rng.pick(FORMATS)], time_zone: [0.3, () => rng.pick(ZONES)] }),
          ranges: [{ from: bound(rng) }, { to: bound(rng) }],
        },
      },
    },
  }),
  (rng) => ({
    size: 0,
    aggs: { a: { [rng.pick(['min', 'max', 'stats', 'terms', 'avg'])]: { field: 'd', format: rng.pick(FORMATS) } } },
  }),
]

export const dateFormats = {
  name: 'date-formats',
  casesPerWorld: 1,
  wish: null,
  makeCase(rng, _, name) {
    const mapping = {
      type: rng.pick(['date', 'date', 'date_nanos']),
      ...rng.options({
        format: [0.75, () => rng.pick(FORMATS)],
        ignore_malformed: [0.5, () => true],
        locale: [0.1, () => rng.pick(['en', 'de', 'fr-FR', 'en_US'])],
      }),
    }
    return {
      world: emptyWorld(name),
      steps: [
        call('PUT', `/${name}`, { settings: SETTINGS, mappings: { properties: { d: mapping } } }),
        ...rng.times(6, (i) => call('PUT', `/${name}/_doc/${i}`, { d: rng.pick(VALUES) })),
        call('POST', `/${name}/_refresh`),
        call(
          'POST',
          `/${name}/_search`,
          { fields: ['d', '_ignored'], docvalue_fields: ['d'], sort: ['_doc'] },
          { as: 'search' },
        ),
        ...rng.times(6, () => call('POST', `/${name}/_search`, rng.pick(READS)(rng), { as: 'search' })),
        call('DELETE', `/${name}`, undefined, { always: true }),
      ],
    }
  },
}
