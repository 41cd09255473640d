/** `elasticsearch`: writes events to Sandpiper or any Elasticsearch with the bulk API. */
import { readFileSync } from 'node:fs'
import type { Log } from '../../base/log.ts'
import { type BulkItem, ItemWriter } from '../elasticsearch/bulk-item.ts'
import { BulkSender } from '../elasticsearch/bulk-sender.ts'
import { ElasticsearchConnection } from '../elasticsearch/connection.ts'
import { CONNECTION_OPTIONS, connectionSettings } from '../elasticsearch/connection-options.ts'
import { DataStreamNames } from '../elasticsearch/data-stream.ts'
import {
  DEFAULT_POLICY,
  type Lifecycle,
  lifecycleOf,
  setUpLifecycle,
  withLifecycle,
} from '../elasticsearch/lifecycle.ts'
import { builtInTemplate, type TemplateApi } from '../elasticsearch/template.ts'
import type { Event } from '../event/event.ts'
import { isTemplate } from '../event/template.ts'
import { type OptionValues, option } from '../plugin/options.ts'
import { type Output, outputPlugin } from '../plugin/output-plugin.ts'
import { type PluginContext, PluginOptionError } from '../plugin/plugin-context.ts'

const TRUE_FALSE_AUTO = ['true', 'false', 'auto'] as const

const OPTIONS = {
  ...CONNECTION_OPTIONS,
  bulk_path: option.string(),
  healthcheck_path: option.string(),
  /** Default 1. On the loopback interface 0, because compression would cost more than it saves. */
  compression_level: option.number(),
  http_compression: option.boolean(),
  index: option.string(),
  document_id: option.string(),
  document_type: option.ignored('Document types are gone from Elasticsearch.'),
  index_type: option.ignored('Document types are gone from Elasticsearch.'),
  embedded: option.ignored('There is no Elasticsearch in this program; `hosts` says where one is.'),
  protocol: option.ignored('Elasticsearch is spoken to over HTTP; `ssl_enabled` makes it HTTPS.'),
  cluster: option.ignored('`hosts` says where the service is.'),
  node_name: option.ignored('This program is no node of the cluster.'),
  bind_host: option.ignored('This program is no node of the cluster.'),
  bind_port: option.ignored('This program is no node of the cluster.'),
  flush_size: option.ignored('`pipeline.batch.size` says how many events are sent together.'),
  idle_flush_time: option.ignored('`pipeline.batch.delay` says how long a batch waits.'),
  max_inflight_requests: option.ignored('`pipeline.workers` says how many requests are under way.'),
  workers: option.ignored('`pipeline.workers` says how many requests are under way.'),
  port: option.ignored('The port is part of `hosts`; without one it is 9200.'),
  replication: option.ignored('Elasticsearch always writes to the replicas before it responds.'),
  max_retries: option.ignored('Requests are repeated until the service accepts them.'),
  retry_max_items: option.ignored('Items are repeated until the service accepts them.'),
  action: option.string(),
  routing: option.string(),
  pipeline: option.string(),
  version: option.string(),
  version_type: option.words(['internal', 'external', 'external_gt', 'external_gte', 'force']),
  parent: option.string(),
  join_field: option.string(),
  upsert: option.string({ default: '' }),
  doc_as_upsert: option.boolean({ default: false }),
  script: option.string({ default: '' }),
  script_type: option.words(['inline', 'indexed', 'file'], { default: 'inline' }),
  script_lang: option.string({ default: 'painless' }),
  script_var_name: option.string({ default: 'event' }),
  scripted_upsert: option.boolean({ default: false }),
  retry_on_conflict: option.number({ default: 1 }),
  manage_template: option.boolean(),
  template_name: option.string(),
  template: option.path(),
  template_overwrite: option.boolean({ default: false }),
  template_api: option.words(['auto', 'legacy', 'composable'], { default: 'auto' }),
  ilm_enabled: option.words(TRUE_FALSE_AUTO, { default: 'auto' }),
  ilm_rollover_alias: option.string(),
  ilm_pattern: option.string({ default: '{now/d}-000001' }),
  ilm_policy: option.string({ default: DEFAULT_POLICY }),
  data_stream: option.words(TRUE_FALSE_AUTO, { default: 'auto' }),
  data_stream_type: option.words(['logs', 'metrics', 'synthetics', 'traces']),
  data_stream_dataset: option.string(),
  data_stream_namespace: option.string(),
  data_stream_auto_routing: option.boolean(),
  data_stream_sync_fields: option.boolean(),
  retry_initial_interval: option.number({ default: 2 }),
  retry_max_interval: option.number({ default: 64 }),
  dlq_custom_codes: option.array({ default: [] }),
  dlq_on_failed_indexname_interpolation: option.boolean({ default: true }),
  drop_error_types: option.strings({ default: [] }),
  silence_errors_in_log: option.strings({ default: [] }),
  failure_type_logging_whitelist: option.renamed('silence_errors_in_log'),
} as const

type Options = OptionValues<typeof OPTIONS>

export const elasticsearch = outputPlugin({
  name: 'elasticsearch',
  touches: 'network',
  options: OPTIONS,
  create: (options, context) => new ElasticsearchOutput(options, context),
})

class ElasticsearchOutput implements Output {
  readonly #options: Options
  readonly #context: PluginContext
  readonly #log: Log
  readonly #connection: ElasticsearchConnection
  readonly #items: ItemWriter
  readonly #sender: BulkSender
  readonly #closing = new AbortController()
  #ready: Promise<void> | undefined
  readonly #managesTemplate: boolean
  /** The contents of the `template` file. */
  readonly #template: object | undefined
  readonly #lifecycle: Lifecycle | undefined
  /** One request with a thousand documents costs both sides less than eight with 125. */
  readonly batchesAhead = 4

  get counters() {
    return this.#sender.counters
  }

  constructor(options: Options, context: PluginContext) {
    this.#options = options
    this.#context = context
    this.#log = context.log
    const dataStream = dataStreamOf(options, context)
    this.#lifecycle = dataStream === undefined ? lifecycleOf(options, indexPrefix(context), context.log) : undefined
    this.#managesTemplate = options.manage_template ?? dataStream === undefined
    this.#template = options.template === undefined ? undefined : readTemplate(options.template)
    const settings = { ...connectionSettings(options), healthPath: options.healthcheck_path ?? '/' }
    this.#connection = new ElasticsearchConnection(settings, context.log)
    this.#items = new ItemWriter({
      index: this.#lifecycle?.alias ?? options.index,
      defaultIndex: `${indexPrefix(context)}-%{+yyyy.MM.dd}`,
      refusesReferences: options.dlq_on_failed_indexname_interpolation,
      action: actionOf(options.action ?? (dataStream === undefined ? 'index' : 'create')),
      documentId: options.document_id,
      routing: options.routing,
      pipeline: options.pipeline,
      version: options.version,
      versionType: options.version_type,
      parent: options.parent,
      joinField: options.join_field,
      retryOnConflict: options.retry_on_conflict,
      upsert: options.upsert,
      docAsUpsert: options.doc_as_upsert,
      script: options.script,
      scriptType: options.script_type,
      scriptLang: options.script_lang,
      scriptVariable: options.script_var_name,
      scriptedUpsert: options.scripted_upsert,
      dataStream,
    })
    this.#sender = new BulkSender(
      this.#connection,
      {
        path: options.bulk_path ?? '/_bulk',
        requestsMax: context.workers,
        compressionLevel: compressionLevel(options, settings.bases),
        retryInitialMs: options.retry_initial_interval * 1000,
        retryMaxMs: options.retry_max_interval * 1000,
        deadLetterCodes: new Set(options.dlq_custom_codes.map(Number)),
        droppedErrors: new Set(options.drop_error_types),
        silencedErrors: new Set(options.silence_errors_in_log),
      },
      context.log,
      (event, reason) => this.#giveUp(event, reason),
      this.#closing.signal,
    )
  }

  /** Does not wait for the service. It may start later than the pipeline, and events wait for it. */
  async start(): Promise<void> {
    this.#ready = this.#prepare()
    // The failure is reported by the next write.
    this.#ready.catch(() => {})
  }

  async write(events: readonly Event[]): Promise<void> {
    await this.#ready
    const items: BulkItem[] = []
    for (const event of events) {
      try {
        items.push(this.#items.write(event))
      } catch (error) {
        const { message } = error as Error
        this.#log.warn(message)
        await this.#giveUp(event, message)
      }
    }
    if (items.length > 0) await this.#sender.send(items)
  }

  async close(): Promise<void> {
    this.#closing.abort()
    this.#connection.close()
  }

  async #prepare(): Promise<void> {
    const path = this.#options.healthcheck_path ?? '/'
    const answer = await this.#connection.waitFor({ method: 'GET', path }, this.#closing.signal)
    if (answer === undefined) return
    const version = /"number"\s*:\s*"([^"]+)"/.exec(answer.text)?.[1]
    this.#log.info(`Connected to the search service${version === undefined ? '' : `, version ${version}`}`)
    // The first index of a lifecycle needs the template.
    if (this.#managesTemplate) await this.#installTemplate(Number.parseInt(version ?? '8', 10))
    const lifecycle = this.#lifecycle
    if (lifecycle !== undefined) await setUpLifecycle(this.#connection, lifecycle, this.#log, this.#closing.signal)
  }

  async #installTemplate(major: number): Promise<void> {
    const { template_api: wanted, template_overwrite: overwrite } = this.#options
    const api: TemplateApi = wanted === 'auto' ? (major >= 8 ? 'composable' : 'legacy') : wanted
    const lifecycle = this.#lifecycle
    const name = this.#options.template_name ?? lifecycle?.alias ?? indexPrefix(this.#context)
    const given = this.#template ?? builtInTemplate(api, `${indexPrefix(this.#context)}-*`, this.#context.ecs)
    const template = lifecycle === undefined ? given : withLifecycle(given, api, lifecycle)
    const path = `/${api === 'legacy' ? '_template' : '_index_template'}/${encodeURIComponent(name)}`
    try {
      if (!overwrite && (await this.#connection.send({ method: 'HEAD', path })).status === 200) return
      const answer = await this.#connection.send({
        method: 'PUT',
        path,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(template),
      })
      if (answer.status >= 300) {
        this.#log.error(`Failed to install template ${name}: ${answer.status}`, { body: answer.text.slice(0, 500) })
      } else this.#log.info(`Installed template ${name}`)
    } catch (error) {
      this.#log.error(`Failed to install template ${name}: ${(error as Error).message}`)
    }
  }

  async #giveUp(event: Event, reason: string): Promise<void> {
    await this.#context.deadLetters?.write(event, reason, { type: 'elasticsearch', id: this.#context.id })
  }
}

function readTemplate(path: string): object {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as object
  } catch (error) {
    throw new PluginOptionError(`template ${path} cannot be read: ${(error as Error).message}`)
  }
}

const ACTIONS: readonly string[] = ['create', 'index', 'update', 'delete']

function actionOf(action: string): string {
  if (isTemplate(action) || ACTIONS.includes(action)) return action
  const words = ACTIONS.map((word) => `"${word}"`).join(', ')
  throw new PluginOptionError(`Action '${action}' is invalid! Pick one of [${words}] or use a sprintf style statement`)
}

function compressionLevel(options: Options, bases: readonly URL[]): number {
  if (options.http_compression === false) return 0
  const isLocal = bases.every(({ hostname }) => /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname))
  return options.compression_level ?? (isLocal && options.http_compression === undefined ? 0 : 1)
}

function indexPrefix({ ecs }: PluginContext): string {
  return ecs === 'disabled' ? 'logstash' : 'ecs-logstash'
}

/** The options of the output itself that data streams allow. Every option of the connection is allowed, too. */
const WITH_DATA_STREAMS: ReadonlySet<string> = new Set([
  ...Object.keys(CONNECTION_OPTIONS),
  ...['routing', 'pipeline', 'data_stream', 'document_id', 'bulk_path', 'healthcheck_path', 'compression_level'],
  ...['http_compression', 'retry_initial_interval', 'retry_max_interval', 'dlq_custom_codes', 'drop_error_types'],
  ...['dlq_on_failed_indexname_interpolation', 'silence_errors_in_log', 'failure_type_logging_whitelist'],
  ...['id', 'enable_metric', 'codec', 'workers', 'ecs_compatibility'],
])

/** The given options that say where a document goes, or how its index is made. */
function notWithDataStreams(options: Options): string[] {
  const table: Readonly<Record<string, { readonly default?: unknown }>> = OPTIONS
  return Object.entries(options).flatMap(([name, value]) => {
    if (value === undefined || WITH_DATA_STREAMS.has(name) || name.startsWith('data_stream_')) return []
    if (name === 'action') return value === 'create' ? [] : [name]
    if (name === 'manage_template') return value === false ? [] : [name]
    return value === table[name]?.default ? [] : [name]
  })
}

/** The data stream naming, or undefined if events go to indices. */
function dataStreamOf(options: Options, context: PluginContext): DataStreamNames | undefined {
  const conflicting = notWithDataStreams(options)
  const isOn =
    options.data_stream === 'true' ||
    (options.data_stream === 'auto' && context.ecs !== 'disabled' && conflicting.length === 0)
  if (!isOn) {
    const given = (Object.keys(options) as (keyof Options)[]).filter(
      (name) => name.startsWith('data_stream_') && options[name] !== undefined,
    )
    if (given.length === 0) return undefined
    throw new PluginOptionError(
      `Ambiguous configuration; data stream settings must not be present when data streams are disabled: [${given.map((name) => `"${name}"`).join(', ')}]`,
    )
  }
  if (conflicting.length > 0) {
    throw new PluginOptionError(
      `Invalid data stream configuration, following parameters are not supported: [${conflicting.map((name) => `"${name}"`).join(', ')}]`,
    )
  }
  return new DataStreamNames({
    type: options.data_stream_type ?? 'logs',
    dataset: options.data_stream_dataset ?? 'generic',
    namespace: options.data_stream_namespace ?? 'default',
    autoRouting: options.data_stream_auto_routing ?? true,
    syncFields: options.data_stream_sync_fields ?? true,
  })
}
