/** `cef`: ArcSight's Common Event Format, `CEF:0|vendor|product|version|id|name|severity|key=value …`. */
import { CEF_HEADERS, cefField, type Device, encodedNames } from '../cef/cef-fields.ts'
import { type CefTimeSettings, cefTime } from '../cef/cef-times.ts'
import { Event } from '../event/event.ts'
import { Fields, type FieldValue, isFields } from '../event/fields.ts'
import { jsonText } from '../event/json-text.ts'
import { rubyText } from '../event/ruby-text.ts'
import { type Charset, charsetOf } from '../plugin/charset.ts'
import { type Codec, codecPlugin } from '../plugin/codec-plugin.ts'
import { option } from '../plugin/options.ts'
import { type PluginContext, PluginOptionError } from '../plugin/plugin-context.ts'
import { defaultZone, zoneOf } from '../time/zone.ts'
import { LinesDecoder } from './lines-decoder.ts'

export const cef = codecPlugin({
  name: 'cef',
  touches: 'nothing',
  options: {
    vendor: option.string({ default: 'Elasticsearch' }),
    product: option.string({ default: 'Logstash' }),
    version: option.string({ default: '1.0' }),
    signature: option.string({ default: 'Logstash' }),
    name: option.string({ default: 'Logstash' }),
    severity: option.string({ default: '6' }),
    fields: option.strings({ default: [] }),
    delimiter: option.string(),
    /** Writes short keys (`src`) for fields with long names (`sourceAddress`). */
    reverse_mapping: option.boolean({ default: false }),
    raw_data_field: option.field(),
    device: option.words(['observer', 'host'], { default: 'observer' }),
    default_timezone: option.string(),
    locale: option.string(),
    charset: option.string({ default: 'UTF-8' }),
    ecs_compatibility: option.words(['disabled', 'v1', 'v8']),
  },
  create(options, context) {
    const charset = charsetOf(options.charset)
    // Configurations write `\\r\\n` whether or not escapes are enabled.
    const delimiter = options.delimiter?.replaceAll('\\r', '\r').replaceAll('\\n', '\n')
    const zone = options.default_timezone === undefined ? defaultZone() : zoneOf(options.default_timezone)
    if (zone === undefined) throw new PluginOptionError(`default_timezone "${options.default_timezone}" is not known`)
    const isEcs = context.ecs !== 'disabled'
    const times = { zone, locale: options.locale, nowMs: () => context.clock.nowMs() }
    const decoding = { isEcs, device: options.device, rawField: options.raw_data_field, times }
    const names = encodedNames(isEcs, options.reverse_mapping)
    const codec: Codec = {
      name: 'cef',
      createDecoder: () => new CefDecoder(charset, delimiter ?? '\n', context, decoding),
      encode(event) {
        const { vendor, product, version, signature, name, severity, fields } = options
        const head = [
          header(event, vendor, 'Elasticsearch'),
          header(event, product, 'Logstash'),
          header(event, version, '1.0'),
          header(event, signature, 'Logstash'),
          header(event, name, 'Logstash'),
          severityOf(event, severity),
        ]
        const pairs = fields
          .filter((field) => (event.get(field) ?? null) !== null)
          .map((field) => {
            const key = (names.get(field) ?? field).replace(/[^A-Za-z0-9]/g, '')
            return `${key}=${valueText(event.get(field)!)}`
          })
        return `CEF:0|${head.join('|')}|${pairs.join(' ')}${delimiter ?? ''}`
      },
      forStream: () => codec,
    }
    return codec
  },
})

/** A header field. An empty value is replaced by the default. */
function header(event: Event, template: string, fallback: string): string {
  const text = event
    .expand(template)
    .replace(/[\\|]/g, '\\$&')
    .replace(/\r\n|[\r\n]/g, ' ')
  return text === '' ? fallback : text
}

/** A whole number from 0 to 10. Any other value becomes 6. */
function severityOf(event: Event, template: string): string {
  const text = event.expand(template).trim()
  const number = text === '' ? Number.NaN : Number(text)
  return Number.isInteger(number) && number >= 0 && number <= 10 ? String(number) : '6'
}

function valueText(value: FieldValue): string {
  const text = Array.isArray(value) || isFields(value) ? jsonText(value) : rubyText(value)
  return text.replace(/[\\=]/g, '\\$&').replace(/\r\n|[\r\n]/g, '\\n')
}

interface Decoding {
  /** Whether fields have the names of the Elastic Common Schema. */
  readonly isEcs: boolean
  readonly device: Device
  readonly rawField: string | undefined
  readonly times: CefTimeSettings
}

class CefDecoder extends LinesDecoder {
  readonly #decoding: Decoding

  constructor(charset: Charset, delimiter: string, context: PluginContext, decoding: Decoding) {
    super(charset, delimiter, context)
    this.#decoding = decoding
  }

  decodeLine(line: string, out: Event[]): void {
    let event: Event | undefined
    try {
      event = this.#eventOf(line)
    } catch {
      // The keys contradict each other, such as `a=1 a[0]=2`, or a time is none.
    }
    if (event === undefined) {
      event = this.maker.make(line)
      event.tag('_cefparsefailure')
    }
    out.push(event)
  }

  #eventOf(line: string): Event | undefined {
    // Seven header fields separated by bars. A backslash escapes a bar.
    const match = /^(.*?)CEF:((?:(?:[^|\\]|\\.)*\|){7})(.*)$/s.exec(unquoted(line.replace(/\r$/, '')))
    if (match === null) return undefined
    const { isEcs, rawField } = this.#decoding
    const event = Event.ofFields(new Fields(), this.maker.now())
    const headers = match[2]!.match(/(?:[^|\\]|\\.)*\|/g)!
    headers.forEach((text, i) => {
      const [name, place] = CEF_HEADERS[i]!
      event.set(isEcs ? place : name, text.slice(0, -1).replace(/\\([|\\])/g, '$1'))
    })
    const syslog = match[1]!.trim()
    if (syslog !== '') event.set(isEcs ? '[log][syslog][header]' : 'syslog', syslog)
    if (!readExtension(match[3]!, event, this.#decoding)) return undefined
    if (rawField !== undefined) event.set(rawField, line)
    return event
  }
}

/** Some connectors quote the whole line. */
function unquoted(line: string): string {
  return line.startsWith('"') ? line.slice(1, -1) : line
}

/** A name, optionally with dotted subnames and an array index: `ad.field[0]=`. */
const KEY = '\\w+(?:\\.[^.=\\s|\\\\[\\]]+)*(?:\\[\\d+\\])?(?==)'
/** A value may contain spaces. It ends where the next `key=` begins. */
const PAIR = new RegExp(`(${KEY})=((?:\\S|\\s+(?!\\s)(?!${KEY}))*)`, 'g')

/** Returns false if the text contains no key. */
function readExtension(text: string, event: Event, { isEcs, device, times }: Decoding): boolean {
  const pairs = [...text.trim().matchAll(PAIR)].map(([, key, value]) => [key!, unescaped(value!)] as const)
  const deviceZone = pairs.find(([key]) => cefField(key)?.name === 'deviceTimeZone')?.[1]
  for (const [key, value] of pairs) {
    const field = cefField(key)
    const name = field === undefined ? key : isEcs ? field.place(device) : field.name
    const place = field === undefined ? name.replace(/^([^[\]]+)((?:\[\d+\])+)$/, '[$1]$2') : name
    event.set(place, isEcs && field?.isTime === true ? cefTime(value, deviceZone, times) : value)
  }
  return pairs.length > 0 || text.trim() === ''
}

function unescaped(value: string): string {
  return value.replace(/\\([=\\nr])/g, (_pair, char: string) => (char === 'n' ? '\n' : char === 'r' ? '\r' : char))
}
