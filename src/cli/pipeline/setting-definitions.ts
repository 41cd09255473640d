/**
 * Every setting of Logstash 8 and 9, and ours, in one table. A setting acts, or is accepted with a warning that says why
 * it has no effect here, or is refused with what to do instead.
 */
import { availableParallelism, hostname } from 'node:os'
import { standardPipelineFolder } from '../arguments/data-folder.ts'

export type SettingValue = string | number | boolean
type Kind = 'text' | 'number' | 'boolean' | 'duration' | 'size'

export interface Definition {
  readonly kind: Kind
  readonly standard: SettingValue | undefined
  /** Short and deprecated names of the flag. */
  readonly flags?: readonly string[]
  readonly about?: string
  /** The allowed values. */
  readonly words?: readonly string[]
}

const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace']

const text = (standard?: string, flags?: string[], about?: string): Definition =>
  definition('text', standard, flags, about)
const number = (standard: number, flags?: string[], about?: string) => definition('number', standard, flags, about)
const flag = (standard: boolean, flags?: string[], about?: string) => definition('boolean', standard, flags, about)
const duration = (standard: string, about?: string) => definition('duration', standard, undefined, about)
const size = (standard: string) => definition('size', standard)
/** The first value is the default, unless `standard` names another. */
const words = (all: readonly string[], about?: string, standard = all[0]): Definition => ({
  ...definition('text', standard, undefined, about),
  words: all,
})

function definition(kind: Kind, standard: SettingValue | undefined, flags?: string[], about?: string): Definition {
  return { kind, standard, ...(flags === undefined ? {} : { flags }), ...(about === undefined ? {} : { about }) }
}

/** The settings that act. */
export const DEFINITIONS: Readonly<Record<string, Definition>> = {
  'path.config': text(undefined, ['-f'], 'configuration file, folder or pattern'),
  'config.string': text(undefined, ['-e'], 'the configuration itself'),
  'config.test_and_exit': flag(false, ['-t'], 'check the configuration and exit'),
  'config.reload.automatic': flag(false, ['-r'], 'run the new configuration when it changes'),
  'config.reload.interval': duration('3s', 'how often to look for changes'),
  'config.support_escapes': flag(false),
  'config.field_reference.escape_style': {
    ...words(['none', 'percent', 'ampersand']),
    flags: ['--field-reference-escape-style'],
  },
  'file.from_beginning': flag(
    false,
    ['--from-beginning'],
    'read files from their start once, whatever their positions are',
  ),
  'pipeline.id': text('main'),
  'pipeline.workers': number(availableParallelism(), ['-w'], 'batches in flight at once'),
  'pipeline.batch.size': number(125, ['-b'], 'events a worker takes at once'),
  'pipeline.batch.delay': number(50, ['-u'], 'milliseconds to wait for a full batch'),
  'pipeline.ordered': words(['auto', 'true', 'false'], 'true: events leave as they came, with one worker only'),
  'pipeline.ecs_compatibility': words(
    ['disabled', 'v1', 'v8'],
    'v8: fields of the Elastic Common Schema; disabled: those of Logstash 7',
    'v8',
  ),
  'pipeline.unsafe_shutdown': flag(false),
  'pipeline.reloadable': flag(true),
  'node.name': text(hostname(), ['-n']),
  'path.data': text(standardPipelineFolder(), undefined, 'where positions and queues are kept'),
  'path.logs': text(undefined, ['-l'], 'folder of the log file'),
  'path.settings': text('config', undefined, 'folder of logstash.yml and pipelines.yml'),
  'path.queue': text(),
  'path.dead_letter_queue': text(),
  'log.level': words(LEVELS, 'fatal, error, warn, info, debug or trace', 'info'),
  'log.format': words(['plain', 'json'], 'plain or json'),
  'api.enabled': flag(true, undefined, 'the monitoring API, http://127.0.0.1:9600/_node/stats'),
  'api.http.host': text('127.0.0.1'),
  'api.http.port': text('9600-9700', undefined, 'its port, or the ports to try'),
  'api.auth.type': words(['none', 'basic']),
  'api.auth.basic.username': text(),
  'api.auth.basic.password': text(),
  'api.auth.basic.password_policy.mode': words(['WARN', 'ERROR']),
  'api.auth.basic.password_policy.length.minimum': number(8),
  'api.auth.basic.password_policy.include.upper': words(['REQUIRED', 'OPTIONAL']),
  'api.auth.basic.password_policy.include.lower': words(['REQUIRED', 'OPTIONAL']),
  'api.auth.basic.password_policy.include.digit': words(['REQUIRED', 'OPTIONAL']),
  'api.auth.basic.password_policy.include.symbol': words(['REQUIRED', 'OPTIONAL'], undefined, 'OPTIONAL'),
  'monitoring.cluster_uuid': text(),
  allow_superuser: flag(true),
  'queue.type': words(['memory', 'persisted'], 'persisted: what was taken in survives a crash'),
  'queue.page_capacity': size('64mb'),
  'queue.max_bytes': size('1024mb'),
  'queue.max_events': number(0),
  'queue.checkpoint.acks': number(1024),
  'queue.checkpoint.writes': number(1024),
  'queue.checkpoint.interval': number(1000),
  'queue.drain': flag(false),
  'dead_letter_queue.enable': flag(false, undefined, 'keep events that can never be delivered'),
  'dead_letter_queue.max_bytes': size('1024mb'),
  'dead_letter_queue.storage_policy': words(['drop_newer', 'drop_older']),
  'dead_letter_queue.retain.age': text(),
}

/** Settings that are accepted under their old name. */
export const RENAMED: Readonly<Record<string, string>> = {
  'http.enabled': 'api.enabled',
  'http.host': 'api.http.host',
  'http.port': 'api.http.port',
  'http.environment': 'api.environment',
}

export interface Difference {
  /** Why the setting has no effect, or what to do instead. */
  readonly because: string
  readonly isRefused: boolean
  /** Values that ask for nothing, and pass without a word. */
  readonly quiet: readonly string[]
  /** Short names of the flag. */
  readonly flags: readonly string[]
  /** Whether the flag stands without a value. */
  readonly isSwitch: boolean
}

interface DifferenceOptions {
  readonly quiet?: readonly string[]
  readonly flags?: readonly string[]
  readonly isSwitch?: boolean
}

const difference = (because: string, isRefused: boolean, given: DifferenceOptions): Difference => {
  return { because, isRefused, quiet: [], flags: [], isSwitch: false, ...given }
}
const noEffect = (because: string, given: DifferenceOptions = {}) => difference(because, false, given)
const refused = (because: string, given: DifferenceOptions = {}) => difference(because, true, given)

const OFF = { quiet: ['false'], isSwitch: true }
const NO_JVM = 'there is no JVM'
const NO_MODULES =
  'modules of Logstash do not exist here (nor in Logstash 9): write their pipelines as configuration files'
const NOT_SENT =
  'metrics are not sent to a cluster: collect them from the monitoring API (http://127.0.0.1:9600), for example with Metricbeat or Elastic Agent'
const NO_MANAGEMENT = 'pipelines are not fetched from a cluster'
const NO_DOWNLOAD = 'databases are never downloaded: the geoip filter needs `database`'
const NO_OTEL = 'metrics are not exported: collect them from the monitoring API, which also speaks Prometheus'
const NO_SLOW_LOG = 'slow events are not logged: `sandpiper pipeline top` shows the time of every filter'
const CLOUD = 'modules and monitoring use it in Logstash: set cloud_id and cloud_auth in the elasticsearch plugins'

/** The settings of a connection to Elasticsearch that monitoring and management have. */
function connection(prefix: string, because: string): Record<string, Difference> {
  const ssl = ['certificate_authority', 'ca_trusted_fingerprint', 'truststore.path', 'truststore.password']
  const more = ['keystore.path', 'keystore.password', 'verification_mode', 'certificate', 'key', 'cipher_suites']
  const plain = ['hosts', 'username', 'password', 'proxy', 'cloud_id', 'cloud_auth', 'api_key', 'sniffing']
  const names = [...plain, ...[...ssl, ...more].map((name) => `ssl.${name}`)]
  return Object.fromEntries(names.map((name) => [`${prefix}.elasticsearch.${name}`, noEffect(because)]))
}

function monitoring(prefix: string): Record<string, Difference> {
  return {
    [`${prefix}.enabled`]: noEffect(NOT_SENT, OFF),
    [`${prefix}.collection.interval`]: noEffect(NOT_SENT),
    [`${prefix}.collection.timeout_interval`]: noEffect(NOT_SENT),
    [`${prefix}.collection.pipeline.details.enabled`]: noEffect(NOT_SENT),
    [`${prefix}.collection.config.enabled`]: noEffect(NOT_SENT),
    ...connection(prefix, NOT_SENT),
  }
}

const otel = (...names: string[]) => Object.fromEntries(names.map((name) => [`otel.${name}`, noEffect(NO_OTEL)]))

/** Settings of Logstash that do not act here. */
export const DIFFERENCES: Readonly<Record<string, Difference>> = {
  'config.debug': noEffect('configurations are not compiled to Java; -t and --dry-run show what is read', OFF),
  'event_api.tags.illegal': noEffect('tags that are no list of texts are kept in `_tags`', { quiet: ['rename'] }),
  'metric.collect': noEffect('counting costs too little to be turned off', { quiet: ['true'], isSwitch: true }),
  'pipeline.separate_logs': noEffect('all pipelines log to one file; every line names its pipeline', OFF),
  'pipeline.system': noEffect('there are no pipelines of the system', OFF),
  'pipeline.plugin_classloaders': noEffect(NO_JVM, { ...OFF, flags: ['--plugin-classloaders'] }),
  'pipeline.buffer.type': noEffect(NO_JVM),
  'pipeline.recoverable': noEffect('a pipeline that fails is started again by a reload only', { quiet: ['false'] }),
  'pipeline.batch.output_chunking.growth_threshold_factor': noEffect(
    'batches that filters enlarge are cut by the outputs',
  ),
  'pipeline.batch.metrics.sampling_mode': noEffect('sizes of batches are not sampled', {
    quiet: ['disabled', 'minimal'],
  }),
  'log.format.json.fix_duplicate_message_fields': noEffect('lines of the JSON log never have a member twice', {
    quiet: ['true', 'false'],
  }),
  'api.environment': noEffect('it names the environment of a Ruby web server', { quiet: ['production'] }),
  'api.ssl.enabled': refused(
    'the monitoring API has no TLS: leave it on 127.0.0.1, or put a proxy with TLS before it',
    OFF,
  ),
  'api.ssl.keystore.path': noEffect('the monitoring API has no TLS'),
  'api.ssl.keystore.password': noEffect('the monitoring API has no TLS'),
  'api.ssl.supported_protocols': noEffect('the monitoring API has no TLS'),
  'ssl.reload.automatic': noEffect('certificates are read when a pipeline starts: reload it to read them again', OFF),
  'queue.checkpoint.retry': noEffect('a failed checkpoint is always tried again', { quiet: ['true'], isSwitch: true }),
  'queue.compression': noEffect('pages of the queue are not compressed', { quiet: ['none', 'disabled'] }),
  'dead_letter_queue.flush_interval': noEffect('every dead letter is written at once'),
  'dead_letter_queue.flush_check_interval': noEffect('every dead letter is written at once'),
  'slowlog.threshold.warn': noEffect(NO_SLOW_LOG, { quiet: ['-1'] }),
  'slowlog.threshold.info': noEffect(NO_SLOW_LOG, { quiet: ['-1'] }),
  'slowlog.threshold.debug': noEffect(NO_SLOW_LOG, { quiet: ['-1'] }),
  'slowlog.threshold.trace': noEffect(NO_SLOW_LOG, { quiet: ['-1'] }),
  'keystore.classname': noEffect('`sandpiper keystore` has one kind of file'),
  'keystore.file': noEffect(
    'keystores of Logstash are Java files: make one with `sandpiper keystore` in path.settings',
  ),
  'node.uuid': noEffect('the id of the node is kept in path.data'),
  'path.plugins': refused('plugins of your own need Ruby, and there is no Ruby here', { flags: ['-p'] }),
  interactive: refused('there is no interactive shell', { flags: ['-i'] }),
  'enable-local-plugin-development': noEffect('plugins come with Sandpiper', OFF),
  modules: refused(NO_MODULES),
  'modules.cli': refused(NO_MODULES),
  modules_list: refused(NO_MODULES),
  modules_variable_list: refused(NO_MODULES),
  'modules.variable': refused(NO_MODULES, { flags: ['-M'] }),
  modules_setup: refused(NO_MODULES, { ...OFF, flags: ['--setup'] }),
  'cloud.id': noEffect(CLOUD),
  'cloud.auth': noEffect(CLOUD),
  ...monitoring('xpack.monitoring'),
  ...monitoring('monitoring'),
  'xpack.monitoring.allow_legacy_collection': noEffect(NOT_SENT, OFF),
  'xpack.management.enabled': refused(`${NO_MANAGEMENT}: list them in pipelines.yml`, OFF),
  'xpack.management.logstash.poll_interval': noEffect(NO_MANAGEMENT),
  'xpack.management.pipeline.id': noEffect(NO_MANAGEMENT),
  ...connection('xpack.management', NO_MANAGEMENT),
  'xpack.geoip.downloader.enabled': noEffect(NO_DOWNLOAD, OFF),
  'xpack.geoip.downloader.endpoint': noEffect(NO_DOWNLOAD),
  'xpack.geoip.downloader.poll.interval': noEffect(NO_DOWNLOAD),
  'otel.metrics.enabled': noEffect(NO_OTEL, OFF),
  ...otel('exporter.otlp.endpoint', 'metric.export.interval', 'exporter.otlp.protocol'),
  ...otel('exporter.otlp.headers', 'service.name', 'resource.attributes', 'exporter.otlp.certificate'),
  ...otel('exporter.otlp.client.key', 'exporter.otlp.client.certificate'),
}
