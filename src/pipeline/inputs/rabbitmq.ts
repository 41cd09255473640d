/**
 * `rabbitmq`: reads messages from a queue. A message is acknowledged after the outputs have written its events, so that the server
 * delivers it again if the program dies before.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Event } from '../event/event.ts'
import { Fields, type FieldValue, toFieldValue } from '../event/fields.ts'
import { type Input, type InputSink, inputPlugin } from '../plugin/input-plugin.ts'
import { type OptionValues, option } from '../plugin/options.ts'
import type { PluginContext } from '../plugin/plugin-context.ts'
import {
  type Amqp,
  type AmqpChannel,
  type AmqpConnection,
  type AmqpMessage,
  connectToRabbit,
  loadAmqp,
  queueArguments,
  RABBITMQ_OPTIONS,
} from '../rabbitmq/rabbitmq-connection.ts'

const OPTIONS = {
  ...RABBITMQ_OPTIONS,
  codec: option.codec({ default: 'json' }),
  queue: option.string({ default: '' }),
  durable: option.boolean({ default: false }),
  auto_delete: option.boolean({ default: false }),
  exclusive: option.boolean({ default: false }),
  prefetch_count: option.number({ default: 256 }),
  ack: option.boolean({ default: true }),
  exchange: option.string(),
  exchange_type: option.string(),
  key: option.string({ default: 'logstash' }),
  subscription_retry_interval_seconds: option.number({ default: 5 }),
  metadata_enabled: option.words(['none', 'basic', 'extended', 'false', 'true'], { default: 'none' }),
  threads: option.ignored('One consumer reads as many messages ahead as `prefetch_count` says.'),
} as const

/** Logstash's names of properties, and amqplib's. */
const PROPERTIES: Readonly<Record<string, string>> = {
  'app-id': 'appId',
  'cluster-id': 'clusterId',
  'content-encoding': 'contentEncoding',
  'content-type': 'contentType',
  'correlation-id': 'correlationId',
  'delivery-mode': 'deliveryMode',
  expiration: 'expiration',
  'message-id': 'messageId',
  priority: 'priority',
  'reply-to': 'replyTo',
  timestamp: 'timestamp',
  type: 'type',
  'user-id': 'userId',
}
const ENVELOPE: Readonly<Record<string, string>> = {
  'consumer-tag': 'consumerTag',
  exchange: 'exchange',
  redeliver: 'redelivered',
  'routing-key': 'routingKey',
}

export const rabbitmq = inputPlugin({
  name: 'rabbitmq',
  touches: 'network',
  options: OPTIONS,
  create: (options, context) => new RabbitmqInput(options, context),
})

class RabbitmqInput implements Input {
  readonly #options: OptionValues<typeof OPTIONS>
  readonly #context: PluginContext
  readonly #amqp: Amqp
  readonly #stopping = new AbortController()
  /** Connections stay open until the last events are delivered, because acknowledgements travel on them. */
  #connection: AmqpConnection | undefined
  #consumer: { channel: AmqpChannel; tag: string } | undefined

  constructor(options: OptionValues<typeof OPTIONS>, context: PluginContext) {
    this.#options = options
    this.#context = context
    this.#amqp = loadAmqp()
  }

  async run(sink: InputSink): Promise<void> {
    const { signal } = this.#stopping
    const { host, connect_retry_interval: connectS, subscription_retry_interval_seconds: subscribeS } = this.#options
    while (!signal.aborted) {
      let waitS = connectS
      try {
        this.#connection = await connectToRabbit(this.#amqp, this.#options)
        waitS = subscribeS
        await this.#consume(this.#connection, sink)
        if (signal.aborted || !this.#options.automatic_recovery) return
      } catch (error) {
        if (signal.aborted) return
        this.#context.log.warn(`RabbitMQ at ${host.join(', ')}: ${(error as Error).message}; trying again`)
        void this.#connection?.close().catch(() => {})
        this.#connection = undefined
      }
      await sleep(waitS * 1000, undefined, { signal }).catch(() => {})
    }
  }

  stop(): void {
    this.#stopping.abort()
    const consumer = this.#consumer
    void consumer?.channel.cancel(consumer.tag).catch(() => {})
  }

  async close(): Promise<void> {
    await this.#connection?.close().catch(() => {})
  }

  /** Resolves when the channel is closed or the input stops. */
  async #consume(connection: AmqpConnection, sink: InputSink): Promise<void> {
    const { queue, passive, durable, auto_delete: autoDelete, exclusive, exchange, exchange_type: type } = this.#options
    let failure: Error | undefined
    connection.on('error', (error) => {
      failure = error
    })
    const channel = await connection.createChannel()
    const closed = new Promise<void>((resolve) => {
      connection.on('close', () => resolve())
      channel.on('close', () => resolve())
      this.#stopping.signal.addEventListener('abort', () => resolve(), { once: true })
    })
    channel.on('error', (error) => {
      failure = error
    })
    const settings = { durable, autoDelete, exclusive, arguments: queueArguments(this.#options.arguments) }
    const declared = passive ? await channel.checkQueue(queue) : await channel.assertQueue(queue, settings)
    if (exchange !== undefined) {
      if (type !== undefined) await channel.assertExchange(exchange, type, { durable })
      await channel.bindQueue(declared.queue, exchange, this.#options.key)
    }
    await channel.prefetch(this.#options.prefetch_count)
    const { ack } = this.#options
    let isOpen = true
    const take = (message: AmqpMessage | null) => {
      if (message === null) {
        failure = new Error('the server cancelled the consumer')
        void channel.close().catch(() => {})
        return
      }
      const events = this.#eventsOf(message)
      const done = () => {
        if (ack && isOpen) channel.ack(message)
      }
      // The server sends no more than `prefetch_count` messages ahead, so a full queue needs no further brake.
      if (events.length === 0) done()
      else void sink.push(events, done)
    }
    const { consumerTag } = await channel.consume(declared.queue, take, { noAck: !ack })
    this.#consumer = { channel, tag: consumerTag }
    this.#context.log.info(`Connected to RabbitMQ at ${this.#options.host.join(', ')}, reading ${declared.queue}`)
    await closed
    if (this.#stopping.signal.aborted) return
    isOpen = false
    throw failure ?? new Error('the connection was closed')
  }

  #eventsOf(message: AmqpMessage): Event[] {
    const decoder = this.#options.codec.createDecoder()
    const events: Event[] = []
    decoder.decode(message.content, events)
    decoder.flush(events)
    const { metadata_enabled: wanted } = this.#options
    if (wanted === 'none' || wanted === 'false') return events
    for (const event of events) {
      event.metadata['rabbitmq_headers'] = toFieldValue(message.properties.headers ?? {})
      event.metadata['rabbitmq_properties'] = propertiesOf(message)
      if (wanted === 'extended') event.metadata['rabbitmq_payload'] = message.content.toString('utf8')
    }
    return events
  }
}

function propertiesOf({ properties, fields }: AmqpMessage): Fields {
  const found = new Fields()
  for (const [name, key] of Object.entries(PROPERTIES)) {
    const value = properties[key]
    if (value !== undefined) found[name] = value as FieldValue
  }
  for (const [name, key] of Object.entries(ENVELOPE)) {
    const value = fields[key]
    if (value !== undefined) found[name] = value as FieldValue
  }
  return found
}
