/**
 * Values as Ruby prints them. Logstash filters written in Ruby convert values to text this way, while templates
 * (`text-form.ts`) print as Java does. The two differ in floats and nested values.
 */
import { Double } from '../../base/json/json-writer.ts'
import { type FieldValue, isFields, namesOf } from './fields.ts'
import { textForm } from './text-form.ts'

/** Ruby's `to_s`: null is empty, and nested values print as Ruby literals. */
export function rubyText(value: FieldValue): string {
  if (typeof value === 'string') return value
  return value === null ? '' : rubyLiteral(value)
}

/** Ruby's `inspect`. */
function rubyLiteral(value: FieldValue): string {
  if (value === null) return 'nil'
  if (typeof value === 'string') return quoteRuby(value)
  if (typeof value === 'number' && !Number.isInteger(value)) return rubyFloat(value)
  if (value instanceof Double) return rubyFloat(value.value)
  if (Array.isArray(value)) return `[${value.map(rubyLiteral).join(', ')}]`
  if (!isFields(value)) return textForm(value)
  const members = namesOf(value).map((name) => `${quoteRuby(name)}=>${rubyLiteral(value[name]!)}`)
  return `{${members.join(', ')}}`
}

/** Ruby's Float#to_s: plain between 1e-4 and 1e16, with two digits of exponent outside. */
export function rubyFloat(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : '-Infinity'
  const magnitude = Math.abs(value)
  if (magnitude !== 0 && (magnitude < 1e-4 || magnitude >= 1e16)) {
    const [mantissa, exponent] = value.toExponential().split('e') as [string, string]
    const digits = mantissa.includes('.') ? mantissa : `${mantissa}.0`
    return `${digits}e${exponent[0]}${exponent.slice(1).padStart(2, '0')}`
  }
  const plain = Object.is(value, -0) ? '-0' : String(value)
  return plain.includes('.') || plain.includes('e') ? plain : `${plain}.0`
}

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\t': '\\t',
  '\r': '\\r',
  '\x1b': '\\e',
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\v': '\\v',
}

/** Text in double quotes, with Ruby's escapes. */
export function quoteRuby(text: string): string {
  const escaped = text.replace(/["\\\0-\x1f\x7f]|#(?=[{$@])/g, (char) => {
    if (char === '#') return '\\#'
    return (
      ESCAPES[char] ??
      (char === '\x7f' ? '\\x7F' : `\\u${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`)
    )
  })
  return `"${escaped}"`
}

/** Ruby's `strip`: removes ASCII white space and NUL from both ends, but no other Unicode spaces. */
export function rubyStrip(text: string): string {
  return text.replace(/^[\0\t-\r ]+|[\0\t-\r ]+$/g, '')
}

/** Ruby's `capitalize`: the first letter in upper case, all others in lower case. */
export function capitalized(text: string): string {
  const first = String.fromCodePoint(text.codePointAt(0) ?? 0)
  return text === '' ? text : first.toUpperCase() + text.slice(first.length).toLowerCase()
}
