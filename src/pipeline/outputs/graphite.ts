/** `graphite`: sends numbers of events as lines `metric value seconds`. */

import { WatchedRegexp } from '../../text/regex/watched-regexp.ts'
import { floatOf, leadingNumber } from '../event/convert.ts'
import type { Event } from '../event/event.ts'
import { type Fields, type FieldValue, isFields, namesOf } from '../event/fields.ts'
import { textForm } from '../event/text-form.ts'
import { Timestamp } from '../event/timestamp.ts'
import { Delivery } from '../plugin/delivery.ts'
import { option } from '../plugin/options.ts'
import { outputPlugin } from '../plugin/output-plugin.ts'
import { LineConnection } from './line-connection.ts'

export const graphite = outputPlugin({
  name: 'graphite',
  touches: 'network',
  options: {
    host: option.string({ default: 'localhost' }),
    port: option.number({ default: 2003 }),
    reconnect_interval: option.number({ default: 2 }),
    resend_on_failure: option.ignored('Metrics are kept and sent again until the server has them.'),
    metrics: option.hash(),
    fields_are_metrics: option.boolean({ default: false }),
    include_metrics: option.strings({ default: ['.*'] }),
    exclude_metrics: option.strings({ default: ['%\\{[^}]+\\}'] }),
    metrics_format: option.string({ default: '*' }),
    timestamp_field: option.field({ default: '@timestamp' }),
    nested_object_separator: option.string({ default: '.' }),
  },
  create(options, context) {
    const { clock, log } = context
    const { host, port } = options
    const included = options.include_metrics.map((pattern) => new WatchedRegexp(pattern))
    const excluded = options.exclude_metrics.map((pattern) => new WatchedRegexp(pattern))
    let format = options.metrics_format
    if (!format.includes('*')) {
      log.warn(`metrics_format does not include placeholder * .. falling back to default format: "*"`)
      format = '*'
    }
    const delivery = new Delivery('graphite', context)
    const connection = new LineConnection({ host, port, reconnectMs: options.reconnect_interval * 1000, delivery })
    const isWanted = (name: string) =>
      included.some((expression) => expression.test(name)) && !excluded.some((expression) => expression.test(name))
    const linesOf = (event: Event) => {
      const seconds = secondsOf(event.get(options.timestamp_field)) ?? secondsOf(event.timestamp)
      const metrics = options.fields_are_metrics
        ? valuesOf(event.fields, options.nested_object_separator)
        : [...(options.metrics ?? [])].map(([name, value]) => [event.expand(name), String(value)] as const)
      return metrics
        .filter(([name]) => isWanted(name))
        .map(([name, value]) => {
          const number = textForm(floatOf(leadingNumber(event.expand(value))))
          const full = event.expand(format.replaceAll('*', () => name))
          return `${full} ${number} ${seconds ?? Math.floor(clock.nowMs() / 1000)}\n`
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

function secondsOf(time: FieldValue | undefined): number | undefined {
  if (time instanceof Timestamp) return Math.floor(time.ms / 1000)
  return time === undefined || time === null ? undefined : Math.floor(leadingNumber(textForm(time)))
}

const NEVER: ReadonlySet<string> = new Set(['@timestamp', '@version'])

/** All fields with their text. The name of a nested field starts with the names of its parents. */
function valuesOf(fields: Fields, separator: string, prefix = ''): [string, string][] {
  return namesOf(fields).flatMap((name): [string, string][] => {
    const value = fields[name]!
    if (prefix === '' && NEVER.has(name)) return []
    return isFields(value)
      ? valuesOf(value, separator, `${prefix}${name}${separator}`)
      : [[`${prefix}${name}`, textForm(value)]]
  })
}
