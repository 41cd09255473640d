/** What the filter and the codec `csv` do with the values of a line: named, converted, and put into an event. */
import type { Event } from '../event/event.ts'
import { referenceWithin } from '../event/field-reference.ts'
import type { FieldValue } from '../event/fields.ts'
import { parseIsoTimestamp } from '../event/timestamp.ts'
import { floatOf } from '../filters/convert.ts'
import type { ConfigValue } from '../plugin/options.ts'
import { PluginOptionError } from '../plugin/plugin-context.ts'

const CONVERSIONS: Readonly<Record<string, (text: string) => FieldValue | undefined>> = {
  integer: (text) => (/^\s*[+-]?\d+\s*$/.test(text) ? Number(text) : undefined),
  float: (text) => (text.trim() === '' || Number.isNaN(Number(text)) ? undefined : floatOf(Number(text))),
  date: (text) => parseIsoTimestamp(text),
  date_time: (text) => parseIsoTimestamp(text),
  boolean: (text) => (/^true$/i.test(text) ? true : /^false$/i.test(text) ? false : undefined),
}

export interface CsvColumnOptions {
  readonly columns: readonly string[]
  readonly target: string | undefined
  readonly autogenerate_column_names: boolean
  readonly skip_empty_columns: boolean
  readonly convert: ReadonlyMap<string, ConfigValue>
}

export class CsvColumns {
  /** Empty until they are known, when a first line names them. */
  names: readonly string[]
  readonly #options: CsvColumnOptions

  /** Throws `PluginOptionError` for conversions there are none of. */
  constructor(options: CsvColumnOptions) {
    const wrong = [...options.convert.values()].filter((type) => !Object.hasOwn(CONVERSIONS, String(type)))
    if (wrong.length > 0) throw new PluginOptionError(`Invalid conversion types: ${wrong.join(', ')}`)
    this.#options = options
    this.names = options.columns
  }

  store(event: Event, values: readonly (string | null)[]): void {
    const { target, autogenerate_column_names: numbers, skip_empty_columns: skipsEmpty } = this.#options
    values.forEach((value, i) => {
      const name = this.names[i] ?? (numbers ? `column${i + 1}` : undefined)
      if (name === undefined || (skipsEmpty && (value === null || value === ''))) return
      event.set(referenceWithin(target, name), this.#convert(name, value))
    })
  }

  /** What cannot be converted stays as it is. */
  #convert(name: string, value: string | null): FieldValue {
    const type = this.#options.convert.get(name)
    return type === undefined || value === null ? value : (CONVERSIONS[String(type)]!(value) ?? value)
  }
}
