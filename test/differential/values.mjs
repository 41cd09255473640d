/** Every field type with its parameters and values of every kind: what is accepted, ignored, found, sorted, aggregated and shown. */
import { call, emptyWorld, SETTINGS } from './steps.mjs'

/** Values as they are written in JSON, so that spellings of numbers survive. */
const NUMBERS = [
  '0',
  '-0',
  '-0.0',
  '1',
  '1.0',
  '1.5',
  '1e2',
  '1E-2',
  '-7',
  '127',
  '128',
  '32768',
  '2147483647',
  '2147483648',
  '9007199254740993',
  '9223372036854775807',
  '9223372036854775808',
  '-9223372036854775808',
  '18446744073709551615',
  '1e19',
  '1e39',
  '1e308',
  '1e400',
  '1.4e-45',
  '65504',
  '65520',
  '1700000000000',
  '20240506',
]
const TEXTS = [
  '',
  ' ',
  '1',
  ' 1 ',
  '1.5',
  '1,5',
  '+1',
  '1e2',
  '0x10',
  '010',
  '1f',
  '1d',
  '1L',
  '٣',
  'NaN',
  'Infinity',
  '-Infinity',
  'true',
  'false',
  'True',
  'no',
  'a',
  'é',
  '日本',
  'ﬀ',
  'İ',
  'long text of several words',
  '2024-05-06',
  '2024-05-06T07:08:09.123456789+02:00',
  '2024-02-30',
  '2024',
  'now',
  '1700000000000',
  '10.0.0.1',
  '10.0.0.256',
  '::1',
  '::ffff:10.0.0.1',
  '10.0.0.0/8',
  'YWJj',
  'YWJ',
  '1,2',
  'POINT (2 1)',
  'drm3btev3e86',
  'x'.repeat(40),
].map((text) => JSON.stringify(text))
const OTHERS = [
  'null',
  'true',
  'false',
  '[]',
  '[null]',
  '[1,null,2]',
  '[2,1,1]',
  '["b","a"]',
  '[[1],[2]]',
  '[1,"x"]',
  '{}',
  '{"a":1}',
  '[{"a":1}]',
  '{"gte":1,"lt":5}',
  '{"gt":"10.0.0.1","lte":"10.0.0.9"}',
  '{"gte":"2024-01-01","lt":"2024-06"}',
  '{"gte":5,"lte":1}',
  '{"gte":null,"lte":3}',
  '{"gte":1.5,"lte":"3"}',
  '{"gte":1,"x":2}',
  '{"lat":1,"lon":2}',
  '{"lat":"1","lon":"x"}',
  '{"lat":95,"lon":200}',
  '[1,2]',
  '[200,100]',
  '{"type":"Point","coordinates":[1,2]}',
  '{"geohash":"drm3"}',
  '{"input":["one","two"],"weight":3}',
  '{"input":"one","weight":-1}',
  '{"input":[]}',
]

const numeric = {
  coerce: [0.25, [false]],
  ignore_malformed: [0.35, [true]],
  null_value: [0.25, [1]],
  store: [0.2, [true]],
  index: [0.1, [false]],
  doc_values: [0.1, [false]],
}
const RANGE = { coerce: [0.25, [false]], store: [0.2, [true]], index: [0.1, [false]] }

/** The parameters of each type: name, probability, values. */
const TYPES = {
  long: numeric,
  integer: numeric,
  short: numeric,
  byte: numeric,
  double: numeric,
  float: numeric,
  half_float: numeric,
  boolean: { null_value: [0.25, [true]], ignore_malformed: [0.35, [true]], store: [0.2, [true]] },
  keyword: {
    ignore_above: [0.35, [3, 0]],
    null_value: [0.25, ['none']],
    normalizer: [0.3, ['low']],
    store: [0.2, [true]],
    doc_values: [0.1, [false]],
    split_queries_on_whitespace: [0.1, [true]],
  },
  text: { store: [0.2, [true]], fielddata: [0.2, [true]], norms: [0.2, [false]], index_options: [0.2, ['docs']] },
  date: {
    format: [
      0.4,
      ['yyyy-MM-dd', 'epoch_second', 'strict_date_optional_time||epoch_millis', 'date_optional_time', 'yyyyMMdd'],
    ],
    ignore_malformed: [0.35, [true]],
    null_value: [0.15, [1700000000]],
    store: [0.2, [true]],
    locale: [0.1, ['de']],
  },
  date_nanos: { ignore_malformed: [0.35, [true]], store: [0.2, [true]] },
  ip: { ignore_malformed: [0.35, [true]], null_value: [0.25, ['10.9.9.9']], store: [0.2, [true]] },
  geo_point: { ignore_malformed: [0.35, [true]], null_value: [0.25, ['3,4']], ignore_z_value: [0.2, [false]] },
  binary: { doc_values: [0.4, [true]], store: [0.3, [true]] },
  integer_range: RANGE,
  long_range: RANGE,
  double_range: RANGE,
  float_range: RANGE,
  date_range: { ...RANGE, format: [0.3, ['yyyy-MM-dd||yyyy-MM']] },
  ip_range: RANGE,
  completion: { max_input_length: [0.3, [3]], preserve_separators: [0.2, [false]] },
  flattened: { ignore_above: [0.3, [2]], null_value: [0.2, ['none']], depth_limit: [0.2, [1]] },
}

const parametersOf = (rng, type) =>
  rng.options(
    Object.fromEntries(
      Object.entries(TYPES[type]).map(([name, [chance, values]]) => [name, [chance, () => rng.pick(values)]]),
    ),
  )

/** Java 17, which runs the reference server, does not find the shortest text of large numbers in single precision. */
const LARGE = /^-?\d{8,}$|^1e[13]/
const SMALL_NUMBERS = NUMBERS.filter((number) => !LARGE.test(number))
const SMALL_TEXTS = TEXTS.filter((text) => !LARGE.test(text.slice(1, -1)) && text !== '" "')

function anyValue(rng, type) {
  const kind = rng.int(0, 2)
  if (kind === 2) return rng.pick(OTHERS)
  if (/float|binary/.test(type)) return rng.pick(kind === 0 ? SMALL_NUMBERS : SMALL_TEXTS)
  return rng.pick(kind === 0 ? NUMBERS : TEXTS)
}

const IDS = ['1', '2', '3', '4']

/** Values in queries are JSON, too. */
function queries(rng) {
  const value = anyValue(rng)
  return rng.pick([
    `{"term":{"f":${value}}}`,
    `{"term":{"f":{"value":${value}}}}`,
    `{"terms":{"f":[${value},${anyValue(rng)}]}}`,
    `{"range":{"f":{"gte":${value}}}}`,
    `{"range":{"f":{"gt":${value},"lt":${anyValue(rng)}}}}`,
    `{"match":{"f":${value}}}`,
    '{"exists":{"field":"f"}}',
    `{"match_phrase":{"f":${value}}}`,
    `{"query_string":{"query":${JSON.stringify(`f:${String(value).replaceAll(/["{}[\]:/\\]/g, '')}`)}}}`,
    `{"prefix":{"f":${rng.pick(TEXTS)}}}`,
    '{"term":{"_ignored":"f"}}',
  ])
}

const READS = [
  (rng, name) => call('POST', `/${name}/_search`, `{"query":${queries(rng)},"_source":false}`, { as: 'search' }),
  (rng, name) => call('POST', `/${name}/_search`, `{"query":${queries(rng)},"_source":false}`, { as: 'search' }),
  (rng, name) =>
    call(
      'POST',
      `/${name}/_search`,
      {
        sort: [{ f: rng.options({ order: [0.5, () => 'desc'], missing: [0.4, () => rng.pick(['_first', 1, 'x'])] }) }],
        _source: false,
      },
      { as: 'search' },
    ),
  (rng, name) =>
    call(
      'POST',
      `/${name}/_search`,
      {
        size: 0,
        aggs: {
          a: {
            [rng.pick(['terms', 'stats', 'min', 'max', 'cardinality', 'value_count', 'missing', 'percentiles'])]: {
              field: 'f',
            },
          },
        },
      },
      { as: 'search' },
    ),
  (_rng, name) => call('POST', `/${name}/_search`, { stored_fields: ['f'], sort: ['_doc'] }, { as: 'search' }),
]

export const values = {
  name: 'values',
  casesPerWorld: 1,
  wish: null,
  makeCase(rng, _, name) {
    const type = rng.pick(Object.keys(TYPES))
    const mapping = { type, ...parametersOf(rng, type) }
    const settings = {
      ...SETTINGS,
      ...rng.options({
        'index.mapping.ignore_malformed': [0.1, () => true],
        'index.mapping.coerce': [0.1, () => false],
        'index.mapping.ignore_above': [0.05, () => 4],
      }),
      analysis: { normalizer: { low: { type: 'custom', filter: ['lowercase'] } } },
    }
    return {
      world: emptyWorld(name),
      steps: [
        call('PUT', `/${name}`, { settings, mappings: { properties: { f: mapping } } }),
        ...IDS.map((id) => call('PUT', `/${name}/_doc/${id}`, `{"f":${anyValue(rng, type)}}`)),
        call('POST', `/${name}/_refresh`),
        call('POST', `/${name}/_search`, { fields: ['f', '_ignored'], sort: ['_doc'] }, { as: 'search' }),
        // Elasticsearch prints the bytes of ranges, and sorts by them.
        ...(type.endsWith('_range')
          ? rng.times(4, () => READS[0](rng, name))
          : [
              call(
                'POST',
                `/${name}/_search`,
                { docvalue_fields: ['f'], sort: ['_doc'], _source: false },
                { as: 'search' },
              ),
              ...rng.times(3, () => rng.pick(READS)(rng, name)),
            ]),
        call('GET', `/${name}/_mapping`),
        call('DELETE', `/${name}`, undefined, { always: true }),
      ],
    }
  },
}

/** The same values without a mapping, in every mode of `dynamic`. */
export const dynamicValues = {
  name: 'dynamic',
  casesPerWorld: 1,
  wish: null,
  makeCase(rng, _, name) {
    const mappings = {
      ...rng.options({
        dynamic: [0.5, () => rng.pick([true, false, 'strict', 'runtime', 'strict_allow_templates'])],
        date_detection: [0.2, () => false],
        numeric_detection: [0.3, () => true],
        dynamic_date_formats: [0.2, () => rng.pick([['yyyyMMdd'], ['epoch_millis'], ['yyyy-MM-dd', 'yyyy']])],
        dynamic_templates: [0.5, () => templates(rng)],
        subobjects: [0.1, () => false],
      }),
      properties: rng.options({
        ob: [
          0.5,
          () => ({
            properties: { x: { type: 'long' } },
            ...rng.options({ dynamic: [0.5, () => rng.pick(['runtime', 'strict', 'false', true])] }),
          }),
        ],
        ne: [0.3, () => ({ type: 'nested' })],
        off: [0.2, () => ({ type: 'object', enabled: false })],
      }),
    }
    const field = () => rng.pick(['a', 'ab', 'b_x', 'ob.x', 'ob.y', 'ob', 'ne', 'ne.k', 'off', 'deep.er.est', 'x.1'])
    const document = () => {
      const names = [...new Set(rng.times(rng.int(1, 3), field))]
      return `{${names.map((one) => `${JSON.stringify(one)}:${anyValue(rng)}`).join(',')}}`
    }
    return {
      world: emptyWorld(name),
      steps: [
        call('PUT', `/${name}`, { settings: SETTINGS, mappings }),
        ...IDS.map((id) => call('PUT', `/${name}/_doc/${id}`, document())),
        call('POST', `/${name}/_refresh`),
        call('GET', `/${name}/_mapping`),
        call(
          'POST',
          `/${name}/_search`,
          { fields: [{ field: '*', include_unmapped: true }], sort: ['_doc'] },
          { as: 'search' },
        ),
        call('POST', `/${name}/_search`, `{"query":${queries(rng).replaceAll('"f"', '"a"')},"_source":false}`, {
          as: 'search',
        }),
        call('DELETE', `/${name}`, undefined, { always: true }),
      ],
    }
  },
}

function templates(rng) {
  const condition = () =>
    rng.pick([
      { match_mapping_type: rng.pick(['string', 'long', 'double', 'date', 'boolean', 'object', '*', 'binary']) },
      { match_mapping_type: ['string', 'long'] },
      { match: rng.pick(['a*', '*x', ['a*', 'b*']]) },
      { match: '^a.*$', match_pattern: 'regex' },
      { path_match: rng.pick(['ob.*', '*.er.*', ['ob.*', 'ne.*']]), path_unmatch: '*.y' },
      { unmatch: 'a*', match_mapping_type: 'string' },
      { unmatch_mapping_type: ['long'], match: '*' },
    ])
  const mapping = () =>
    rng.pick([
      { mapping: { type: 'keyword' } },
      { mapping: { type: '{dynamic_type}', store: true } },
      { mapping: { type: 'text', fields: { '{name}_raw': { type: 'keyword' } } } },
      { mapping: { type: 'long', ignore_malformed: true } },
      { mapping: { index: false } },
      { mapping: {} },
      { runtime: {} },
      { runtime: { type: 'keyword' } },
      { mapping: { type: 'object', enabled: false } },
      { mapping: { type: 'nested' } },
    ])
  return rng.times(rng.int(1, 3), (i) => ({ [`t${i}`]: { ...condition(), ...mapping() } }))
}
