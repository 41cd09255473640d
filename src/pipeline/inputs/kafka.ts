/**
 * `kafka`: reads events from topics as a member of a consumer group. Offsets are committed after the outputs have
 * written the events.
 */
import type { Event } from '../event/event.ts'
import { Fields } from '../event/fields.ts'
import { COOPERATIVE, type TopicPartition } from '../kafka/assignment.ts'
import { Cluster } from '../kafka/cluster.ts'
import { clusterSettings, KAFKA_OPTIONS } from '../kafka/connection-options.ts'
import { Consumer, type ConsumerSettings, type Deliver } from '../kafka/consumer.ts'
import { GroupMember, type GroupSettings } from '../kafka/group-member.ts'
import type { KafkaRecord } from '../kafka/record-batch.ts'
import { type Input, type InputSink, inputPlugin } from '../plugin/input-plugin.ts'
import { type OptionValues, option } from '../plugin/options.ts'
import { type PluginContext, PluginOptionError } from '../plugin/plugin-context.ts'

const DESERIALIZERS = ['org.apache.kafka.common.serialization.', 'StringDeserializer', 'ByteArrayDeserializer'] as const
/** Without automatic commits Logstash commits after each poll. We do too, with a short delay. */
const COMMIT_SOON_MS = 200

const OPTIONS = {
  ...KAFKA_OPTIONS,
  topics: option.strings({ default: ['logstash'] }),
  topics_pattern: option.string(),
  codec: option.codec({ default: 'plain' }),
  group_id: option.string({ default: 'logstash' }),
  group_instance_id: option.string(),
  consumer_threads: option.number({ default: 1 }),
  decorate_events: option.words(['none', 'basic', 'extended', 'false', 'true'], { default: 'none' }),
  auto_offset_reset: option.words(['earliest', 'latest', 'none'], { default: 'latest' }),
  auto_commit_interval_ms: option.number({ default: 5000 }),
  enable_auto_commit: option.boolean({ default: true }),
  auto_create_topics: option.boolean({ default: true }),
  check_crcs: option.boolean({ default: true }),
  client_rack: option.string(),
  exclude_internal_topics: option.boolean({ default: true }),
  fetch_max_bytes: option.number({ default: 52_428_800 }),
  fetch_max_wait_ms: option.number({ default: 500 }),
  fetch_min_bytes: option.number({ default: 1 }),
  heartbeat_interval_ms: option.number({ default: 3000 }),
  isolation_level: option.words(['read_uncommitted', 'read_committed'], { default: 'read_uncommitted' }),
  max_partition_fetch_bytes: option.number({ default: 1_048_576 }),
  max_poll_interval_ms: option.number({ default: 300_000 }),
  max_poll_records: option.ignored(
    'Records are passed on as they are fetched; `max_partition_fetch_bytes` limits a fetch.',
  ),
  partition_assignment_strategy: option.string({ default: 'range' }),
  poll_timeout_ms: option.ignored('`fetch_max_wait_ms` limits how long a fetch waits for records.'),
  session_timeout_ms: option.number({ default: 10_000 }),
  key_deserializer_class: option.string({ default: DESERIALIZERS[0] + DESERIALIZERS[1] }),
  value_deserializer_class: option.string({ default: DESERIALIZERS[0] + DESERIALIZERS[1] }),
} as const

type Options = OptionValues<typeof OPTIONS>

export const kafka = inputPlugin({
  name: 'kafka',
  touches: 'network',
  options: OPTIONS,
  create: (options, context) => new KafkaInput(options, context),
})

class KafkaInput implements Input {
  readonly #options: Options
  readonly #context: PluginContext
  readonly #settings: ConsumerSettings
  readonly #group: GroupSettings
  #consumers: Consumer[] = []
  #isStopped = false

  constructor(options: Options, context: PluginContext) {
    for (const name of ['key_deserializer_class', 'value_deserializer_class'] as const) {
      checkDeserializer(name, options[name])
    }
    this.#options = options
    this.#context = context
    this.#settings = consumerSettings(options)
    this.#group = {
      groupId: options.group_id,
      instanceId: options.group_instance_id,
      sessionTimeoutMs: options.session_timeout_ms,
      rebalanceTimeoutMs: options.max_poll_interval_ms,
      strategies: [strategyOf(options.partition_assignment_strategy)],
    }
  }

  async run(sink: InputSink): Promise<void> {
    if (this.#isStopped) return
    const deliver = this.#delivery(sink)
    const threads = Math.max(1, this.#options.consumer_threads)
    this.#consumers = Array.from({ length: threads }, (_, n) => this.#consumer(n, threads, deliver))
    await Promise.all(this.#consumers.map((consumer) => consumer.run()))
  }

  stop(): void {
    this.#isStopped = true
    for (const consumer of this.#consumers) consumer.stop()
  }

  async close(): Promise<void> {
    await Promise.all(this.#consumers.map((consumer) => consumer.close()))
  }

  #consumer(n: number, threads: number, deliver: Deliver): Consumer {
    const settings = {
      ...this.#settings,
      cluster: { ...this.#settings.cluster, clientId: `${this.#options.client_id}-${n}` },
    }
    const { instanceId } = this.#group
    const group =
      instanceId === undefined || threads === 1 ? this.#group : { ...this.#group, instanceId: `${instanceId}-${n}` }
    const cluster = new Cluster(settings.cluster)
    return new Consumer(cluster, new GroupMember(cluster, group), settings, deliver, this.#context.log)
  }

  /** A record is complete in itself: text that a codec holds back at its end does not wait for the next record. */
  #delivery(sink: InputSink): Deliver {
    const decorate = this.#decoration()
    const decoder = this.#options.codec.createDecoder()
    return (partition, records, onArrived) => {
      const events: Event[] = []
      for (const record of records) {
        if (record.value === undefined) continue
        const from = events.length
        decoder.decode(record.value, events)
        decoder.flush(events)
        if (decorate !== undefined) for (let i = from; i < events.length; i++) decorate(events[i]!, partition, record)
      }
      return sink.push(events, onArrived)
    }
  }

  #decoration(): ((event: Event, partition: TopicPartition, record: KafkaRecord) => void) | undefined {
    const { decorate_events: wanted, group_id: group } = this.#options
    if (wanted === 'none' || wanted === 'false') return undefined
    return (event, { topic, index }, record) => {
      const about = Object.assign(new Fields(), {
        topic,
        consumer_group: group,
        partition: index,
        offset: record.offset,
        key: record.key?.toString('utf8') ?? null,
        timestamp: record.timestampMs,
      })
      if (wanted === 'extended') {
        const headers = new Fields()
        for (const { key, value } of record.headers) headers[key] = value?.toString('utf8') ?? null
        about['headers'] = headers
      }
      event.metadata['kafka'] = about
    }
  }
}

function consumerSettings(options: Options): ConsumerSettings {
  const { topics_pattern: pattern } = options
  return {
    cluster: clusterSettings(options),
    topics: pattern === undefined ? options.topics : compile(pattern),
    createsTopics: options.auto_create_topics,
    isCooperative: strategyOf(options.partition_assignment_strategy) === COOPERATIVE,
    skipsInternalTopics: options.exclude_internal_topics,
    rack: options.client_rack ?? '',
    reset: options.auto_offset_reset,
    heartbeatMs: options.heartbeat_interval_ms,
    commitMs: options.enable_auto_commit ? options.auto_commit_interval_ms : COMMIT_SOON_MS,
    waitMs: options.fetch_max_wait_ms,
    bytesMin: options.fetch_min_bytes,
    bytesMax: options.fetch_max_bytes,
    partitionBytesMax: options.max_partition_fetch_bytes,
    onlyCommitted: options.isolation_level === 'read_committed',
    checksCrc: options.check_crcs,
  }
}

/** The pattern must match the whole name, as in Java. */
function compile(pattern: string): RegExp {
  try {
    return new RegExp(`^(?:${pattern})$`)
  } catch (error) {
    throw new PluginOptionError(`topics_pattern: ${(error as Error).message}`)
  }
}

/** Accepts the short names of the plugin's manual and the class names of the Java client. */
function strategyOf(given: string): string {
  const name = given.replace('org.apache.kafka.clients.consumer.', '')
  if (name === 'range' || name === 'RangeAssignor') return 'range'
  if (name === 'round_robin' || name === 'RoundRobinAssignor') return 'roundrobin'
  if (name === 'cooperative_sticky' || name === 'CooperativeStickyAssignor') return COOPERATIVE
  throw new PluginOptionError(
    `partition_assignment_strategy "${given}" is not supported here; use "range", "round_robin" or "cooperative_sticky"`,
  )
}

function checkDeserializer(name: string, given: string): void {
  const [folder, ...known] = DESERIALIZERS
  if (!known.some((one) => given === folder + one)) {
    throw new PluginOptionError(`${name} "${given}" is a Java class that is not known here; use ${folder}${known[0]}`)
  }
}
