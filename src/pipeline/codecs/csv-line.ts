/**
 * Parses one line of separated values with the strict rules of Ruby's CSV: quotes enclose a whole value or do not
 * occur.
 */

/** Undefined for an empty line. An unquoted empty value is null; a quoted one is an empty string. */
export function parseCsvLine(line: string, separator: string, quote: string): (string | null)[] | undefined {
  const text = line.replace(/\r?\n$|\r$/, '')
  if (text === '') return undefined
  const values: (string | null)[] = []
  let at = 0
  for (;;) {
    if (quote !== '' && text.startsWith(quote, at)) {
      const [value, end] = quotedValue(text, at + quote.length, quote)
      values.push(value)
      at = end
    } else {
      const next = text.indexOf(separator, at)
      const value = text.slice(at, next < 0 ? undefined : next)
      if (quote !== '' && value.includes(quote)) throw new CsvSyntaxError('Illegal quoting')
      values.push(value === '' ? null : value)
      at += value.length
    }
    if (at === text.length) return values
    if (!text.startsWith(separator, at)) throw new CsvSyntaxError('Any value after quoted field is not allowed')
    at += separator.length
  }
}

class CsvSyntaxError extends Error {}

/** A doubled quote inside a quoted value is one quote. */
function quotedValue(text: string, start: number, quote: string): [string, number] {
  let value = ''
  let at = start
  for (;;) {
    const end = text.indexOf(quote, at)
    if (end < 0) throw new CsvSyntaxError('Unclosed quoted field')
    value += text.slice(at, end)
    at = end + quote.length
    if (!text.startsWith(quote, at)) return [value, at]
    value += quote
    at += quote.length
  }
}

/** Writes a value, quoted where necessary. */
export function csvValue(text: string, separator: string, quote: string): string {
  if (text !== '' && !text.includes(separator) && !text.includes(quote) && !/[\r\n]/.test(text)) return text
  return quote + text.replaceAll(quote, quote + quote) + quote
}
