/** `csv`: the columns of a line become fields. */
import { CsvColumns } from '../codecs/csv-columns.ts'
import { parseCsvLine } from '../codecs/csv-line.ts'
import { FieldWriteError } from '../event/event.ts'
import { textForm } from '../event/text-form.ts'
import { filterPlugin } from '../plugin/filter-plugin.ts'
import { type ConfigValue, option } from '../plugin/options.ts'

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
    const columns = new CsvColumns(options)
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
          if (options.autodetect_column_names && columns.names.length === 0) {
            columns.names = values.map((value) => value ?? '')
            event.cancel()
            return false
          }
          const { names } = columns
          if (options.skip_header && names.length > 0 && names.every((name, i) => name === values[i])) {
            event.cancel()
            return false
          }
          columns.store(event, values)
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
