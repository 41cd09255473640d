/** `udp`: sends one datagram per event. */
import { Delivery } from '../plugin/delivery.ts'
import { option } from '../plugin/options.ts'
import { outputPlugin } from '../plugin/output-plugin.ts'
import { DatagramSender } from './datagram-sender.ts'

export const udp = outputPlugin({
  name: 'udp',
  touches: 'network',
  options: {
    host: option.string({ required: true }),
    port: option.string({ required: true }),
    codec: option.codec({ default: 'json' }),
    retry_count: option.number({ default: 0 }),
    retry_backoff_ms: option.number({ default: 100 }),
  },
  create({ host, port, codec, retry_count: retries, retry_backoff_ms: backoffMs }, context) {
    const delivery = new Delivery('udp', context)
    const sender = new DatagramSender({ host, retries, backoffMs }, delivery)
    return {
      async write(events) {
        const datagrams = await delivery.forEach(events, (event) => ({
          event,
          bytes: codec.encode(event),
          to: Number(event.expand(port)),
        }))
        for (const { event, bytes, to } of datagrams) await sender.send(event, bytes, to)
      },
      close: () => sender.close(),
    }
  },
})
