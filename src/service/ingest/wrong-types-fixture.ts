/** Simulate requests with a value of the wrong type at one place, for every place of every processor's options. */

/** A complete configuration of each processor, with all of its options. */
const PROCESSORS: readonly Record<string, unknown>[] = [
  { append: { field: 'list', value: ['x'], allow_duplicates: true, media_type: 'text/plain' } },
  { bytes: { field: 'size', target_field: 't', ignore_missing: true } },
  {
    community_id: {
      source_ip: 'ip',
      source_port: 'n',
      destination_ip: 'ip',
      destination_port: 'n',
      iana_number: 'n',
      icmp_type: 'n',
      icmp_code: 'n',
      transport: 'word',
      target_field: 't',
      seed: 1,
      ignore_missing: true,
    },
  },
  { convert: { field: 'n', type: 'string', target_field: 't', ignore_missing: true } },
  {
    csv: {
      field: 'line',
      target_fields: ['a', 'b'],
      separator: ',',
      quote: '"',
      trim: true,
      empty_value: 'x',
      ignore_missing: true,
    },
  },
  {
    date: {
      field: 'day',
      formats: ['yyyy-MM-dd'],
      target_field: 't',
      timezone: 'UTC',
      locale: 'en',
      output_format: 'yyyy',
    },
  },
  {
    date_index_name: {
      field: 'day',
      date_rounding: 'd',
      date_formats: ['yyyy-MM-dd'],
      index_name_prefix: 'x-',
      index_name_format: 'yyyy',
      timezone: 'UTC',
      locale: 'en',
    },
  },
  { dissect: { field: 'line', pattern: '%{a},%{b}', append_separator: '', ignore_missing: true } },
  { dot_expander: { field: 'a.b', path: 'object', override: true } },
  { drop: {} },
  { fail: { message: 'no {{word}}' } },
  { fingerprint: { fields: ['word', 'n'], target_field: 't', salt: 's', method: 'SHA-1', ignore_missing: true } },
  { foreach: { field: 'list', processor: { uppercase: { field: '_ingest._value' } }, ignore_missing: true } },
  {
    grok: {
      field: 'line',
      patterns: ['%{X:a},%{WORD:b}'],
      pattern_definitions: { X: 'a' },
      ecs_compatibility: 'v1',
      trace_match: true,
      ignore_missing: true,
    },
  },
  { gsub: { field: 'word', pattern: 'a', replacement: 'b', target_field: 't', ignore_missing: true } },
  { html_strip: { field: 'word', target_field: 't', ignore_missing: true } },
  { join: { field: 'list', separator: '-', target_field: 't' } },
  {
    json: {
      field: 'json',
      target_field: 't',
      add_to_root: false,
      allow_duplicate_keys: true,
      strict_json_parsing: true,
    },
  },
  { json: { field: 'json', add_to_root: true, add_to_root_conflict_strategy: 'merge' } },
  {
    kv: {
      field: 'pairs',
      field_split: ' ',
      value_split: '=',
      target_field: 't',
      include_keys: ['a'],
      exclude_keys: ['b'],
      prefix: 'p',
      trim_key: 'x',
      trim_value: 'y',
      strip_brackets: true,
      ignore_missing: true,
    },
  },
  { lowercase: { field: 'word', target_field: 't', ignore_missing: true } },
  {
    network_direction: {
      source_ip: 'ip',
      destination_ip: 'ip',
      target_field: 't',
      internal_networks: ['private'],
      ignore_missing: true,
    },
  },
  { network_direction: { internal_networks_field: 'list', ignore_missing: true } },
  { pipeline: { name: 'other', ignore_missing_pipeline: true } },
  { registered_domain: { field: 'word', target_field: 't', ignore_missing: true } },
  { remove: { field: ['word'], ignore_missing: true } },
  { remove: { keep: ['word'] } },
  { rename: { field: 'word', target_field: 't', override: true, ignore_missing: true } },
  { reroute: { dataset: ['{{word}}', 'd'], namespace: ['n'], type: 'logs' } },
  { reroute: { destination: 'x' } },
  { script: { source: 'ctx.t = params.p', lang: 'painless', params: { p: 1 } } },
  { script: { id: 'stored', params: { p: 1 } } },
  { set: { field: 't', value: 'v', override: true, ignore_empty_value: true, media_type: 'text/plain' } },
  { set: { field: 't', copy_from: 'word' } },
  { sort: { field: 'list', order: 'asc', target_field: 't' } },
  { split: { field: 'word', separator: 'o', target_field: 't', preserve_trailing: true, ignore_missing: true } },
  { terminate: {} },
  { trim: { field: 'word', target_field: 't', ignore_missing: true } },
  { uppercase: { field: 'word', target_field: 't', ignore_missing: true } },
  { uri_parts: { field: 'uri', target_field: 't', keep_original: true, remove_if_successful: true } },
  { urldecode: { field: 'word', target_field: 't', ignore_missing: true } },
  { user_agent: { field: 'word', target_field: 't', properties: ['name'], ignore_missing: true } },
]

/** Options that every processor has. */
const COMMON = {
  tag: 't',
  description: 'd',
  if: 'ctx.n == 1',
  ignore_failure: false,
  on_failure: [{ set: { field: 'e', value: 'v' } }],
}

const SOURCE = {
  word: 'Word',
  n: 1,
  list: ['b', 'a'],
  ip: '10.0.0.1',
  size: '1kb',
  line: 'a,b',
  day: '2024-01-02',
  json: '{"a":1}',
  pairs: 'a=1 b=2',
  uri: 'http://x/y',
  object: { 'a.b': 1 },
}

const DOC = {
  _index: 'logs-a-b',
  _id: '1',
  _routing: 'r',
  _version: 1,
  _version_type: 'internal',
  _if_seq_no: 1,
  _if_primary_term: 1,
  _source: SOURCE,
}

/** Names that a source should not contain. */
const METADATA = [
  '_index',
  '_id',
  '_routing',
  '_version',
  '_version_type',
  '_if_seq_no',
  '_dynamic_templates',
  '_ingest',
]

/** Values as JSON text, because JavaScript cannot hold some of the numbers. */
const WRONG: readonly string[] = [
  'null',
  'true',
  '7',
  '-1',
  '1.5',
  '2147483648',
  '9223372036854775808',
  '1e400',
  '""',
  '"x"',
  '"{{x"',
  '"{{{x}}}"',
  '[]',
  '[null]',
  '[[1]]',
  '[{}]',
  '{}',
  '{"x":null}',
  '{"x":{"y":[1]}}',
]

export interface WrongRequest {
  /** The place and the value, for messages. */
  readonly name: string
  readonly body: string
}

/** Yields requests with one wrong value each, for every place of the options, the pipeline and the documents. */
export function* wrongRequests(): Generator<WrongRequest> {
  for (const processor of PROCESSORS) {
    const [type] = Object.keys(processor)
    yield* replaced(String(type), processor, (changed) => bodyOf(`[${changed}]`))
  }
  yield* replaced('common', { uppercase: { field: 'word', ...COMMON } }, (changed) => bodyOf(`[${changed}]`))
  const pipeline = {
    description: 'd',
    version: 1,
    _meta: { a: 1 },
    deprecated: false,
    processors: [{ uppercase: { field: 'word' } }],
    on_failure: [{ set: { field: 'e', value: 'v' } }],
  }
  const metadata = Object.fromEntries(METADATA.map((name) => [name, 'x']))
  yield* replaced('source', metadata, (changed) => `{"pipeline":{"processors":[]},"docs":[{"_source":${changed}}]}`)
  for (const name of METADATA) {
    yield* replaced('source', { [name]: 'x' }, (changed) => {
      return `{"pipeline":{"processors":[]},"docs":[{"_source":${changed}}]}`
    })
  }
  const doc = JSON.stringify(DOC)
  yield* replaced('pipeline', pipeline, (changed) => `{"pipeline":${changed},"docs":[${doc}]}`)
  const whole = { pipeline: { processors: [{ uppercase: { field: 'word' } }] }, docs: [DOC] }
  yield* replaced('body', whole, (changed) => changed)
}

const bodyOf = (processors: string) => `{"pipeline":{"processors":${processors}},"docs":[${JSON.stringify(DOC)}]}`

const PLACEHOLDER = '@replaced@'

/** Replaces the value at each path of `value`, the value itself included. */
function* replaced(name: string, value: unknown, body: (json: string) => string): Generator<WrongRequest> {
  for (const { path, copy } of places(value)) {
    const text = JSON.stringify(copy)
    for (const wrong of WRONG) {
      yield { name: `${name}${path} = ${wrong}`, body: body(text.replace(JSON.stringify(PLACEHOLDER), () => wrong)) }
    }
  }
}

function* places(value: unknown): Generator<{ path: string; copy: unknown }> {
  yield { path: '', copy: PLACEHOLDER }
  if (typeof value !== 'object' || value === null) return
  for (const [key, member] of Object.entries(value)) {
    for (const { path, copy } of places(member)) {
      const whole = Array.isArray(value) ? [...value] : { ...value }
      ;(whole as Record<string, unknown>)[key] = copy
      yield { path: `.${key}${path}`, copy: whole }
    }
  }
}
