/** `rabbitmq`: publishes events to an exchange. An event is delivered when the server has confirmed it. */
import type { Event } from '../event/event.ts'
import { Delivery } from '../plugin/delivery.ts'
import { type ConfigValue, option } from '../plugin/options.ts'
import { outputPlugin } from '../plugin/output-plugin.ts'
import {
  type AmqpChannel,
  type AmqpConnection,
  connectToRabbit,
  loadAmqp,
  queueArguments,
  RABBITMQ_OPTIONS,
} from '../rabbitmq/rabbitmq-connection.ts'

/** Properties of messages in Logstash's spelling, and amqplib's. */
const PROPERTIES: Readonly<Record<string, string>> = {
  content_type: 'contentType',
  content_encoding: 'contentEncoding',
  correlation_id: 'correlationId',
  reply_to: 'replyTo',
  message_id: 'messageId',
  user_id: 'userId',
  app_id: 'appId',
  delivery_mode: 'deliveryMode',
}

export const rabbitmq = outputPlugin({
  name: 'rabbitmq',
  touches: 'network',
  options: {
    ...RABBITMQ_OPTIONS,
    automatic_recovery: option.ignored('Events wait until the server can be reached again.'),
    codec: option.codec({ default: 'json' }),
    key: option.string({ default: 'logstash' }),
    exchange: option.string({ required: true }),
    exchange_type: option.words(['fanout', 'direct', 'topic', 'headers', 'x-consistent-hash', 'x-modulus-hash'], {
      required: true,
    }),
    durable: option.boolean({ default: true }),
    persistent: option.boolean({ default: true }),
    message_properties: option.hash({ default: new Map<string, ConfigValue>() }),
  },
  create(options, context) {
    const amqp = loadAmqp()
    const delivery = new Delivery('rabbitmq', context)
    let connection: AmqpConnection | undefined
    let channel: Promise<AmqpChannel> | undefined

    const open = async (): Promise<AmqpChannel> => {
      const made = await connectToRabbit(amqp, options)
      connection = made
      const forget = () => {
        if (connection === made) channel = undefined
      }
      made.on('error', forget).on('close', forget)
      made.on('blocked', () => context.log.warn('RabbitMQ output blocked! Check your RabbitMQ instance!'))
      made.on('unblocked', () => context.log.warn('RabbitMQ output unblocked!'))
      const opened = await made.createConfirmChannel()
      opened.on('error', forget).on('close', forget)
      const { exchange, exchange_type: type, durable, passive } = options
      const settings = { durable, arguments: queueArguments(options.arguments) }
      if (!passive) await opened.assertExchange(exchange, type, settings)
      context.log.info(`Connected to RabbitMQ at ${options.host.join(', ')}`)
      return opened
    }
    const connected = (): Promise<AmqpChannel> => {
      channel ??= open().catch((error) => {
        channel = undefined
        throw error
      })
      return channel
    }
    /** The library also reports a message as failed when its channel closes. */
    const publish = (to: AmqpChannel, { event, bytes }: Item): Promise<void> =>
      new Promise((resolve, reject) => {
        const properties = { ...propertiesOf(options.message_properties, event), persistent: options.persistent }
        to.publish(options.exchange, event.expand(options.key), bytes, properties, (error) =>
          error === null || error === undefined ? resolve() : reject(error),
        )
      })
    return {
      async write(events) {
        let items = await delivery.forEach(events, (event) => ({
          event,
          bytes: Buffer.from(options.codec.encode(event)),
        }))
        await delivery.retry(
          async () => {
            const to = await connected()
            const results = await Promise.allSettled(items.map((item) => publish(to, item)))
            // Confirmed messages are not sent again.
            const left = items.filter((_, i) => results[i]!.status === 'rejected')
            const failure = results.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined
            items = left
            if (failure !== undefined) throw failure.reason
          },
          { waitMs: options.connect_retry_interval * 1000 },
        )
      },
      async close() {
        delivery.close()
        await connection?.close().catch(() => {})
      },
    }
  },
})

interface Item {
  readonly event: Event
  readonly bytes: Buffer
}

function propertiesOf(given: ReadonlyMap<string, ConfigValue>, event: Event): Record<string, unknown> {
  return Object.fromEntries(
    [...given].map(([name, value]) => [
      PROPERTIES[name] ?? name,
      typeof value === 'string' ? event.expand(value) : value,
    ]),
  )
}
