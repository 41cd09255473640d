/**
 * `lumberjack`: receives events from the lumberjack output and from old forwarders, over TLS only, and acknowledges them after the
 * outputs have written them.
 */
import { Event } from '../event/event.ts'
import { isFields } from '../event/fields.ts'
import { parseJson } from '../event/json-text.ts'
import { Timestamp } from '../event/timestamp.ts'
import { type DataFrame, readWindows } from '../lumberjack/windows.ts'
import { ConnectionServer } from '../net/connection-server.ts'
import { serverTls } from '../net/tls-options.ts'
import { inputPlugin } from '../plugin/input-plugin.ts'
import { option } from '../plugin/options.ts'

export const lumberjack = inputPlugin({
  name: 'lumberjack',
  touches: 'network',
  options: {
    port: option.number({ required: true }),
    host: option.string({ default: '0.0.0.0' }),
    codec: option.codec({ default: 'plain' }),
    ssl_certificate: option.path({ required: true }),
    ssl_key: option.path({ required: true }),
    ssl_key_passphrase: option.password(),
    congestion_threshold: option.ignored('Senders wait by themselves while the queue is full.'),
    max_clients: option.ignored('The number of clients is not limited.'),
  },
  create(options, { clock, log }) {
    /** The text named `line` goes through the codec; other names become fields. */
    const addEvents = (frame: DataFrame, out: Event[]): void => {
      if (frame.kind === 'event') {
        const fields = parseJson(frame.json)
        if (!isFields(fields)) throw new Error('an event is no JSON object')
        out.push(Event.ofFields(fields, new Timestamp(clock.nowMs())))
        return
      }
      const decoder = options.codec.createDecoder()
      const events: Event[] = []
      decoder.decode(Buffer.from(frame.pairs.get('line') ?? ''), events)
      decoder.flush(events)
      for (const event of events) {
        for (const [name, value] of frame.pairs) if (name !== 'line') event.fields[name] = value
        out.push(event)
      }
    }
    const { ssl_certificate, ssl_key, ssl_key_passphrase } = options
    const own = { ssl_certificate, ssl_key, ssl_key_passphrase }
    const open = { ssl_certificate_authorities: [], ssl_supported_protocols: [], ssl_cipher_suites: [] }
    return new ConnectionServer({
      name: 'lumberjack',
      host: options.host,
      port: options.port,
      tls: serverTls({ ...own, ...open }, 'none'),
      log,
      read: (socket, sink) => readWindows(socket, sink, addEvents),
    })
  },
})
