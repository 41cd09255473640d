/** `statsd`: sends counters and measurements, one datagram or line each: `namespace.sender.metric:value|type`. */
import type { Event } from '../event/event.ts'
import { Delivery } from '../plugin/delivery.ts'
import { type ConfigValue, option } from '../plugin/options.ts'
import { outputPlugin } from '../plugin/output-plugin.ts'
import { DatagramSender } from './datagram-sender.ts'
import { LineConnection } from './line-connection.ts'

export const statsd = outputPlugin({
  name: 'statsd',
  touches: 'network',
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
    const { host, port } = options
    const delivery = new Delivery('statsd', context)
    if (options.protocol === 'udp') {
      const sender = new DatagramSender({ host, retries: 0, backoffMs: 0 }, delivery)
      return {
        async write(events) {
          const lines = await delivery.forEach(events, (event) => ({ event, texts: linesOf(event) }))
          await Promise.all(lines.flatMap(({ event, texts }) => texts.map((text) => sender.send(event, text, port))))
        },
        close: () => sender.close(),
      }
    }
    const connection = new LineConnection({ host, port, reconnectMs: 1000, delivery })
    return {
      async write(events) {
        const lines = (await delivery.forEach(events, linesOf)).flat()
        if (lines.length > 0) await connection.send(lines.map((line) => `${line}\n`).join(''))
      },
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

/** Removes characters that have a meaning in the protocol. */
function clean(name: string): string {
  return name.replaceAll('::', '.').replace(/[:|@]/g, '_')
}
