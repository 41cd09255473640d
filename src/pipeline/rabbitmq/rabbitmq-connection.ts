/** The connection options of both RabbitMQ plugins, and the part of amqplib that they use. */
import { readFileSync } from 'node:fs'
import type { ConnectionOptions } from 'node:tls'
import { readTruststore } from '../net/tls-options.ts'
import { loadOptional } from '../plugin/optional-package.ts'
import { type ConfigValue, type OptionValues, option } from '../plugin/options.ts'

export interface AmqpMessage {
  readonly content: Buffer
  readonly fields: Readonly<Record<string, unknown>> & { readonly deliveryTag: number }
  readonly properties: Readonly<Record<string, unknown>> & { readonly headers?: Readonly<Record<string, unknown>> }
}

export interface AmqpChannel {
  on(event: 'close' | 'error' | 'drain', listener: (error?: Error) => void): this
  once(event: 'close' | 'error' | 'drain', listener: (error?: Error) => void): this
  assertQueue(name: string, options: object): Promise<{ queue: string }>
  checkQueue(name: string): Promise<{ queue: string }>
  bindQueue(queue: string, exchange: string, key: string, args?: object): Promise<unknown>
  assertExchange(name: string, type: string, options: object): Promise<unknown>
  prefetch(count: number): Promise<unknown>
  consume(queue: string, take: (message: AmqpMessage | null) => void, options: object): Promise<{ consumerTag: string }>
  cancel(consumerTag: string): Promise<unknown>
  ack(message: AmqpMessage): void
  publish(exchange: string, key: string, content: Buffer, options: object, done: (error: Error | null) => void): boolean
  close(): Promise<void>
}

export interface AmqpConnection {
  on(event: 'close' | 'error' | 'blocked' | 'unblocked', listener: (error?: Error) => void): this
  createChannel(): Promise<AmqpChannel>
  createConfirmChannel(): Promise<AmqpChannel>
  close(): Promise<void>
}

export interface Amqp {
  connect(address: object, socket: object): Promise<AmqpConnection>
}

export const RABBITMQ_OPTIONS = {
  host: option.strings({ required: true }),
  port: option.number({ default: 5672 }),
  user: option.string({ default: 'guest' }),
  password: option.password({ default: 'guest' }),
  vhost: option.string({ default: '/' }),
  ssl: option.boolean({ default: false }),
  ssl_version: option.string(),
  ssl_certificate_path: option.path(),
  ssl_certificate_password: option.password(),
  ssl_truststore_path: option.path(),
  ssl_truststore_password: option.ignored('Trusted certificates are read from a PEM file, which has no password.'),
  ssl_truststore_type: option.ignored('Trusted certificates are read from a PEM file.'),
  ssl_keystore_type: option.ignored('The certificate is read from a PKCS12 file.'),
  verify_ssl: option.boolean({ default: false }),
  automatic_recovery: option.boolean({ default: true }),
  connect_retry_interval: option.number({ default: 1 }),
  connection_timeout: option.number(),
  heartbeat: option.number(),
  passive: option.boolean({ default: false }),
  arguments: option.hash({ default: new Map<string, ConfigValue>() }),
  debug: option.ignored('The log level is set for the whole program (`--log.level debug`).'),
} as const

export type RabbitmqOptions = Omit<OptionValues<typeof RABBITMQ_OPTIONS>, 'automatic_recovery'>

export function loadAmqp(): Amqp {
  return loadOptional<Amqp>('amqplib', 'the rabbitmq plugin')
}

/** Connects to the first host that answers. */
export async function connectToRabbit(amqp: Amqp, options: RabbitmqOptions): Promise<AmqpConnection> {
  let failure: unknown
  for (const entry of options.host) {
    const [hostname, port] = entry.split(':')
    const address = {
      protocol: options.ssl ? 'amqps' : 'amqp',
      hostname,
      port: port === undefined ? options.port : Number(port),
      username: options.user,
      password: options.password,
      // Escaped, because the library unescapes it.
      vhost: encodeURIComponent(options.vhost),
      heartbeat: options.heartbeat ?? 0,
    }
    try {
      return await amqp.connect(address, { ...socketOptions(options), noDelay: true })
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

function socketOptions(options: RabbitmqOptions): ConnectionOptions & { timeout?: number } {
  const { connection_timeout: timeout, ssl_certificate_path: own, ssl_truststore_path: trusted } = options
  return {
    ...(timeout === undefined || timeout === 0 ? {} : { timeout }),
    ...(options.ssl
      ? {
          rejectUnauthorized: options.verify_ssl,
          ...(own === undefined ? {} : { pfx: readFileSync(own), passphrase: options.ssl_certificate_password ?? '' }),
          ...(trusted === undefined ? {} : { ca: readTruststore(trusted) }),
          ...(options.ssl_version === undefined ? {} : { minVersion: options.ssl_version as 'TLSv1.2' }),
        }
      : {}),
  }
}

/** Arguments of queues: numbers and booleans are written as text in configurations. */
export function queueArguments(given: ReadonlyMap<string, ConfigValue>): Record<string, unknown> {
  const typed = (value: ConfigValue) => (value === 'true' ? true : value === 'false' ? false : value)
  return Object.fromEntries([...given].map(([name, value]) => [name, typed(value)]))
}
