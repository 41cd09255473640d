/** `csv`: writes one line per event with the values of the configured fields. */
import type { Event } from '../event/event.ts'
import { type FieldValue, isFields } from '../event/fields.ts'
import { jsonText } from '../event/json-text.ts'
import { textForm } from '../event/text-form.ts'
import { type ConfigValue, option } from '../plugin/options.ts'
import { outputPlugin } from '../plugin/output-plugin.ts'
import { PluginOptionError } from '../plugin/plugin-context.ts'
import { EventFiles, FILE_OPTIONS } from './event-files.ts'

export const csv = outputPlugin({
  name: 'csv',
  touches: 'files',
  options: {
    ...FILE_OPTIONS,
    fields: option.strings({ required: true }),
    csv_options: option.hash(),
    spreadsheet_safe: option.boolean({ default: true }),
  },
  create(options, context) {
    const style = styleOf(options.csv_options ?? new Map(), options.spreadsheet_safe)
    const files = new EventFiles('csv', options, context)
    const lineOf = (event: Event) =>
      options.fields.map((name) => cell(event.get(name), style)).join(style.separator) + style.lineEnd
    return {
      write: (events) => files.write(events, lineOf),
      close: () => files.close(),
    }
  },
})

interface CsvStyle {
  readonly separator: string
  readonly lineEnd: string
  readonly quote: string
  readonly quotesAll: boolean
  readonly quotesEmpty: boolean
  /** Whether texts that look like formulas are made harmless. */
  readonly isSafe: boolean
}

/** Options of Ruby's CSV library that matter for writing. */
const STYLE_NAMES = ['col_sep', 'row_sep', 'quote_char', 'force_quotes', 'quote_empty']

function styleOf(given: ReadonlyMap<string, ConfigValue>, isSafe: boolean): CsvStyle {
  for (const name of given.keys()) {
    if (STYLE_NAMES.includes(name)) continue
    throw new PluginOptionError(`csv_options: "${name}" is not known; there are ${STYLE_NAMES.join(', ')}`)
  }
  return {
    separator: String(given.get('col_sep') ?? ','),
    lineEnd: String(given.get('row_sep') ?? '\n'),
    quote: String(given.get('quote_char') ?? '"'),
    quotesAll: String(given.get('force_quotes') ?? false) === 'true',
    quotesEmpty: String(given.get('quote_empty') ?? true) === 'true',
    isSafe,
  }
}

function cell(value: FieldValue | undefined, style: CsvStyle): string {
  const { separator, quote, quotesAll, quotesEmpty, isSafe } = style
  if (value === undefined || value === null) return quotesAll ? quote + quote : ''
  const text = isFields(value) || Array.isArray(value) ? jsonText(value) : textForm(value)
  // Spreadsheets execute text that looks like a formula. A leading quote prevents that.
  const harmless = isSafe && typeof value === 'string' && /^[=+\-@]/.test(text) ? `'${text}` : text
  // Ruby looks for the single characters of a separator.
  const hasMeaning = [...separator, quote, '\r', '\n'].some((character) => harmless.includes(character))
  if (!quotesAll && !hasMeaning && (harmless !== '' || !quotesEmpty)) return harmless
  return quote + harmless.replaceAll(quote, quote + quote) + quote
}
