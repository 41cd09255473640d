/** `cef`: ArcSight's Common Event Format, `CEF:0|vendor|product|version|id|name|severity|key=value …`. */
import { Event } from '../event/event.ts'
import { Fields, type FieldValue, isFields } from '../event/fields.ts'
import { jsonText } from '../event/json-text.ts'
import { rubyText } from '../event/ruby-text.ts'
import { type Charset, charsetOf } from '../plugin/charset.ts'
import { type Codec, codecPlugin } from '../plugin/codec-plugin.ts'
import { option } from '../plugin/options.ts'
import type { PluginContext } from '../plugin/plugin-context.ts'
import { cefKeyOf, cefNameOf } from './cef-names.ts'
import { LinesDecoder } from './lines-decoder.ts'

const HEADERS = [
  'cefVersion',
  'deviceVendor',
  'deviceProduct',
  'deviceVersion',
  'deviceEventClassId',
  'name',
  'severity',
]

export const cef = codecPlugin({
  name: 'cef',
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
    charset: option.string({ default: 'UTF-8' }),
    ecs_compatibility: option.words(['disabled', 'v1', 'v8']),
  },
  create(options, context) {
    const charset = charsetOf(options.charset)
    // Configurations write `\\r\\n` whether or not escapes are enabled.
    const delimiter = options.delimiter?.replaceAll('\\r', '\r').replaceAll('\\n', '\n')
    const codec: Codec = {
      name: 'cef',
      createDecoder: () => new CefDecoder(charset, delimiter ?? '\n', context, options.raw_data_field),
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
            const key = field.replace(/[^A-Za-z0-9]/g, '')
            return `${options.reverse_mapping ? cefKeyOf(key) : key}=${valueText(event.get(field)!)}`
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

class CefDecoder extends LinesDecoder {
  readonly #rawField: string | undefined

  constructor(charset: Charset, delimiter: string, context: PluginContext, rawField: string | undefined) {
    super(charset, delimiter, context)
    this.#rawField = rawField
  }

  decodeLine(line: string, out: Event[]): void {
    let event: Event | undefined
    try {
      event = this.#eventOf(line)
    } catch {
      // The keys contradict each other, such as `a=1 a[0]=2`.
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
    const fields = new Fields()
    const headers = match[2]!.match(/(?:[^|\\]|\\.)*\|/g)!
    headers.forEach((text, i) => {
      fields[HEADERS[i]!] = text.slice(0, -1).replace(/\\([|\\])/g, '$1')
    })
    const syslog = match[1]!.trim()
    if (syslog !== '') fields['syslog'] = syslog
    const event = Event.ofFields(fields, this.maker.now())
    if (!readExtension(match[3]!, event)) return undefined
    if (this.#rawField !== undefined) event.set(this.#rawField, line)
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
function readExtension(text: string, event: Event): boolean {
  let hasKey = false
  for (const [, key, value] of text.trim().matchAll(PAIR)) {
    const name = cefNameOf(key!)
    const place = name.replace(/^([^[\]]+)((?:\[\d+\])+)$/, '[$1]$2')
    event.set(
      place,
      value!.replace(/\\([=\\nr])/g, (_pair, char: string) => (char === 'n' ? '\n' : char === 'r' ? '\r' : char)),
    )
    hasKey = true
  }
  return hasKey || text.trim() === ''
}
