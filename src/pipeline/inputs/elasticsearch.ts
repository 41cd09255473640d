/**
 * `elasticsearch`: reads all documents of a search, page by page, with a point in time and `search_after` or with a
 * scroll.
 */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ElasticsearchConnection } from '../elasticsearch/connection.ts'
import { CONNECTION_OPTIONS, connectionSettings } from '../elasticsearch/connection-options.ts'
import { TrackedValue } from '../elasticsearch/tracked-value.ts'
import { Event } from '../event/event.ts'
import { Fields, type FieldValue, isFields, toFieldValue } from '../event/fields.ts'
import { jsonText, parseJson } from '../event/json-text.ts'
import { Timestamp } from '../event/timestamp.ts'
import { type Input, type InputSink, inputPlugin } from '../plugin/input-plugin.ts'
import { type OptionValues, option } from '../plugin/options.ts'
import { type PluginContext, PluginOptionError } from '../plugin/plugin-context.ts'
import { scheduleOf, waitForTurn } from '../plugin/schedule.ts'
import type { Cron } from '../time/cron.ts'

const OPTIONS = {
  ...CONNECTION_OPTIONS,
  codec: option.ignored('Documents are objects, which need no decoding.'),
  index: option.string({ default: 'logstash-*' }),
  query: option.string({ default: '{ "sort": [ "_doc" ] }' }),
  query_type: option.words(['dsl'], { default: 'dsl' }),
  response_type: option.words(['hits', 'aggregations'], { default: 'hits' }),
  size: option.number({ default: 1000 }),
  search_api: option.words(['auto', 'search_after', 'scroll'], { default: 'auto' }),
  scroll: option.string({ default: '1m' }),
  slices: option.number(),
  retries: option.number({ default: 0 }),
  docinfo: option.boolean({ default: false }),
  docinfo_fields: option.strings({ default: ['_index', '_type', '_id'] }),
  docinfo_target: option.field(),
  target: option.field(),
  schedule: option.string(),
  schedule_overlap: option.ignored(
    'Runs never overlap: a run that takes longer than the interval delays the next one.',
  ),
  tracking_field: option.string(),
  tracking_field_seed: option.string(),
  last_run_metadata_path: option.touching('files', option.string()),
  connect_timeout_seconds: option.ignored('`request_timeout_seconds` includes the time to connect.'),
  request_timeout_seconds: option.number({ default: 60 }),
  socket_timeout_seconds: option.ignored('`request_timeout_seconds` limits the whole request.'),
} as const

type Options = OptionValues<typeof OPTIONS>

export const elasticsearch = inputPlugin({
  name: 'elasticsearch',
  touches: 'network',
  options: OPTIONS,
  create: (options, context) => new ElasticsearchInput(options, context),
})

interface Hit {
  readonly [name: string]: FieldValue | undefined
}

class ElasticsearchInput implements Input {
  readonly #options: Options
  readonly #context: PluginContext
  readonly #connection: ElasticsearchConnection
  readonly #schedule: Cron | undefined
  readonly #tracking: TrackedValue | undefined
  #query: Fields = new Fields()
  readonly #stopping = new AbortController()

  constructor(options: Options, context: PluginContext) {
    this.#options = options
    this.#context = context
    this.#schedule = scheduleOf(options.schedule)
    this.#tracking = trackingOf(options, context)
    if (parseQuery(this.#tracking?.fill(options.query) ?? options.query) === undefined) {
      throw new PluginOptionError(`query is no JSON object: ${options.query}`)
    }
    if (options.slices !== undefined && options.slices < 1) {
      throw new PluginOptionError('slices must be 1 or more')
    }
    const settings = { ...connectionSettings(options), timeoutMs: options.request_timeout_seconds * 1000 }
    this.#connection = new ElasticsearchConnection(settings, context.log)
  }

  /** Runs once, or on a schedule. A run that takes longer than the interval delays the next one. */
  async run(sink: InputSink): Promise<void> {
    if (this.#schedule === undefined) return this.#runOnce(sink)
    while (await waitForTurn(this.#schedule, this.#stopping.signal)) {
      try {
        await this.#runOnce(sink)
      } catch (error) {
        this.#context.log.error(`Reading by search failed, the next run is on schedule: ${(error as Error).message}`)
      }
    }
  }

  async #runOnce(sink: InputSink): Promise<void> {
    const { query } = this.#options
    this.#query = parseQuery(this.#tracking?.fill(query) ?? query)!
    if (this.#options.response_type === 'aggregations') return this.#aggregate(sink)
    const usesScroll = this.#options.search_api === 'scroll' || (await this.#isOld())
    const count = this.#options.slices ?? 1
    const slices = Array.from({ length: count }, (_, id) => (count === 1 ? {} : { slice: { id, max: count } }))
    try {
      await Promise.all(slices.map((slice) => (usesScroll ? this.#scroll(slice, sink) : this.#pages(slice, sink))))
      this.#tracking?.save()
    } catch (error) {
      if (!this.#isStopping) throw error
    }
  }

  /** Emits one event with the results of all aggregations. */
  async #aggregate(sink: InputSink): Promise<void> {
    const path = `/${encodeURIComponent(this.#options.index)}/_search`
    const { aggregations } = await this.#call('POST', path, { ...this.#query, size: 0 })
    await sink.push([this.#eventOf({ _source: aggregations })])
  }

  stop(): void {
    this.#stopping.abort()
  }

  async close(): Promise<void> {
    this.#connection.close()
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted
  }

  async #isOld(): Promise<boolean> {
    if (this.#options.search_api !== 'auto') return false
    const answer = await this.#connection.send({ method: 'GET', path: '/' })
    const major = /"number"\s*:\s*"(\d+)/.exec(answer.text)?.[1]
    return major !== undefined && Number(major) < 8
  }

  async #pages(slice: object, sink: InputSink): Promise<void> {
    const { index, scroll: keepAlive, size } = this.#options
    const opened = await this.#call('POST', `/${encodeURIComponent(index)}/_pit`, undefined, { keep_alive: keepAlive })
    let id = opened['id'] as string
    let after: FieldValue | undefined
    const sort = this.#query['sort'] ?? ['_shard_doc']
    try {
      while (!this.#isStopping) {
        const pit = { id, keep_alive: keepAlive }
        const next = after === undefined ? {} : { search_after: after }
        const answer = await this.#call('POST', '/_search', { ...this.#query, ...slice, sort, size, pit, ...next })
        if (typeof answer['pit_id'] === 'string') id = answer['pit_id']
        const hits = hitsOf(answer)
        if (hits.length === 0) return
        after = hits[hits.length - 1]!['sort']
        await this.#push(hits, sink)
      }
    } finally {
      await this.#call('DELETE', '/_pit', { id }).catch(() => {})
    }
  }

  async #scroll(slice: object, sink: InputSink): Promise<void> {
    const { index, scroll, size } = this.#options
    const path = `/${encodeURIComponent(index)}/_search`
    let answer = await this.#call('POST', path, { ...this.#query, ...slice, size }, { scroll })
    try {
      for (let hits = hitsOf(answer); hits.length > 0 && !this.#isStopping; hits = hitsOf(answer)) {
        await this.#push(hits, sink)
        answer = await this.#call('POST', '/_search/scroll', { scroll, scroll_id: answer['_scroll_id'] })
      }
    } finally {
      await this.#call('DELETE', '/_search/scroll', { scroll_id: answer['_scroll_id'] }).catch(() => {})
    }
  }

  async #call(
    method: string,
    path: string,
    body: object | undefined,
    query: Readonly<Record<string, string>> = {},
  ): Promise<Fields> {
    for (let attempt = 0; ; attempt++) {
      try {
        const answer = await this.#connection.send({
          method,
          path,
          query,
          headers: { 'content-type': 'application/json' },
          body: body === undefined ? undefined : jsonOf(body),
        })
        if (answer.status < 300) return parseJson(answer.text) as Fields
        throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text.slice(0, 500)}`)
      } catch (error) {
        if (attempt >= this.#options.retries || this.#isStopping) throw error
        this.#context.log.warn(`${(error as Error).message}; trying again`)
        await sleep(1000 * 2 ** Math.min(attempt, 6), undefined, { signal: this.#stopping.signal })
      }
    }
  }

  #push(hits: readonly Hit[], sink: InputSink): Promise<void> | undefined {
    const events = hits.map((hit) => this.#eventOf(hit))
    for (const event of events) this.#tracking?.see(event)
    return sink.push(events)
  }

  #eventOf(hit: Hit): Event {
    const { target, docinfo, docinfo_fields: names, docinfo_target: docinfoTarget } = this.#options
    const source = isFields(hit['_source']) ? hit['_source'] : new Fields()
    const now = new Timestamp(this.#context.clock.nowMs())
    const event = Event.ofFields(target === undefined ? source : new Fields(), now)
    if (target !== undefined) event.set(target, source)
    if (!docinfo) return event
    const isEcs = this.#context.ecs !== 'disabled'
    const place = docinfoTarget ?? (isEcs ? '[@metadata][input][elasticsearch]' : '@metadata')
    const known = event.get(place)
    const info = isFields(known) ? known : new Fields()
    for (const name of names) info[name] = hit[name] ?? null
    event.set(place, info)
    return event
  }
}

function trackingOf(options: Options, { dataFolder, pipelineId, id, clock }: PluginContext): TrackedValue | undefined {
  const { tracking_field: field, tracking_field_seed: seed, last_run_metadata_path: path } = options
  if (field === undefined) return undefined
  const place = path ?? join(dataFolder, 'plugins', 'inputs', 'elasticsearch', pipelineId, `last_run_value_${id}`)
  return new TrackedValue(field, seed ?? '1970-01-01T00:00:00.000000000Z', place, clock)
}

function hitsOf(answer: Fields): Hit[] {
  const outer = answer['hits']
  const hits = isFields(outer) ? outer['hits'] : undefined
  return Array.isArray(hits) ? (hits as Hit[]) : []
}

function parseQuery(text: string): Fields | undefined {
  try {
    const value = parseJson(text)
    return isFields(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Large integers in sort values must be sent back unchanged. */
function jsonOf(body: object): string {
  return jsonText(toFieldValue(body))
}
