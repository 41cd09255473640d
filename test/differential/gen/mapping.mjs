// Creating indices, changing mappings, and what dynamic mapping makes of documents.

import { placeValue, sentence } from '../lib/values.mjs'

export const area = {
  name: 'mapping',
  casesPerWorld: 1,
  wish: null,
  makeCase(rng, _, name) {
    const world = { target: name, indices: [], fields: [], ids: [], nestedPaths: [], keepsHoles: false }
    const steps = [
      call('PUT', `/${name}`, { body: indexBody(rng) }),
      call('GET', `/${name}/_mapping`),
      ...rng.times(rng.int(2, 7), () =>
        STEPS[
          rng.weighted({
            put: 4,
            doc: 5,
            caps: 1,
            fieldMapping: 1,
            settings: 0.5,
            exists: 0.3,
            alias: 0.7,
            analyze: 1.5,
          })
        ](rng, name),
      ),
      call('POST', `/${name}/_refresh`),
      call('GET', `/${name}/_mapping`),
      call('POST', `/${name}/_search`, {
        body: { size: 50, fields: ['*'] },
        as: 'search',
        scores: false,
        unordered: true,
      }),
      call('GET', `/${name}/_field_caps?fields=*&include_unmapped=false&filters=-metadata`),
      call('DELETE', `/${name}`),
    ]
    return { world, steps }
  },
}

const call = (method, path, rest = {}) => ({ kind: 'call', method, path, ...rest })
const NAMES = ['alpha', 'beta', 'gamma', 'delta', 'obj.one', 'obj.two', 'list']
const TYPES = [
  'keyword',
  'text',
  'long',
  'integer',
  'short',
  'byte',
  'double',
  'float',
  'half_float',
  'date',
  'date_nanos',
  'boolean',
  'ip',
  'geo_point',
  'binary',
  'object',
  'nested',
  'integer_range',
  'date_range',
  'alias',
  'completion',
]

function definition(rng) {
  const type = rng.pick(TYPES)
  const common = { type }
  switch (type) {
    case 'text':
      return {
        ...common,
        ...rng.options({
          analyzer: [0.3, () => rng.pick(['standard', 'simple', 'whitespace', 'nowhere'])],
          fielddata: [0.1, () => true],
          norms: [0.1, () => false],
          fields: [0.4, () => ({ raw: { type: 'keyword', ignore_above: 20 } })],
          copy_to: [0.1, () => 'gamma'],
          index: [0.1, () => false],
        }),
      }
    case 'keyword':
      return {
        ...common,
        ...rng.options({
          ignore_above: [0.3, () => 5],
          null_value: [0.2, () => 'none'],
          doc_values: [0.1, () => false],
          copy_to: [0.1, () => ['beta']],
          meta: [0.1, () => ({ unit: 'x' })],
          fields: [0.1, () => ({ t: { type: 'text' } })],
        }),
      }
    case 'date':
      return {
        ...common,
        ...rng.options({
          format: [0.4, () => rng.pick(['yyyy-MM-dd', 'epoch_second', 'strict_date||epoch_millis', 'nonsense format'])],
          ignore_malformed: [0.2, () => true],
          null_value: [0.1, () => '2020-01-01'],
        }),
      }
    case 'object':
      return {
        ...rng.options({
          dynamic: [0.3, () => rng.pick([true, false, 'strict'])],
          enabled: [0.15, () => false],
          type: [0.3, () => 'object'],
        }),
        properties: { one: { type: rng.pick(['keyword', 'long']) } },
      }
    case 'nested':
      return {
        ...common,
        ...rng.options({ include_in_parent: [0.2, () => true], dynamic: [0.2, () => 'strict'] }),
        properties: { one: { type: 'keyword' } },
      }
    case 'alias':
      return { ...common, path: rng.pick(NAMES) }
    case 'geo_point':
      return { ...common, ...rng.options({ ignore_malformed: [0.3, () => true], ignore_z_value: [0.1, () => false] }) }
    default:
      return {
        ...common,
        ...rng.options({
          ignore_malformed: [0.15, () => true],
          coerce: [0.1, () => false],
          store: [0.1, () => true],
          index: [0.05, () => false],
          colour: [0.03, () => 'red'],
        }),
      }
  }
}

function properties(rng, low, high) {
  const out = {}
  for (const name of rng.sample(NAMES, rng.int(low, high))) {
    const [head, tail] = name.split('.')
    if (!tail) out[head] = definition(rng)
    else if (!out[head]) out[head] = { properties: { [tail]: definition(rng) } }
    else if (out[head].properties) out[head].properties[tail] = definition(rng)
  }
  return out
}

const TEMPLATES = [
  { strings: { match_mapping_type: 'string', mapping: { type: 'keyword' } } },
  { longs: { match: '*a', match_mapping_type: 'long', mapping: { type: 'integer' } } },
  { inner: { path_match: 'obj.*', mapping: { type: 'keyword', index: false } } },
  { named: { match: 'n_*', mapping: { type: '{dynamic_type}' } } },
]

function indexBody(rng) {
  return {
    settings: { number_of_shards: 1, number_of_replicas: 0, refresh_interval: -1 },
    mappings: {
      ...rng.options({
        dynamic: [0.35, () => rng.pick([true, false, 'strict', 'runtime', 'maybe'])],
        date_detection: [0.15, () => false],
        numeric_detection: [0.2, () => true],
        dynamic_date_formats: [0.1, () => ['yyyy/MM/dd', 'dd.MM.yyyy']],
        dynamic_templates: [0.25, () => rng.sample(TEMPLATES, rng.int(1, 2))],
        _source: [0.06, () => ({ enabled: false })],
        _meta: [0.1, () => ({ owner: 'tests' })],
      }),
      properties: properties(rng, 0, 4),
    },
  }
}

function dynamicValue(rng) {
  return rng.pick([
    () => rng.int(-3, 300),
    () => rng.next() * 10,
    () => rng.chance(0.5),
    () => sentence(rng, 1, 3),
    () => '2024-05-05',
    () => '2024/05/05',
    () => '2024-05-05T10:00:00Z',
    () => '05.06.2024',
    () => '12',
    () => '1.5',
    () => 'true',
    () => null,
    () => [],
    () => [1, 2.5],
    () => ['a', 1],
    () => ({ one: 1 }),
    () => ({ one: 'x', two: { three: true } }),
    () => [{ one: 1 }, { one: 2 }],
    () => '10.0.0.1',
    () => placeValue(rng),
    () => 9223372036854775807n,
    () => 1e300,
    () => '',
    () => ({}),
    () => ({ gte: 1, lte: 5 }),
    () => [[1, 2], [3]],
    () => ({ type: 'Point', coordinates: [1, 2] }),
  ])()
}

const STEPS = {
  put: (rng, name) =>
    call('PUT', `/${name}/_mapping`, {
      body: {
        ...rng.options({ dynamic: [0.1, () => rng.pick([true, false, 'strict'])] }),
        properties: properties(rng, 1, 2),
      },
    }),
  doc(rng, name) {
    const doc = {}
    for (const key of rng.sample([...NAMES, 'n_1', 'new', 'other'], rng.int(1, 4))) {
      if (key.includes('.') && rng.chance(0.5)) doc[key.split('.')[0]] = { [key.split('.')[1]]: dynamicValue(rng) }
      else doc[key] = dynamicValue(rng)
    }
    return call('PUT', `/${name}/_doc/${rng.int(1, 6)}`, { body: doc })
  },
  caps: (rng, name) =>
    call('GET', `/${name}/_field_caps?fields=${rng.pick(['*a', 'obj.*', 'alpha,beta', '*'])}&filters=-metadata`),
  fieldMapping: (rng, name) =>
    call('GET', `/${name}/_mapping/field/${rng.pick(['alpha', 'obj.*', '*a', 'alpha.raw', 'none'])}`),
  settings: (_rng, name) =>
    call(
      'GET',
      `/${name}/_settings?filter_path=*.settings.index.number_of_shards,*.settings.index.number_of_replicas,*.settings.index.refresh_interval`,
    ),
  exists: (_rng, name) => call('HEAD', `/${name}`),
  alias: (rng, name) =>
    call('POST', '/_aliases', {
      body: { actions: [{ [rng.pick(['add', 'add', 'remove'])]: { index: name, alias: `${name}-alias` } }] },
    }),
  analyze(rng, name) {
    const body = rng.pick([
      { field: rng.pick(NAMES) },
      { analyzer: rng.pick(['standard', 'simple', 'whitespace', 'keyword', 'stop', 'none']) },
      { tokenizer: 'standard' },
    ])
    return call('POST', `/${name}/_analyze`, {
      body: { ...body, text: rng.chance(0.8) ? sentence(rng, 1, 5) : [sentence(rng, 1, 2), sentence(rng, 1, 2)] },
    })
  },
}
