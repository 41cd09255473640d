/** CSV lines, and the methods of File that do not access the system. */
import { posix } from 'node:path'
import { errorClass } from '../core/exception.ts'
import { ANY, ArrayClass, define, defineStatic, makeClass, StringClass } from '../runtime/classes.ts'
import { optionsOf, toText } from '../runtime/convert.ts'
import { toS, truthy, yield1 } from '../runtime/dispatch.ts'
import { raise } from '../runtime/errors.ts'
import { hashOf, RHash } from '../runtime/hash.ts'
import { symbol, type Value } from '../runtime/model.ts'
import { RString, str } from '../runtime/string.ts'

const CSVClass = makeClass('CSV')
errorClass('MalformedCSVError', 'RuntimeError', CSVClass)

interface Style {
  readonly separator: string
  readonly quote: string
}

function styleOf(args: Value[]): Style {
  const options = optionsOf(args)
  const text = (name: string, fallback: string) => {
    const value = options?.get(symbol(name))
    return value instanceof RString ? value.text : fallback
  }
  return { separator: text('col_sep', ','), quote: text('quote_char', '"') }
}

/** Parses the rows of a text. An empty line is an empty row. */
function rowsOf(text: string, { separator, quote }: Style): Value[][] {
  const rows: Value[][] = []
  let row: Value[] = []
  let at = 0
  let isLineStart = true
  const malformed = (why: string) => raise('CSV::MalformedCSVError', `${why} in line ${rows.length + 1}.`)
  while (at < text.length || !isLineStart) {
    if (isLineStart && /^\r?\n/.test(text.slice(at, at + 2))) {
      rows.push([])
      at += text[at] === '\r' ? 2 : 1
      continue
    }
    isLineStart = false
    if (text.startsWith(quote, at)) {
      let value = ''
      at += quote.length
      for (;;) {
        const end = text.indexOf(quote, at)
        if (end < 0) throw malformed('Unclosed quoted field')
        value += text.slice(at, end)
        at = end + quote.length
        if (!text.startsWith(quote, at)) break
        value += quote
        at += quote.length
      }
      row.push(str(value))
      if (at < text.length && !text.startsWith(separator, at) && !/[\r\n]/.test(text[at]!))
        throw malformed("Any value after quoted field isn't allowed")
    } else {
      let end = at
      while (end < text.length && !text.startsWith(separator, end) && text[end] !== '\n' && text[end] !== '\r') end++
      const value = text.slice(at, end)
      if (value.includes(quote)) throw malformed('Illegal quoting')
      row.push(value === '' ? null : str(value))
      at = end
    }
    if (text.startsWith(separator, at)) {
      at += separator.length
      if (at >= text.length) {
        row.push(null)
        rows.push(row)
        return rows
      }
      continue
    }
    rows.push(row)
    row = []
    at += text.startsWith('\r\n', at) ? 2 : 1
    isLineStart = true
    if (at >= text.length) break
  }
  return rows
}

function lineOf(row: readonly Value[], { separator, quote }: Style): string {
  const fields = row.map((item) => {
    if (item === null) return ''
    const text = toS(item)
    const needsQuotes =
      text === '' || text.includes(separator) || text.includes(quote) || /[\r\n]/.test(text) || /^\s|\s$/.test(text)
    return needsQuotes ? quote + text.replaceAll(quote, quote + quote) + quote : text
  })
  return `${fields.join(separator)}\n`
}

defineStatic(CSVClass, 'parse_line', [1, 2], (_self, args) => rowsOf(toText(args[0]!), styleOf(args))[0] ?? null)
defineStatic(CSVClass, 'parse', [1, 2], (_self, args, block) => {
  const options = optionsOf(args)
  const rows = rowsOf(toText(args[0]!), styleOf(args))
  const headers = options?.get(symbol('headers'))
  let result: Value[] = rows
  if (headers !== undefined && truthy(headers)) {
    const names = Array.isArray(headers) ? headers : (rows.shift() ?? [])
    result = rows.map((row) => hashOf(names.map((name, i) => [name, row[i] ?? null] as const)))
  }
  if (block === null) return result
  for (const row of result) yield1(block, row)
  return null
})
defineStatic(CSVClass, 'generate_line', [1, 2], (_self, args) => str(lineOf(args[0] as Value[], styleOf(args))))
define<RString>(StringClass, 'parse_csv', ANY, (self, args) => rowsOf(self.text, styleOf(args))[0] ?? null)
define<Value[]>(ArrayClass, 'to_csv', ANY, (self, args) => str(lineOf(self, styleOf(args))))

const FileClass = makeClass('File')
FileClass.allocate = null
FileClass.constants.set('SEPARATOR', str('/'))
defineStatic(FileClass, 'basename', [1, 2], (_self, [path, suffix]) => {
  const name = posix.basename(toText(path!)) || (toText(path!).startsWith('/') ? '/' : '')
  if (suffix === undefined) return str(name)
  const end = toText(suffix)
  if (end === '.*') return str(name.replace(/(?<=.)\.[^.]*$/, ''))
  return str(name !== end && name.endsWith(end) ? name.slice(0, -end.length) : name)
})
defineStatic(FileClass, 'dirname', [1, 2], (_self, [path]) => str(posix.dirname(toText(path!))))
defineStatic(FileClass, 'extname', 1, (_self, [path]) => str(posix.extname(toText(path!)).replace(/^\.$/, '')))
defineStatic(FileClass, 'split', 1, (_self, [path]) => [
  str(posix.dirname(toText(path!))),
  str(posix.basename(toText(path!))),
])
defineStatic(FileClass, 'join', ANY, (_self, parts) => {
  const texts = parts.flat(Number.POSITIVE_INFINITY as 1).map((part) => toText(part as Value))
  return str(
    texts.reduce((path, part, i) => (i === 0 ? part : `${path.replace(/\/+$/, '')}/${part.replace(/^\/+/, '')}`), ''),
  )
})

export { RHash }
