/** csv: splits a line into columns and writes them to fields. */
import { illegalArgument } from '../../../base/api-error.ts'
import { javaOf } from '../pipeline/java-config.ts'
import type { ProcessorFactory } from '../pipeline/processor.ts'

interface Dialect {
  readonly quote: string
  readonly separator: string
  readonly trims: boolean
}

export const csv: ProcessorFactory = (reader) => {
  const field = reader.string('field')
  const quote = reader.optionalString('quote') ?? '"'
  if (quote.length !== 1) throw reader.error('quote', 'quote has to be single character like " or \'')
  const separator = reader.optionalString('separator') ?? ','
  if (separator.length !== 1) throw reader.error('separator', 'separator has to be single character like , or ;')
  const trims = reader.boolean('trim', false)
  const emptyValue = reader.take('empty_value')
  const ignoresMissing = reader.boolean('ignore_missing', false)
  const targets = reader.strings('target_fields')
  if (targets.length === 0) throw reader.error('target_fields', "target fields list can't be empty")
  const dialect = { quote, separator, trims }
  return (document) => {
    const line = document.text(field, ignoresMissing)
    if (line === undefined || (line === null && ignoresMissing)) return
    if (line === null) throw illegalArgument(`field [${field}] is null, cannot process it.`)
    document.budget.text(line.length)
    columns(line, dialect, targets.length, (column, value) => {
      if (value !== '') document.set(targets[column]!, value)
      else if (emptyValue !== undefined) document.set(targets[column]!, javaOf(emptyValue))
    })
  }
}

const BLANKS = /[ \t]/

/** Calls `found` for the first `count` columns of a line. Columns beyond the end of the line are skipped. */
function columns(line: string, dialect: Dialect, count: number, found: (column: number, value: string) => void): void {
  const { quote, separator, trims } = dialect
  let at = 0
  for (let column = 0; column < count && at < line.length; column++) {
    if (trims) while (at < line.length && BLANKS.test(line[at]!)) at++
    if (line[at] === quote) {
      const { value, end } = quotedColumn(line, at + 1, dialect)
      found(column, value)
      at = end + 1
      continue
    }
    let end = at
    while (end < line.length && line[end] !== separator) {
      if (line[end] === quote || line[end] === '\n' || line[end] === '\r') {
        throw illegalArgument(`Illegal character inside unquoted field at ${end}`)
      }
      end++
    }
    const value = line.slice(at, end)
    // Elasticsearch does not trim the end of the line.
    found(column, trims && end < line.length ? value.replace(/[ \t]+$/, '') : value)
    at = end + 1
  }
}

/**
 * Parses a quoted column, in which a doubled quote is a literal one. `end` is the offset of the separator or the end of
 * the line.
 */
function quotedColumn(
  line: string,
  start: number,
  { quote, separator, trims }: Dialect,
): { value: string; end: number } {
  let value = ''
  let at = start
  for (;;) {
    const close = line.indexOf(quote, at)
    if (close < 0) throw illegalArgument('Unmatched quote')
    value += line.slice(at, close)
    if (line[close + 1] === quote) {
      value += quote
      at = close + 2
      continue
    }
    let end = close + 1
    if (trims) while (end < line.length && BLANKS.test(line[end]!)) end++
    if (end < line.length && line[end] !== separator) {
      throw illegalArgument(`character '${line[end]}' after quoted field at ${end}`)
    }
    return { value, end }
  }
}
