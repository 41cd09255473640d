/** `graphite`: lines `metric value seconds` over tcp. The field of the metric is added to the line. */
import { floatOf, leadingNumber } from '../event/convert.ts'
import type { Event } from '../event/event.ts'
import { textForm } from '../event/text-form.ts'
import { Timestamp } from '../event/timestamp.ts'
import { inputPlugin } from '../plugin/input-plugin.ts'
import { createTcp, TCP_OPTIONS } from './tcp.ts'

export const graphite = inputPlugin({
  name: 'graphite',
  touches: 'network',
  options: TCP_OPTIONS,
  create(options, context) {
    const tcp = createTcp(options, context)
    return {
      start: () => tcp.start?.() ?? Promise.resolve(),
      run: (sink) =>
        tcp.run({
          push: (events, onAcknowledged) => {
            for (const event of events) addMetric(event)
            return sink.push(events, onAcknowledged)
          },
        }),
      stop: () => tcp.stop(),
    }
  },
})

function addMetric(event: Event): void {
  const [name, value = '', time = '0'] = textForm(event.get('message') ?? '')
    .split(/\s+/)
    .filter((part) => part !== '')
  if (name === undefined) return
  event.setDefault(name, floatOf(leadingNumber(value)))
  // The sender leaves the time to the server.
  if (time !== 'N') event.set('@timestamp', new Timestamp((Number.parseInt(time, 10) || 0) * 1000))
}
