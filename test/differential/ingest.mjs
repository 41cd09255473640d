/** Random ingest pipelines and documents, simulated. The reference server has no templates. */
import { call } from './steps.mjs'
import { makeWorld } from './world.mjs'

const VALUES = [
  '  Text with  Spaces ',
  'a,b;c',
  '12',
  '3.5',
  'true',
  '2024-05-06T07:08:09Z',
  '10.0.0.7',
  'k1=v1 k2=v2',
  'https://u:p@ex.org:81/a/b?x=1#f',
  '{"in":{"ner":[1,2.0]}}',
  '55.3.244.1 GET /index.html 15824 0.043',
  'a|b|"c d"',
]
const FIELDS = ['a', 'b', 'c', 'n', 'list', 'ob.x']

const PROCESSORS = {
  set: (rng) => ({
    field: rng.pick(['new', 'ob.new', 'a']),
    value: rng.pick([1, 'x', [1, 'two'], { k: null }]),
    ...rng.options({ override: [0.2, () => false], ignore_empty_value: [0.2, () => true] }),
  }),
  append: (rng) => ({
    field: rng.pick([...FIELDS, 'new']),
    value: rng.pick(['x', [1, 2], ['x', 'new']]),
    ...rng.options({ allow_duplicates: [0.3, () => false] }),
  }),
  remove: (rng) => ({
    ...rng.pick([{ field: rng.pick(FIELDS) }, { field: ['a', 'n'] }, { keep: ['a', 'b', 'list'] }]),
    ...rng.options({ ignore_missing: [0.5, () => true] }),
  }),
  rename: (rng) => ({
    field: rng.pick(FIELDS),
    target_field: rng.pick(['renamed', 'deep.er', 'b']),
    ...rng.options({ ignore_missing: [0.4, () => true], override: [0.3, () => true] }),
  }),
  lowercase: field,
  uppercase: field,
  trim: field,
  html_strip: field,
  urldecode: field,
  bytes: (rng) => ({ ...field(rng) }),
  convert: (rng) => ({
    ...field(rng),
    type: rng.pick(['integer', 'long', 'float', 'double', 'boolean', 'ip', 'string', 'auto']),
  }),
  split: (rng) => ({
    ...field(rng),
    separator: rng.pick([',', '\\s+', '[;|]']),
    ...rng.options({ preserve_trailing: [0.3, () => true] }),
  }),
  join: (rng) => ({ field: rng.pick(['list', 'a']), separator: '-' }),
  gsub: (rng) => ({
    ...field(rng),
    pattern: rng.pick(['[aeiou]', '(\\w)(\\w)', '\\s']),
    replacement: rng.pick(['_', '$2$1', '']),
  }),
  sort: (rng) => ({ field: rng.pick(['list', 'a']), order: rng.pick(['asc', 'desc']) }),
  date: (rng) => ({
    field: rng.pick(['a', 'b']),
    formats: rng.pick([['ISO8601'], ['yyyy-MM-dd', 'UNIX'], ['epoch_second']]),
    ...rng.options({
      timezone: [0.3, () => 'Europe/Berlin'],
      target_field: [0.4, () => 'when'],
      output_format: [0.3, () => 'yyyy/MM/dd'],
    }),
  }),
  json: (rng) => ({
    field: rng.pick(['a', 'b']),
    ...rng.options({
      target_field: [0.5, () => 'parsed'],
      add_to_root: [0.2, () => true],
      strict_json_parsing: [0.2, () => false],
    }),
  }),
  kv: (rng) => ({
    field: rng.pick(['a', 'b']),
    field_split: rng.pick([' ', ',']),
    value_split: '=',
    ...rng.options({
      prefix: [0.3, () => 'p_'],
      target_field: [0.3, () => 'kv'],
      include_keys: [0.2, () => ['k1']],
      ignore_missing: [0.3, () => true],
    }),
  }),
  csv: (rng) => ({
    field: rng.pick(['a', 'b']),
    target_fields: ['x', 'y', 'z'],
    ...rng.options({
      separator: [0.5, () => rng.pick([';', '|'])],
      trim: [0.4, () => true],
      empty_value: [0.2, () => 'none'],
    }),
  }),
  dissect: (rng) => ({
    field: rng.pick(['a', 'b']),
    pattern: rng.pick(['%{x} %{y}', '%{x}=%{y} %{+y}', '%{ip} %{?m} %{path} %{n->} %{t}', '%{*k}=%{&k}']),
  }),
  grok: (rng) => ({
    field: rng.pick(['a', 'b']),
    patterns: rng.pick([
      ['%{IP:client} %{WORD:method} %{URIPATHPARAM:request} %{NUMBER:bytes:int} %{NUMBER:took:float}'],
      ['%{NUMBER:num:long}', '%{GREEDYDATA:all}'],
      ['%{MINE:mine}'],
    ]),
    ...rng.options({
      pattern_definitions: [0.5, () => ({ MINE: '[a-z]+' })],
      trace_match: [0.2, () => true],
      ignore_missing: [0.2, () => true],
    }),
  }),
  uri_parts: (rng) => ({
    field: rng.pick(['a', 'b']),
    ...rng.options({ keep_original: [0.5, () => false], remove_if_successful: [0.2, () => true] }),
  }),
  dot_expander: (rng) => ({ field: rng.pick(['d.o.t', '*']), ...rng.options({ override: [0.3, () => true] }) }),
  foreach: (rng) => ({
    field: rng.pick(['list', 'ob']),
    processor: rng.pick([
      { uppercase: { field: '_ingest._value' } },
      { set: { field: '_ingest._value', value: 1 } },
      { append: { field: 'seen', value: 'one' } },
    ]),
    ...rng.options({ ignore_missing: [0.3, () => true] }),
  }),
  fingerprint: (rng) => ({
    fields: rng.pick([['a'], ['a', 'n', 'list']]),
    method: rng.pick(['MD5', 'SHA-1', 'SHA-256', 'MurmurHash3']),
    ignore_missing: true,
  }),
  script: (rng) => ({
    source: rng.pick([
      'ctx.s = ctx.a.length()',
      'ctx.n = ctx.n + 1',
      "ctx.list.add('z'); ctx.remove('b')",
      "ctx._index = 'other'; ctx.ob.x = [1, 2.5, null]",
      'ctx.t = params.p * 2',
    ]),
    params: { p: 21 },
  }),
  drop: () => ({ if: "ctx.a == 'nothing'" }),
  fail: (rng) => ({ message: 'failed on purpose', if: rng.pick(['ctx.n == 1', 'ctx.b != null']) }),
  community_id: () => ({ source_ip: 'ip1', destination_ip: 'ip2', ignore_missing: true }),
  registered_domain: (rng) => ({ field: rng.pick(['a', 'b']), target_field: 'url', ignore_missing: true }),
  network_direction: () => ({
    source_ip: 'ip1',
    destination_ip: 'ip2',
    internal_networks: ['private'],
    ignore_missing: true,
  }),
}

function field(rng) {
  return {
    field: rng.pick(FIELDS),
    ...rng.options({ target_field: [0.3, () => 'out'], ignore_missing: [0.3, () => true] }),
  }
}

function processor(rng, depth = 1) {
  const kind = rng.pick(Object.keys(PROCESSORS))
  return {
    [kind]: {
      ...PROCESSORS[kind](rng),
      ...rng.options({
        tag: [0.2, () => 'tagged'],
        ignore_failure: [0.25, () => true],
        ...(kind === 'drop' || kind === 'fail'
          ? {}
          : {
              if: [
                0.2,
                // Comparing a null value fails with a text that depends on what Elasticsearch compared there before.
                () =>
                  rng.pick([
                    'ctx.n != null && ctx.n > 2',
                    'ctx.a != null && ctx.a.length() > 3',
                    "ctx.list != null && ctx.list.contains('x')",
                    'ctx.none.deep == 1',
                  ]),
              ],
            }),
        ...(depth > 0
          ? { on_failure: [0.25, () => [{ set: { field: 'error', copy_from: '_ingest.on_failure_message' } }]] }
          : {}),
      }),
    },
  }
}

const ingestDocument = (rng) => ({
  ...rng.options({
    a: [0.9, () => rng.pick(VALUES)],
    b: [0.7, () => rng.pick(VALUES)],
    c: [0.3, () => null],
    n: [0.8, () => rng.pick([1, 2.5, -7, 1e10])],
    list: [0.7, () => rng.pick([['x', 'y'], [3, 1, 2], [], ['b', 'a', 'b']])],
    ob: [0.6, () => ({ x: rng.pick(['in', 5]) })],
    'd.o.t': [0.2, () => 1],
    ip1: [0.3, () => '10.0.0.1'],
    ip2: [0.3, () => '8.8.8.8'],
  }),
})

export const ingest = {
  name: 'grammar-ingest',
  casesPerWorld: 40,
  makeWorld,
  makeCase(rng) {
    const body = {
      pipeline: {
        processors: rng.times(rng.int(1, 4), () => processor(rng)),
        ...rng.options({
          on_failure: [0.15, () => [{ set: { field: 'whole', copy_from: '_ingest.on_failure_message' } }]],
        }),
      },
      docs: rng.times(rng.int(1, 2), () => ({ _index: 'i', _id: 'd', _source: ingestDocument(rng) })),
    }
    const verbose = rng.chance(0.25) ? '&verbose=true' : ''
    return { steps: [call('POST', `/_ingest/pipeline/_simulate?filter_path=-**.timestamp${verbose}`, body)] }
  },
}
