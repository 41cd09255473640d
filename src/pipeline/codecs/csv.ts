/** `csv`: decodes a line of separated values to an event, and encodes events as such lines. */
import { Event } from '../event/event.ts'
import { Fields, namesOf, toFieldValue } from '../event/fields.ts'
import { textForm } from '../event/text-form.ts'
import { type Charset, charsetOf } from '../plugin/charset.ts'
import { type Codec, codecPlugin } from '../plugin/codec-plugin.ts'
import { type ConfigValue, type OptionValues, option } from '../plugin/options.ts'
import type { PluginContext } from '../plugin/plugin-context.ts'
import { CsvColumns } from './csv-columns.ts'
import { csvValue, parseCsvLine } from './csv-line.ts'
import { LinesDecoder } from './lines-decoder.ts'

const OPTIONS = {
  columns: option.strings({ default: [] }),
  separator: option.string({ default: ',' }),
  quote_char: option.string({ default: '"' }),
  include_headers: option.boolean({ default: false }),
  autogenerate_column_names: option.boolean({ default: true }),
  autodetect_column_names: option.boolean({ default: false }),
  skip_empty_columns: option.boolean({ default: false }),
  convert: option.hash({ default: new Map<string, ConfigValue>() }),
  charset: option.string({ default: 'UTF-8' }),
  target: option.field(),
  ecs_compatibility: option.words(['disabled', 'v1', 'v8']),
} as const

export const csv = codecPlugin({
  name: 'csv',
  touches: 'nothing',
  options: OPTIONS,
  create(options, context) {
    const charset = charsetOf(options.charset)
    const { separator, quote_char: quote } = options
    const lineOf = (values: readonly string[]) =>
      `${values.map((text) => csvValue(text, separator, quote)).join(separator)}\n`
    // Reports invalid conversions at startup and not at the first line.
    new CsvColumns(options)
    let headersWritten = !options.include_headers
    const codec: Codec = {
      name: 'csv',
      keepsOriginal: context.ecs !== 'disabled',
      createDecoder: () => new CsvDecoder(options, charset, context),
      encode(event) {
        const columns = options.columns.length > 0 ? options.columns : namesOf(event.fields)
        const headers = headersWritten ? '' : lineOf(columns)
        headersWritten = true
        return headers + lineOf(columns.map((name) => textForm(event.get(name) ?? '')))
      },
      forStream: () => codec,
    }
    return codec
  },
})

class CsvDecoder extends LinesDecoder {
  readonly #options: OptionValues<typeof OPTIONS>
  readonly #columns: CsvColumns

  constructor(options: OptionValues<typeof OPTIONS>, charset: Charset, context: PluginContext) {
    super(charset, '\n', context)
    this.#options = options
    this.#columns = new CsvColumns(options)
  }

  decodeLine(line: string, out: Event[]): void {
    const { separator, quote_char: quote, autodetect_column_names: detects } = this.#options
    try {
      const values = parseCsvLine(line, separator, quote)
      if (values === undefined) return
      if (detects && this.#columns.names.length === 0) this.#columns.names = values.map((value) => value ?? '')
      else out.push(this.#eventOf(values, line))
    } catch {
      const event = this.maker.make(line)
      event.tag('_csvparsefailure')
      out.push(event)
    }
  }

  #eventOf(values: readonly (string | null)[], line: string): Event {
    const now = this.maker.now()
    const event = Event.ofFields(new Fields(), now)
    // A column may have a reserved name such as @timestamp.
    if (this.#options.target !== undefined) this.#columns.store(event, values)
    else event.merge(toFieldValue(new Map(this.#columns.named(values))) as Fields, now)
    this.maker.keepOriginal(event, line)
    return event
  }
}
