/**
 * Date math in names: `<logs-{now/d}>`, `<logs-{now/M{yyyy.MM|+02:00}}>`.
 *
 * Braces contain date math; an inner pair contains the format and optionally a time zone. A backslash escapes a brace.
 */
import { parseFailure } from '../../base/api-error.ts'
import { parseDateMath } from '../../engine/time/date-math.ts'
import { compileDateFormat } from '../../engine/time/format/date-format.ts'
import { timeZone } from '../../engine/time/zone/time-zone.ts'

const DEFAULT_FORMAT = 'yyyy.MM.dd'

/** The name that the expression denotes now; other names are returned unchanged. */
export function resolveDateMath(expression: string, nowMs: number): string {
  if (expression.length < 2 || !expression.startsWith('<') || !expression.endsWith('>')) return expression
  const text = expression.slice(1, -1)
  const invalid = (problem: string) => parseFailure(`invalid dynamic name expression [${text}>]. ${problem}`)

  let name = ''
  let placeholder = ''
  let inPlaceholder = false
  let inFormat = false
  for (let i = 0; i < text.length; i++) {
    const character = text[i]!
    const escaped = character === '\\' && i + 1 < text.length
    if (inPlaceholder) {
      if (character === '{' && inFormat) throw invalid('date math placeholder is open ended')
      if (character === '{') inFormat = true
      if (character === '}' && !inFormat) {
        inPlaceholder = false
        name += datePart(placeholder, nowMs)
        placeholder = ''
        continue
      }
      if (character === '}') inFormat = false
      placeholder += escaped ? text[++i]! : character
    } else if (escaped) {
      name += text[++i]!
    } else if (character === '{') {
      inPlaceholder = true
    } else if (character === '}') {
      throw invalid(
        `invalid character at position [${i + 1}]. \`{\` and \`}\` are reserved characters and should be escaped when used ` +
          'as part of the index name using `\\` (e.g. `\\{text\\}`)',
      )
    } else {
      name += character
    }
  }
  if (inPlaceholder) throw invalid('date math placeholder is open ended')
  if (name === '') throw parseFailure('nothing captured')
  return name
}

function datePart(placeholder: string, nowMs: number): string {
  const open = placeholder.indexOf('{')
  let math = placeholder
  let format = DEFAULT_FORMAT
  let zone = 'UTC'
  if (open !== -1) {
    if (!placeholder.endsWith('}')) {
      throw parseFailure(`invalid dynamic name expression [${placeholder}]. missing closing \`}\` for date math format`)
    }
    math = placeholder.slice(0, open)
    const inner = placeholder.slice(open + 1, -1)
    const bar = inner.indexOf('|')
    format = bar === -1 ? inner : inner.slice(0, bar)
    if (format === '') throw parseFailure('missing date format')
    if (bar !== -1) zone = inner.slice(bar + 1)
  }
  if (math === '') throw parseFailure('cannot parse empty datetime')
  const dateFormat = compileDateFormat(format)
  const zoneRules = timeZone(zone)
  const { ms, nanosOfMs } = parseDateMath(math, { format: dateFormat, nowMs, zone: zoneRules })
  return dateFormat.format(ms, nanosOfMs, zoneRules)
}
