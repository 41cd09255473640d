/** `statsd`: counts and measures, one datagram (or line) each: `namespace.sender.metric:value|type`. */
import { createSocket } from 'node:dgram'
import type { Event } from '../event/event.ts'
import { type ConfigValue, option } from '../plugin/options.ts'
import { outputPlugin } from '../plugin/output-plugin.ts'
import { LineConnection } from './line-connection.ts'

export const statsd = outputPlugin({
  name: 'statsd',
  options: {
    host: option.string({ default: 'localhost' }),
    port: option.number({ default: 8125 }),
    protocol: option.words(['udp', 'tcp'], { default: 'udp' }),
    namespace: option.string({ default: 'logstash' }),
    sender: option.string({ default: '%{host}' }),
    increment: option.strings({ default: [] }),
    decrement: option.strings({ default: [] }),
    count: option.hash(),
    timing: option.hash(),
    gauge: option.hash(),
    set: option.hash(),
    sample_rate: option.number({ default: 1 }),
  },
  create(options, context) {
    const metrics: Metric[] = [
      ...options.increment.map((name): Metric => ({ name, value: '1', type: 'c' })),
      ...options.decrement.map((name): Metric => ({ name, value: '-1', type: 'c' })),
      ...fromHash(options.count, 'c'),
      ...fromHash(options.timing, 'ms'),
      ...fromHash(options.set, 's'),
      ...fromHash(options.gauge, 'g'),
    ]
    const rate = options.sample_rate < 1 ? `|@${options.sample_rate}` : ''
    const linesOf = (event: Event) => {
      const namespace = event.expand(options.namespace)
      const sender = clean(event.expand(options.sender)).replaceAll('.', '_')
      const prefix = [namespace, sender].filter((part) => part !== '').join('.')
      return metrics
        .filter(() => options.sample_rate >= 1 || Math.random() < options.sample_rate)
        .map(({ name, value, type }) => `${prefix}.${clean(event.expand(name))}:${event.expand(value)}|${type}${rate}`)
    }
    const target = options.protocol === 'udp' ? datagrams(options.host, options.port) : undefined
    if (target !== undefined) {
      return {
        write: async (events) => {
          const sent = events.flatMap(linesOf).map((line) => target.send(line))
          const failed = (await Promise.all(sent)).find((error) => error !== null)
          if (failed)
            context.log.warn(`Metrics could not be sent to ${options.host}:${options.port}: ${failed.message}`)
        },
        close: async () => target.close(),
      }
    }
    const connection = new LineConnection({
      host: options.host,
      port: options.port,
      reconnectMs: 1000,
      log: context.log,
    })
    return {
      write: (events) =>
        connection.send(
          events
            .flatMap(linesOf)
            .map((line) => `${line}\n`)
            .join(''),
        ),
      close: () => connection.close(),
    }
  },
})

interface Metric {
  readonly name: string
  readonly value: string
  readonly type: 'c' | 'ms' | 'g' | 's'
}

function fromHash(hash: ReadonlyMap<string, ConfigValue> | undefined, type: Metric['type']): Metric[] {
  return [...(hash ?? [])].map(([name, value]) => ({ name, value: String(value), type }))
}

/** Characters with a meaning in the protocol must not come from data. */
function clean(name: string): string {
  return name.replaceAll('::', '.').replace(/[:|@]/g, '_')
}

function datagrams(host: string, port: number) {
  const socket = createSocket('udp4')
  // Errors belong to the datagram that caused them.
  socket.on('error', () => {})
  return {
    send: (line: string) => new Promise<Error | null>((resolve) => socket.send(line, port, host, resolve)),
    close: () => void socket.close(),
  }
}
