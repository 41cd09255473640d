/** `csv`: writes one line per event with the values of the configured fields. */
import type { Event } from '../event/event.ts'
import { type FieldValue, isFields } from '../event/fields.ts'
import { jsonText } from '../event/json-text.ts'
import { textForm } from '../event/text-form.ts'
import { option } from '../plugin/options.ts'
import { outputPlugin } from '../plugin/output-plugin.ts'
import { EventFiles, FILE_OPTIONS } from './event-files.ts'

export const csv = outputPlugin({
  name: 'csv',
  options: {
    ...FILE_OPTIONS,
    fields: option.strings({ required: true }),
    csv_options: option.hash(),
    spreadsheet_safe: option.boolean({ default: true }),
  },
  create(options, context) {
    const separator = String(options.csv_options?.get('col_sep') ?? ',')
    const lineEnd = String(options.csv_options?.get('row_sep') ?? '\n')
    const files = new EventFiles('csv', options, context)
    const lineOf = (event: Event) =>
      options.fields.map((name) => cell(event.get(name), separator, options.spreadsheet_safe)).join(separator) + lineEnd
    return {
      write: (events) => files.write(events, lineOf),
      close: () => files.close(),
    }
  },
})

function cell(value: FieldValue | undefined, separator: string, isSafe: boolean): string {
  if (value === undefined || value === null) return ''
  const text = isFields(value) || Array.isArray(value) ? jsonText(value) : textForm(value)
  // Spreadsheets execute text that looks like a formula. A leading quote prevents that.
  const harmless = isSafe && typeof value === 'string' && /^[=+\-@]/.test(text) ? `'${text}` : text
  const needsQuotes = harmless === '' || harmless.includes(separator) || /["\r\n]/.test(harmless)
  return needsQuotes ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
