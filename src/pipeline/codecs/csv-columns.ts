/** Column handling shared by the csv filter and the csv codec: names, conversions, and storing values in an event. */

import { floatOf } from '../event/convert.ts'
import type { Event } from '../event/event.ts'
import { referenceWithin } from '../event/field-reference.ts'
import type { FieldValue } from '../event/fields.ts'
import { rubyStrip } from '../event/ruby-text.ts'
import { parseIsoTimestamp } from '../event/timestamp.ts'
import type { ConfigValue } from '../plugin/options.ts'
import { PluginOptionError } from '../plugin/plugin-context.ts'

/** Conversions with Ruby's rules: integers may be hexadecimal, binary or, with a leading zero, octal. */
const CONVERSIONS: Readonly<Record<string, (text: string) => FieldValue | undefined>> = {
  integer: integerOf,
  float: (text) => (FLOAT.test(text) ? floatOf(Number(text.replaceAll('_', ''))) : undefined),
  date: (text) => (/^\d{4}-\d{2}-\d{2}$/.test(text) ? parseIsoTimestamp(text) : undefined),
  // A time without an offset is UTC; a day without one is in the machine's zone.
  date_time: (text) => parseIsoTimestamp(/(?:Z|[+-]\d{2}:?\d{2})$/.test(text) ? text : `${text}Z`),
  boolean: (text) => {
    const word = rubyStrip(text).toLowerCase()
    return word === 'true' ? true : word === 'false' ? false : word
  },
}

const FLOAT = /^\s*[+-]?\d+(?:_\d+)*(?:\.\d+)?(?:[eE][+-]?\d+)?\s*$/
const INTEGER = /^\s*([+-]?)(?:(0[xX][\da-fA-F]+|0[bB][01]+)|0[oO]?([0-7]+)|((?:0|[1-9]\d*)(?:_\d+)*))\s*$/

function integerOf(text: string): FieldValue | undefined {
  const match = INTEGER.exec(text)
  if (match === null) return undefined
  const [, sign, prefixed, octal, decimal] = match
  const digits = prefixed ?? (octal === undefined ? decimal!.replaceAll('_', '') : `0o${octal}`)
  const value = sign === '-' ? -BigInt(digits) : BigInt(digits)
  return Number.isSafeInteger(Number(value)) ? Number(value) : value
}

export interface CsvColumnOptions {
  readonly columns: readonly string[]
  readonly target: string | undefined
  readonly autogenerate_column_names: boolean
  readonly skip_empty_columns: boolean
  readonly convert: ReadonlyMap<string, ConfigValue>
}

export class CsvColumns {
  /** Empty until known, if the first line names the columns. */
  names: readonly string[]
  readonly #options: CsvColumnOptions

  /** Throws `PluginOptionError` for an unknown conversion. */
  constructor(options: CsvColumnOptions) {
    const wrong = [...options.convert.values()].filter((type) => !Object.hasOwn(CONVERSIONS, String(type)))
    if (wrong.length > 0) throw new PluginOptionError(`Invalid conversion types: ${wrong.join(', ')}`)
    this.#options = options
    this.names = options.columns
  }

  store(event: Event, values: readonly (string | null)[]): void {
    const { target } = this.#options
    for (const [name, value] of this.named(values)) event.set(referenceWithin(target, name), value)
  }

  /** The values with their column names, converted. */
  named(values: readonly (string | null)[]): [string, FieldValue][] {
    const { autogenerate_column_names: numbers, skip_empty_columns: skipsEmpty } = this.#options
    return values.flatMap((value, i): [string, FieldValue][] => {
      const name = this.names[i] ?? (numbers ? `column${i + 1}` : undefined)
      if (name === undefined || (skipsEmpty && (value === null || value === ''))) return []
      return [[name, this.#convert(name, value)]]
    })
  }

  /** A value that cannot be converted stays unchanged. */
  #convert(name: string, value: string | null): FieldValue {
    const type = this.#options.convert.get(name)
    return type === undefined || value === null ? value : (CONVERSIONS[String(type)]!(value) ?? value)
  }
}
