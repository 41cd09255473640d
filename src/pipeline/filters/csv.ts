/** `csv`: stores the columns of a line as fields. */
import { CsvColumns } from '../codecs/csv-columns.ts'
import { parseCsvLine } from '../codecs/csv-line.ts'
import { textForm } from '../event/text-form.ts'
import { filterPlugin } from '../plugin/filter-plugin.ts'
import { type ConfigValue, option } from '../plugin/options.ts'

export const csv = filterPlugin({
  name: 'csv',
  touches: 'nothing',
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
  create(options) {
    const columns = new CsvColumns(options)
    // The spelling of NUL in configurations without escapes, for data in which quotes have no meaning.
    const quote = options.quote_char === '\\x00' ? '\0' : options.quote_char
    return {
      remembers: options.autodetect_column_names,
      filter(event) {
        const source = event.get(options.source)
        if (source === undefined || source === null) return false
        const text = textForm(source)
        if (options.skip_empty_rows && text === '') {
          event.tag('_csvskippedemptyfield')
          return false
        }
        const values = parseCsvLine(text, options.separator, quote)
        if (values === undefined) throw new Error('the line is empty')
        if (options.autodetect_column_names && columns.names.length === 0) {
          columns.names = values.map((value) => value ?? '')
          event.cancel()
          return false
        }
        const { names } = columns
        const isHeader = names.length === values.length && names.every((name, i) => name === values[i])
        if (options.skip_header && isHeader) {
          event.cancel()
          return false
        }
        columns.store(event, values)
        return true
      },
      failed: (event) => event.tag('_csvparsefailure'),
    }
  },
})
