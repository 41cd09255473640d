/** `kafka`: writes events to topics. A batch is delivered when the brokers have confirmed it as `acks` requires. */
import type { Event } from '../event/event.ts'
import { Cluster } from '../kafka/cluster.ts'
import { COMPRESSIONS } from '../kafka/compression.ts'
import { clusterSettings, KAFKA_OPTIONS } from '../kafka/connection-options.ts'
import { KafkaError } from '../kafka/kafka-error.ts'
import { type FailedRecord, Producer, type TopicRecord } from '../kafka/producer.ts'
import { Delivery } from '../plugin/delivery.ts'
import { option } from '../plugin/options.ts'
import { outputPlugin } from '../plugin/output-plugin.ts'
import { PluginOptionError } from '../plugin/plugin-context.ts'

const SERIALIZERS = ['org.apache.kafka.common.serialization.', 'StringSerializer', 'ByteArraySerializer'] as const
const RETRY_MAX_MS = 10_000
const ACKS = { '0': 0, '1': 1, all: -1 } as const

const TOGETHER = 'The events of a batch of the pipeline are sent together, without waiting for more.'

export const kafka = outputPlugin({
  name: 'kafka',
  touches: 'network',
  options: {
    ...KAFKA_OPTIONS,
    topic_id: option.string({ required: true }),
    codec: option.codec({ default: 'plain' }),
    acks: option.words(['0', '1', 'all'], { default: '1' }),
    batch_size: option.ignored(TOGETHER),
    buffer_memory: option.ignored(TOGETHER),
    compression_type: option.words(COMPRESSIONS, { default: 'none' }),
    linger_ms: option.ignored(TOGETHER),
    max_request_size: option.number({ default: 1_048_576 }),
    message_key: option.string(),
    message_headers: option.hash(),
    metadata_fetch_timeout_ms: option.ignored('`request_timeout_ms` limits every request.'),
    partitioner: option.string({ default: 'default' }),
    retries: option.number(),
    key_serializer: option.string({ default: SERIALIZERS[0] + SERIALIZERS[1] }),
    value_serializer: option.string({ default: SERIALIZERS[0] + SERIALIZERS[1] }),
  },
  create(options, context) {
    const { log } = context
    if (options.compression_type === 'lz4' || options.compression_type === 'zstd') {
      throw new PluginOptionError(
        `compression_type "${options.compression_type}" cannot be written here; use "gzip", "snappy" or "none"`,
      )
    }
    for (const name of ['key_serializer', 'value_serializer'] as const) checkSerializer(name, options[name])
    const settings = clusterSettings(options)
    const cluster = new Cluster(settings)
    const producer = new Producer(cluster, {
      acks: ACKS[options.acks],
      compression: options.compression_type,
      requestBytesMax: options.max_request_size,
      requestTimeoutMs: options.request_timeout_ms,
      metadataMaxAgeMs: settings.metadataMaxAgeMs,
      // As in Kafka's own client, `acks => "all"` makes the producer idempotent.
      isIdempotent: options.acks === 'all',
      takesTurns: /^(?:round_robin|org\.apache\.kafka\.clients\.producer\.RoundRobinPartitioner)$/.test(
        options.partitioner,
      ),
    })
    const delivery = new Delivery('kafka', context)
    const headers = [...(options.message_headers ?? [])].map(([key, value]) => ({ key, template: String(value) }))

    const recordOf = (event: Event): EventRecord => ({
      event,
      topic: event.expand(options.topic_id),
      timestampMs: Date.now(),
      key: options.message_key === undefined ? undefined : Buffer.from(event.expand(options.message_key)),
      value: Buffer.from(options.codec.encode(event)),
      headers: headers.map(({ key, template }) => ({ key, value: Buffer.from(event.expand(template)) })),
    })
    const attempt = async (records: readonly TopicRecord[]): Promise<FailedRecord[]> => {
      try {
        return await producer.send(records)
      } catch (error) {
        return records.map((record) => ({ record, error: error as Error }))
      }
    }
    const giveUp = (failed: readonly FailedRecord[]) =>
      Promise.all(failed.map(({ record, error }) => delivery.giveUp((record as EventRecord).event, error.message)))
    /** Numbered batches are sent one call after the other. */
    let turn: Promise<unknown> = Promise.resolve()
    const send = async (events: readonly Event[]): Promise<void> => {
      let records: readonly TopicRecord[] = await delivery.forEach(events, recordOf)
      for (let tries = 0; records.length > 0; tries++) {
        const failed = await attempt(records)
        const isFinal = ({ record, error }: FailedRecord) =>
          error instanceof KafkaError && error.isAboutRecord && (record.isAlone === true || !error.isAboutBatch)
        const final = failed.filter(isFinal)
        await giveUp(final)
        const again = failed.filter((one) => !final.includes(one))
        if (again.length === 0) return
        const reason = again[0]!.error.message
        if (options.retries !== undefined && tries >= options.retries) {
          log.error(`Giving up on ${again.length} events after ${tries} retries: ${reason}`)
          await giveUp(again)
          producer.forgetSequences()
          return
        }
        // A topic that is being created is briefly unknown.
        const say = tries === 0 ? log.info : log.warn
        say(`Sending ${again.length} events to Kafka failed, trying again: ${reason}`)
        // The broker rejects whole batches. Sent alone, each record shows whether it is the invalid one.
        for (const { record, error } of again) {
          if (error instanceof KafkaError && error.isAboutBatch) record.isAlone = true
        }
        records = again.map(({ record }) => record)
        await delivery.wait(Math.min(options.retry_backoff_ms * 2 ** tries, RETRY_MAX_MS))
      }
    }
    return {
      write(events) {
        if (options.acks !== 'all') return send(events)
        const sent = turn.then(() => send(events))
        turn = sent.catch(() => {})
        return sent
      },
      async close() {
        delivery.close()
        cluster.close()
      },
    }
  },
})

interface EventRecord extends TopicRecord {
  readonly event: Event
}

function checkSerializer(name: string, given: string): void {
  const [folder, ...known] = SERIALIZERS
  if (!known.some((one) => given === folder + one)) {
    throw new PluginOptionError(`${name} "${given}" is a Java class that is not known here; use ${folder}${known[0]}`)
  }
}
