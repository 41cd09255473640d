/** `graphite`: sends numbers of events as lines `metric value seconds`. */

import { Double } from '../../base/json/json-writer.ts'
import type { Event } from '../event/event.ts'
import { type FieldValue, isFields, namesOf } from '../event/fields.ts'
import { textForm } from '../event/text-form.ts'
import { Timestamp } from '../event/timestamp.ts'
import { Delivery } from '../plugin/delivery.ts'
import { option } from '../plugin/options.ts'
import { outputPlugin } from '../plugin/output-plugin.ts'
import { LineConnection } from './line-connection.ts'

export const graphite = outputPlugin({
  name: 'graphite',
  options: {
    host: option.string({ default: 'localhost' }),
    port: option.number({ default: 2003 }),
    reconnect_interval: option.number({ default: 2 }),
    resend_on_failure: option.ignored('Metrics are kept and sent again until the server has them.'),
    metrics: option.hash(),
    fields_are_metrics: option.boolean({ default: false }),
    include_metrics: option.strings({ default: ['.*'] }),
    exclude_metrics: option.strings({ default: ['%{[^}]+}'] }),
    metrics_format: option.string({ default: '*' }),
    timestamp_field: option.field({ default: '@timestamp' }),
    nested_object_separator: option.string({ default: '.' }),
  },
  create(options, context) {
    const { clock } = context
    const { host, port, metrics_format: format } = options
    const included = options.include_metrics.map((pattern) => new RegExp(pattern))
    const excluded = options.exclude_metrics.map((pattern) => new RegExp(pattern.replace(/^%\{/, '%\\{')))
    const delivery = new Delivery('graphite', context)
    const connection = new LineConnection({ host, port, reconnectMs: options.reconnect_interval * 1000, delivery })
    const isWanted = (name: string) =>
      included.some((expression) => expression.test(name)) && !excluded.some((expression) => expression.test(name))
    const linesOf = (event: Event) => {
      const time = event.get(options.timestamp_field)
      const timeMs = time instanceof Timestamp ? time.ms : (event.timestamp?.ms ?? clock.nowMs())
      const seconds = Math.floor(timeMs / 1000)
      const metrics = options.fields_are_metrics
        ? numbersOf('', event.fields as FieldValue, options.nested_object_separator).filter(([name]) => isWanted(name))
        : [...(options.metrics ?? [])].map(
            ([name, value]) => [event.expand(name), event.expand(String(value))] as const,
          )
      return metrics.map(([name, value]) => {
        const full = options.fields_are_metrics ? format.replaceAll('*', name) : name
        return `${full} ${value} ${seconds}\n`
      })
    }
    return {
      async write(events) {
        const text = (await delivery.forEach(events, linesOf)).flat().join('')
        if (text !== '') await connection.send(text)
      },
      close: () => connection.close(),
    }
  },
})

function numbersOf(prefix: string, value: FieldValue, separator: string): [string, string][] {
  if (isFields(value)) {
    return namesOf(value).flatMap((name) =>
      numbersOf(prefix === '' ? name : `${prefix}${separator}${name}`, value[name]!, separator),
    )
  }
  const isNumber =
    typeof value === 'number' ||
    typeof value === 'bigint' ||
    value instanceof Double ||
    (typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)))
  return isNumber ? [[prefix, textForm(value)]] : []
}
