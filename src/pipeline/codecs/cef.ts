/** `cef`: ArcSight's Common Event Format, `CEF:0|vendor|product|version|id|name|severity|key=value …`. */
import { Event } from '../event/event.ts'
import { Fields } from '../event/fields.ts'
import { textForm } from '../event/text-form.ts'
import { type Codec, codecPlugin } from '../plugin/codec-plugin.ts'
import { option } from '../plugin/options.ts'
import type { PluginContext } from '../plugin/plugin-context.ts'
import { cefKeyOf, cefNameOf } from './cef-names.ts'
import { type Charset, charsetOf } from './charset.ts'
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
    /** Writes the keys of the format (`src`) for the long names of fields (`sourceAddress`). */
    reverse_mapping: option.boolean({ default: false }),
    raw_data_field: option.field(),
    charset: option.string({ default: 'UTF-8' }),
    ecs_compatibility: option.words(['disabled', 'v1', 'v8']),
  },
  create(options, context) {
    const charset = charsetOf(options.charset)
    const codec: Codec = {
      name: 'cef',
      createDecoder: () => new CefDecoder(charset, options.delimiter ?? '\n', context, options.raw_data_field),
      encode(event) {
        const { vendor, product, version, signature, name, severity, fields } = options
        const head = [vendor, product, version, signature, name, severity].map((text) =>
          event
            .expand(text)
            .replace(/[\\|]/g, '\\$&')
            .replace(/[\r\n]+/g, ' '),
        )
        const pairs = fields
          .filter((field) => event.has(field))
          .map(
            (field) =>
              `${options.reverse_mapping ? cefKeyOf(keyOf(field)) : keyOf(field)}=${escapeValue(textForm(event.get(field)!))}`,
          )
        return `CEF:0|${head.join('|')}|${pairs.join(' ')}${options.delimiter ?? '\n'}`
      },
      forStream: () => codec,
    }
    return codec
  },
})

function keyOf(field: string): string {
  return field.replace(/[^A-Za-z0-9]/g, '')
}

function escapeValue(text: string): string {
  return text.replace(/[\\=]/g, '\\$&').replace(/\r?\n/g, '\\n')
}

class CefDecoder extends LinesDecoder {
  readonly #rawField: string | undefined

  constructor(charset: Charset, delimiter: string, context: PluginContext, rawField: string | undefined) {
    super(charset, delimiter, context)
    this.#rawField = rawField
  }

  decodeLine(line: string, out: Event[]): void {
    // Seven headers with bars between them; a backslash protects a bar.
    const match = /^(.*?)CEF:((?:(?:[^|\\]|\\.)*\|){7})(.*)$/s.exec(line.replace(/\r$/, ''))
    if (match === null) {
      const event = this.maker.make(line)
      event.tag('_cefparsefailure')
      out.push(event)
      return
    }
    const fields = new Fields()
    const headers = match[2]!.match(/(?:[^|\\]|\\.)*\|/g)!
    headers.forEach((text, i) => {
      fields[HEADERS[i]!] = text.slice(0, -1).replace(/\\([|\\])/g, '$1')
    })
    const syslog = match[1]!.trim()
    if (syslog !== '') fields['syslog'] = syslog
    readExtension(match[3]!, fields)
    const event = Event.ofFields(fields, this.maker.now())
    if (this.#rawField !== undefined) event.set(this.#rawField, line)
    out.push(event)
  }
}

/** Values may hold blanks: one ends where the next `key=` begins. */
function readExtension(text: string, fields: Fields): void {
  const starts = [...text.matchAll(/(?:^|\s)([A-Za-z0-9_.[\]-]+)=/g)].filter(({ index }) => text[index - 1] !== '\\')
  starts.forEach((start, i) => {
    const from = start.index + start[0].length
    const value = text.slice(from, starts[i + 1]?.index).trim()
    fields[cefNameOf(start[1]!)] = value.replace(/\\([=\\nr])/g, (_pair, char: string) =>
      char === 'n' ? '\n' : char === 'r' ? '\r' : char,
    )
  })
}
