/** `graphite`: lines `metric value seconds`. */
import { WatchedRegexp } from '../../text/regex/watched-regexp.ts'
import { floatOf, leadingNumber } from '../event/convert.ts'
import { Event } from '../event/event.ts'
import { Fields, namesOf } from '../event/fields.ts'
import { textForm } from '../event/text-form.ts'
import { Timestamp } from '../event/timestamp.ts'
import { utf8 } from '../plugin/charset.ts'
import { type Codec, codecPlugin } from '../plugin/codec-plugin.ts'
import { type ConfigValue, option } from '../plugin/options.ts'
import type { PluginContext } from '../plugin/plugin-context.ts'
import { LinesDecoder } from './lines-decoder.ts'

const NEVER: ReadonlySet<string> = new Set(['@timestamp', '@version'])

export const graphite = codecPlugin({
  name: 'graphite',
  touches: 'nothing',
  options: {
    metrics: option.hash({ default: new Map<string, ConfigValue>() }),
    fields_are_metrics: option.boolean({ default: false }),
    include_metrics: option.strings({ default: ['.*'] }),
    exclude_metrics: option.strings({ default: ['%\\{[^}]+\\}'] }),
    metrics_format: option.string({ default: '*' }),
    as_key_value: option.boolean({ default: false }),
    ecs_compatibility: option.words(['disabled', 'v1', 'v8']),
  },
  create(options, context) {
    const included = options.include_metrics.map((pattern) => new WatchedRegexp(pattern))
    const excluded = options.exclude_metrics.map((pattern) => new WatchedRegexp(pattern))
    const isWanted = (name: string) =>
      included.some((pattern) => pattern.test(name)) && !excluded.some((pattern) => pattern.test(name))
    const metricsOf = (event: Event): (readonly [string, string])[] =>
      options.fields_are_metrics
        ? namesOf(event.fields)
            .filter((name) => !NEVER.has(name))
            .map((name) => [name, event.expand(textForm(event.fields[name]!))])
        : [...options.metrics].map(([name, value]) => [event.expand(name), event.expand(String(value))])
    const codec: Codec = {
      name: 'graphite',
      createDecoder: () => new GraphiteDecoder(options.as_key_value, context),
      encode(event) {
        const seconds = Math.floor((event.timestamp?.ms ?? context.clock.nowMs()) / 1000)
        return metricsOf(event)
          .filter(([name]) => isWanted(name))
          .map(([name, value]) => {
            const number = textForm(floatOf(leadingNumber(value)))
            return `${options.metrics_format.replaceAll('*', () => name)} ${number} ${seconds}\n`
          })
          .join('')
      },
      forStream: () => codec,
    }
    return codec
  },
})

class GraphiteDecoder extends LinesDecoder {
  readonly #asKeyValue: boolean

  constructor(asKeyValue: boolean, context: PluginContext) {
    super(utf8, '\n', context)
    this.#asKeyValue = asKeyValue
  }

  decodeLine(line: string, out: Event[]): void {
    const [name, value = '', time = ''] = line.split(/\s+/).filter((part) => part !== '')
    if (name === undefined) return
    const fields = new Fields()
    if (this.#asKeyValue) {
      fields['key'] = name
      fields['value'] = floatOf(leadingNumber(value))
    } else fields[name] = floatOf(leadingNumber(value))
    fields['@timestamp'] = new Timestamp((Number.parseInt(time, 10) || 0) * 1000)
    out.push(Event.ofFields(fields, this.maker.now()))
  }
}
