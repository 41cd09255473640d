/**
 * Configurations for tests, made from the option tables: every plugin with each of its options, once with a value it accepts and
 * once with one it rejects.
 */
import { type OptionSpec, type OptionTable, option } from '../../src/pipeline/plugin/options.ts'
import { CODECS, FILTERS, INPUTS, OUTPUTS } from '../../src/pipeline/registry/registry.ts'

export interface OptionCase {
  /** `filter grok.match` */
  readonly name: string
  readonly option: string
  readonly spec: OptionSpec<unknown>
  /** A configuration that must be accepted; undefined for removed options. */
  readonly valid: string | undefined
  /** A configuration that must be rejected; undefined if the option takes every value. */
  readonly invalid: string | undefined
}

/** Files that options may name. */
export interface CorpusFiles {
  readonly folder: string
  readonly text: string
  readonly certificate: string
  readonly key: string
  readonly yaml: string
  readonly avro: string
  readonly proto: string
  readonly template: string
  readonly sql: string
  readonly flows: string
  readonly ipfix: string
  readonly ruby: string
  readonly credentials: string
}

type Samples = Readonly<Record<string, string>>

/** Options that a plugin needs besides the required ones, and values that the kind of an option does not tell. */
export function samplesOf(files: CorpusFiles): Readonly<Record<string, Samples>> {
  const quoted = (text: string) => JSON.stringify(text)
  const tls = {
    ssl_certificate: quoted(files.certificate),
    ssl_key: quoted(files.key),
    ssl_certificate_authorities: `[${quoted(files.certificate)}]`,
    ssl_extra_chain_certs: `[${quoted(files.certificate)}]`,
    ssl_supported_protocols: '["TLSv1.2", "TLSv1.3"]',
    ssl_cipher_suites: '["TLS_AES_128_GCM_SHA256"]',
    ssl_truststore_path: quoted(files.certificate),
    cacert: quoted(files.certificate),
    ssl_cert: quoted(files.certificate),
    ssl_cacert: quoted(files.certificate),
    ca_file: quoted(files.certificate),
    client_cert: quoted(files.certificate),
    client_key: quoted(files.key),
    truststore: quoted(files.certificate),
    ssl_verify: 'false',
    ssl_verify_mode: '"none"',
    verify_mode: '"none"',
    ssl_certificate_verification: 'false',
    ssl_certificate_validation: 'false',
    tls_min_version: '1.2',
    tls_max_version: '1.3',
  }
  const search = {
    ...tls,
    ssl_enabled: 'true',
    data_stream: '"true"',
    cloud_id: '"name:bG9jYWxob3N0JGVzJGtpYmFuYQ=="',
    cloud_auth: '"elastic:secret"',
    hosts: '["localhost:9200"]',
    host: '"localhost:9200"',
    proxy: '"http://localhost:3128"',
    ca_trusted_fingerprint: quoted('0123456789abcdef'.repeat(4)),
  }
  const kafka = {
    sasl_mechanism: '"PLAIN"',
    sasl_jaas_config: `'x required username="a" password="b";'`,
    ssl_truststore_location: quoted(files.certificate),
    ssl_keystore_location: quoted(files.certificate),
    partition_assignment_strategy: '"round_robin"',
    key_deserializer_class: '"org.apache.kafka.common.serialization.StringDeserializer"',
    value_deserializer_class: '"org.apache.kafka.common.serialization.StringDeserializer"',
    key_serializer: '"org.apache.kafka.common.serialization.StringSerializer"',
    value_serializer: '"org.apache.kafka.common.serialization.StringSerializer"',
    compression_type: '"gzip"',
    topics_pattern: '"logs-.*"',
  }
  return {
    ...plainSamples(files),
    '*': { ...tls, proxy: '"http://localhost:3128"', schedule: '"* * * * *"', charset: '"UTF-8"', delimiter: '"|"' },
    'input elasticsearch': { ...search, query: `'{ "query": { "match_all": {} } }'` },
    'filter elasticsearch': { ...search, query: '"a:b"' },
    'output elasticsearch': { ...search, action: '"create"', template: quoted(files.template) },
    'output opensearch': { ...search, action: '"create"', template: quoted(files.template) },
    'input kafka': kafka,
    'output kafka': kafka,
    'codec cef': { default_timezone: '"Europe/Paris"', locale: '"de_DE"' },
    'codec avro': { schema_uri: quoted(files.avro) },
    'codec protobuf': {
      class_name: '"Unicorn"',
      include_path: `[${quoted(files.proto)}]`,
      class_file: quoted(files.proto),
    },
    'filter anonymize': { key: '"24"' },
    'filter cipher': { algorithm: '"aes-128-cbc"', base64: 'true' },
    'codec netflow': {
      cache_save_path: quoted(files.folder),
      versions: '[5, 9]',
      netflow_definitions: quoted(files.flows),
      ipfix_definitions: quoted(files.ipfix),
    },
  }
}

/** Values of single plugins. */
function plainSamples(files: CorpusFiles): Readonly<Record<string, Samples>> {
  const quoted = (text: string) => JSON.stringify(text)
  const times = { timezone: '"Europe/Paris"', locale: '"en"' }
  return {
    'filter dissect': { convert_datatype: '{ "a" => "int" }' },
    'input azure_event_hubs': {
      event_hub_connections: '["Endpoint=sb://a/;EntityPath=b"]',
      event_hubs: '[{ "b" => { "event_hub_connection" => "Endpoint=sb://a/" } }]',
      config_mode: '"advanced"',
      initial_position: '"end"',
    },
    'input elastic_agent': { enrich: '["source_metadata"]', ssl_peer_metadata: 'false' },
    'input beats': { enrich: '["source_metadata"]', ssl_peer_metadata: 'false' },
    'input dead_letter_queue': { path: quoted(files.folder), start_timestamp: '"2024-01-01T00:00:00"' },
    'input exec': { command: '"true"', interval: '60' },
    'input file': {
      mode: '"read"',
      path: '["/var/log/a.log"]',
      sincedb_write_interval: '"5 seconds"',
      sincedb_clean_after: '"2 weeks"',
      stat_interval: '"1 second"',
      close_older: '"1 hour"',
      ignore_older: '"1 day"',
      file_chunk_size: '1024',
      sincedb_path: quoted(`${files.folder}/sincedb`),
      file_completed_action: '"log"',
      file_completed_log_path: quoted(`${files.folder}/completed`),
    },
    'input http': { additional_codecs: '{ "text/plain" => "line" }' },
    'input http_poller': { urls: '{ "a" => "http://localhost:1/" }', schedule: '{ "cron" => "* * * * *" }' },
    'input syslog': times,
    'filter aggregate': {
      task_id: '"%{id}"',
      code: '"map[:a] = 1"',
      timeout_code: '"event.set(1.to_s, 1)"',
      map_action: '"update"',
      aggregate_maps_path: quoted(`${files.folder}/maps`),
    },
    'filter alter': {
      condrewrite: '["a", "b", "c"]',
      condrewriteother: '["a", "b", "c", "d"]',
      coalesce: '["a", "b"]',
    },
    'filter csv': { convert: '{ "a" => "integer" }' },
    'codec csv': { convert: '{ "a" => "integer" }' },
    'filter date': { ...times, match: '["a", "ISO8601"]' },
    'filter metrics': { rates: '[1, 5]' },
    'filter dns': { nameserver: '"127.0.0.1"' },
    'filter mutate': { convert: '{ "a" => "integer" }', gsub: '["a", "b", "c"]' },
    'filter range': { ranges: '["a", 1, 2, "drop"]' },
    'filter rest': { request: '{ "url" => "http://localhost:1/" }' },
    'filter ruby': { code: '"event.set(\'a\', 1)"', init: '"@a = 1"', path: quoted(files.ruby) },
    'filter translate': { dictionary_path: quoted(files.yaml), dictionary: '{ "a" => "b" }' },
    'filter useragent': { regexes: quoted(files.yaml) },
    'filter xml': { target: '"t"', namespaces: '{ "n" => "urn:a" }', xpath: '{ "/a" => "b" }' },
    'filter geoip': { fields: '["city_name"]' },
    'input jdbc': jdbcSamples(files),
    'filter jdbc_streaming': { ...jdbcSamples(files), prepared_statement_bind_values: '["[a]"]' },
    'filter jdbc_static': {
      ...jdbcSamples(files),
      local_lookups: '[{ query => "SELECT a FROM t WHERE a = :a" parameters => { "a" => "message" } }]',
      local_db_objects: '[{ name => "t" columns => [["a", "int"]] }]',
      loaders: '[{ query => "SELECT 1" local_table => "t" }]',
      loader_schedule: '"* * * * *"',
    },
    'input s3': s3Samples(files),
    'output s3': { ...s3Samples(files), retry_count: '3' },
    'output email': { via: '"smtp"', authentication: '"login"', template_file: quoted(files.text) },
    'output syslog': { rfc: '"rfc5424"' },
    'output csv': { csv_options: '{ "col_sep" => ";" }' },
    'output http': { url: '"http://localhost:1/"', http_method: '"post"', message: '"m"', format: '"message"' },
  }
}

function jdbcSamples({ sql, text }: CorpusFiles): Samples {
  return {
    jdbc_connection_string: '"jdbc:sqlite:/tmp/none.db"',
    jdbc_default_timezone: '"Europe/Paris"',
    jdbc_password_filepath: JSON.stringify(text),
    statement: '"SELECT 1"',
    statement_filepath: JSON.stringify(sql),
    tracking_column: '"id"',
    prepared_statement_bind_values: '[]',
    columns_charset: '{ "a" => "ISO-8859-1" }',
    last_run_metadata_path: '"/tmp/none.state"',
    prepared_statement_name: '"name"',
  }
}

function s3Samples({ folder, credentials }: CorpusFiles): Samples {
  return {
    access_key_id: '"a"',
    secret_access_key: '"b"',
    endpoint: '"http://localhost:9000"',
    proxy_uri: '"http://localhost:3128"',
    aws_credentials_file: JSON.stringify(credentials),
    additional_settings: '{ "force_path_style" => true }',
    sincedb_path: JSON.stringify(`${folder}/s3-sincedb`),
    temporary_directory: JSON.stringify(folder),
  }
}

/** Options that must be given besides the required ones: by a plugin, or together with one option. */
const TLS_OPTIONS = ['ssl_certificate', 'ssl_key', 'ssl_certificate_authorities']
const SEARCH_OUTPUTS = ['output elasticsearch', 'output opensearch']
const STREAM_OPTIONS = ['type', 'dataset', 'namespace', 'auto_routing', 'sync_fields']
const NEEDS: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    [...SEARCH_OUTPUTS, 'input elasticsearch', 'filter elasticsearch'].map((label) => [
      `${label}.api_key`,
      ['ssl_enabled'],
    ]),
  ),
  ...Object.fromEntries(
    SEARCH_OUTPUTS.flatMap((label) => STREAM_OPTIONS.map((name) => [`${label}.data_stream_${name}`, ['data_stream']])),
  ),
  'input kafka.security_protocol': ['sasl_mechanism', 'sasl_jaas_config'],
  'output kafka.security_protocol': ['sasl_mechanism', 'sasl_jaas_config'],
  'input file.exit_after_read': ['mode'],
  'codec protobuf': ['include_path'],
  'input beats.ssl_enabled': TLS_OPTIONS,
  'input elastic_agent.ssl_enabled': TLS_OPTIONS,
  'input elastic_agent.ssl': TLS_OPTIONS,
  'input beats.ssl': TLS_OPTIONS,
  'input http.ssl_enabled': TLS_OPTIONS,
  'input http.ssl': TLS_OPTIONS,
  'input relp.ssl_enabled': TLS_OPTIONS,
  'input relp.ssl': TLS_OPTIONS,
  'input relp.ssl_enable': TLS_OPTIONS,
  'input graphite.ssl_enabled': TLS_OPTIONS,
  'input graphite.ssl': TLS_OPTIONS,
  'input graphite.ssl_enable': TLS_OPTIONS,
  'input tcp.ssl_enabled': TLS_OPTIONS,
  'input tcp.ssl': TLS_OPTIONS,
  'input tcp.ssl_enable': TLS_OPTIONS,
  'input azure_event_hubs': ['event_hub_connections'],
  'input azure_event_hubs.config_mode': ['event_hubs'],
  'input exec': ['interval'],
  'input jdbc': ['statement'],
  'input jdbc.use_column_value': ['tracking_column'],
  'input jdbc.use_prepared_statements': ['prepared_statement_name'],
  'filter jdbc_static.loaders': ['local_db_objects'],
  'input s3': ['access_key_id', 'secret_access_key'],
  'output s3': ['access_key_id', 'secret_access_key'],
  'filter jdbc_streaming.use_prepared_statements': ['prepared_statement_name'],
  'filter date': ['match'],
  'filter ruby': ['code'],
  'filter translate': ['dictionary'],
  'filter xml': ['target'],
  'output http.format': ['message'],
  'output syslog.structured_data': ['rfc'],
}

/** Options that cannot be given together with another one. */
const EXCLUDES: Readonly<Record<string, readonly string[]>> = {
  'input exec.schedule': ['interval'],
  'input jdbc.statement_filepath': ['statement'],
  'filter ruby.path': ['code'],
  'filter translate.dictionary_path': ['dictionary'],
}

/** Options that a plugin takes but rejects here, with a sentence that says what to do instead, or that need a server or file of size. */
export const REJECTED: ReadonlySet<string> = new Set(['filter geoip.database', 'codec rubydebug.metadata'])

const KINDS = { input: INPUTS, filter: FILTERS, output: OUTPUTS, codec: CODECS } as const
type Kind = keyof typeof KINDS

export async function optionCases(files: CorpusFiles): Promise<OptionCase[]> {
  const samples = samplesOf(files)
  const cases: OptionCase[] = []
  for (const kind of Object.keys(KINDS) as Kind[]) {
    for (const plugin of Object.keys(KINDS[kind])) {
      const { options } = await KINDS[kind][plugin]!()
      const label = `${kind} ${plugin}`
      const own = { ...samples['*'], ...samples[label] }
      const base = baseOf(options, own, NEEDS[label] ?? [], files)
      if (Object.keys(options).length === 0) {
        const valid = configOf(kind, plugin, { id: '"a"' })
        cases.push({ name: `${label}.id`, option: 'id', spec: option.string(), valid, invalid: undefined })
      }
      for (const [name, spec] of Object.entries(options)) {
        const value = own[name] ?? validValue(renamed(spec, options), files)
        const bad = invalidValue(spec)
        const others = { ...base, ...Object.fromEntries((NEEDS[`${label}.${name}`] ?? []).map((n) => [n, own[n]!])) }
        delete others[name]
        if (spec.renamedTo !== undefined) delete others[spec.renamedTo]
        for (const gone of EXCLUDES[`${label}.${name}`] ?? []) delete others[gone]
        cases.push({
          name: `${label}.${name}`,
          option: name,
          spec,
          valid: spec.obsolete === undefined ? configOf(kind, plugin, { ...others, [name]: value }) : undefined,
          invalid:
            spec.obsolete !== undefined
              ? configOf(kind, plugin, { ...others, [name]: '"x"' })
              : bad === undefined
                ? undefined
                : configOf(kind, plugin, { ...others, [name]: bad }),
        })
      }
    }
  }
  return cases
}

/** The required options, and those that the plugin cannot do without. */
function baseOf(
  table: OptionTable,
  own: Samples,
  needs: readonly string[],
  files: CorpusFiles,
): Record<string, string> {
  const base: Record<string, string> = {}
  for (const [name, spec] of Object.entries(table)) {
    if (spec.required || needs.includes(name)) base[name] = own[name] ?? validValue(spec, files)
  }
  return base
}

function renamed(spec: OptionSpec<unknown>, table: OptionTable): OptionSpec<unknown> {
  return spec.renamedTo === undefined ? spec : table[spec.renamedTo]!
}

/** Codecs that cannot decode. */
const ENCODERS = new Set(['dots'])

function configOf(kind: Kind, plugin: string, options: Readonly<Record<string, string>>): string {
  const body = Object.entries(options).map(([name, value]) => `${name} => ${value}`)
  const text = `${plugin} { ${body.join('\n')} }`
  if (kind !== 'codec') return `${kind} { ${text} }`
  return ENCODERS.has(plugin) ? `output { stdout { codec => ${text} } }` : `input { stdin { codec => ${text} } }`
}

function validValue({ kind, words, default: standard }: OptionSpec<unknown>, files: CorpusFiles): string {
  switch (kind) {
    case 'number':
      return typeof standard === 'number' && standard > 0 ? String(standard) : '1'
    case 'boolean':
      return String(standard !== true)
    case 'enumeration':
      return JSON.stringify(words!.at(-1))
    case 'path':
      return JSON.stringify(files.text)
    case 'bytes':
      return '"10 MiB"'
    case 'hash':
      return '{ "a" => "b" }'
    case 'array':
    case 'strings':
      return '["a"]'
    case 'codec':
      return 'line'
    case 'field':
      return '"[a][b]"'
    default:
      return '"a"'
  }
}

/** A value that no option of this kind accepts. */
function invalidValue({ kind, words, renamedTo, warning }: OptionSpec<unknown>): string | undefined {
  if (renamedTo !== undefined || (kind === 'any' && warning !== undefined)) return undefined
  switch (kind) {
    case 'number':
    case 'boolean':
    case 'bytes':
      return '"many"'
    case 'enumeration':
      return words!.includes('nonsense') ? undefined : '"nonsense"'
    case 'path':
      return '"/nonexistent/file"'
    case 'hash':
      return '"a"'
    case 'codec':
      return '"nonsense"'
    case 'field':
      return '"[a"'
    case 'strings':
      return '[{ "a" => "b" }]'
    case 'string':
    case 'password':
      return '{ "a" => "b" }'
    default:
      return undefined
  }
}
