/** `csv`: the columns of a line become fields. */

import { parseCsvLine } from '../codecs/csv-line.ts'
import { type Event, FieldWriteError } from '../event/event.ts'
import { referenceWithin } from '../event/field-reference.ts'
import type { FieldValue } from '../event/fields.ts'
import { textForm } from '../event/text-form.ts'
import { parseIsoTimestamp } from '../event/timestamp.ts'
import { filterPlugin } from '../plugin/filter-plugin.ts'
import { type ConfigValue, option } from '../plugin/options.ts'
import { PluginOptionError } from '../plugin/plugin-context.ts'
import { floatOf } from './convert.ts'

const CONVERSIONS: Readonly<Record<string, (text: string) => FieldValue | undefined>> = {
  integer: (text) => (/^\s*[+-]?\d+\s*$/.test(text) ? Number(text) : undefined),
  float: (text) => (text.trim() === '' || Number.isNaN(Number(text)) ? undefined : floatOf(Number(text))),
  date: (text) => parseIsoTimestamp(text),
  date_time: (text) => parseIsoTimestamp(text),
  boolean: (text) => (/^true$/i.test(text) ? true : /^false$/i.test(text) ? false : undefined),
}

export const csv = filterPlugin({
  name: 'csv',
  options: {
    source: option.field({ default: 'message' } as { default: string }),
    columns: option.strings({ default: [] }),
    separator: option.string({ default: ',' }),
    quote_char: option.string({ default: '"' }),
    target: option.field(),
    autogenerate_column_names: option.boolean({ default: true }),
    autodetect_column_names: option.boolean({ default: false }),
    skip_header: option.boolean({ default: false }),
    skip_empty_columns: option.boolean({ default: false }),
    skip_empty_rows: option.boolean({ default: false }),
    convert: option.hash({ default: new Map<string, ConfigValue>() }),
  },
  create(options, { log }) {
    const wrong = [...options.convert.values()].filter((type) => !Object.hasOwn(CONVERSIONS, String(type)))
    if (wrong.length > 0) throw new PluginOptionError(`Invalid conversion types: ${wrong.join(', ')}`)
    let columns = options.columns
    const nameOf = (i: number): string | undefined =>
      columns[i] ?? (options.autogenerate_column_names ? `column${i + 1}` : undefined)

    const store = (event: Event, values: readonly (string | null)[]): void => {
      values.forEach((value, i) => {
        const name = nameOf(i)
        if (name === undefined || (options.skip_empty_columns && (value === null || value === ''))) return
        const type = options.convert.get(name)
        const converted = type === undefined || value === null ? value : (CONVERSIONS[String(type)]!(value) ?? value)
        event.set(referenceWithin(options.target, name), converted)
      })
    }

    return {
      remembers: options.autodetect_column_names,
      filter(event) {
        const source = event.get(options.source)
        if (source === undefined || source === null) return false
        try {
          const text = textForm(source)
          if (options.skip_empty_rows && text === '') {
            event.tag('_csvskippedemptyfield')
            return false
          }
          const values = parseCsvLine(text, options.separator, options.quote_char)
          if (values === undefined) throw new Error('the line is empty')
          if (options.autodetect_column_names && columns.length === 0) {
            columns = values.map((value) => value ?? '')
            event.cancel()
            return false
          }
          if (options.skip_header && columns.length > 0 && columns.every((name, i) => name === values[i])) {
            event.cancel()
            return false
          }
          store(event, values)
          return true
        } catch (error) {
          event.tag('_csvparsefailure')
          log.warn('Error parsing csv', { field: options.source, exception: (error as Error).message })
          if (error instanceof FieldWriteError || error instanceof Error) return false
          throw error
        }
      },
    }
  },
})
