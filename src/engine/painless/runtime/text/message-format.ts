/** `MessageFormat.format`: texts with `{0}` and `{0,number,#.##}`; quotes keep braces. */
import { illegalArgument } from '../../errors/java-throwable.ts'
import { Boxed, JChar } from '../boxed.ts'
import { toDef } from '../boxing.ts'
import type { JArray } from '../java-object.ts'
import { textOf } from '../java-text.ts'
import { checkString } from '../limits.ts'
import { constructorOf, registerStatics } from '../registry.ts'

interface Formatting {
  format_1(value: unknown): string
}

function messageOf(pattern: string, array: JArray | null): string {
  const args = array === null ? [] : array.items.map((item) => toDef(item, array.element))
  let out = ''
  let quoted = false
  for (let i = 0; i < pattern.length; i++) {
    const c = pattern[i]!
    if (c === "'") {
      if (pattern[i + 1] === "'") {
        out += "'"
        i++
      } else quoted = !quoted
    } else if (c === '{' && !quoted) {
      const end = closing(pattern, i)
      out += argument(pattern.slice(i + 1, end), args)
      i = end
    } else out += c
    checkString(1)
  }
  return out
}

function closing(pattern: string, from: number): number {
  let depth = 0
  for (let i = from; i < pattern.length; i++) {
    if (pattern[i] === '{') depth++
    else if (pattern[i] === '}' && --depth === 0) return i
  }
  throw illegalArgument('Unmatched braces in the pattern.')
}

function argument(element: string, args: readonly unknown[]): string {
  const [name, type, style] = element.split(/,(.*?)(?:,(.*))?$/s).map((part) => part?.trim())
  if (!/^\d+$/.test(name!)) throw illegalArgument(`can't parse argument number: ${name}`)
  const index = Number(name)
  if (index >= args.length) return `{${index}}`
  const value = args[index]
  if (value === null) return 'null'
  const isNumber =
    typeof value === 'number' || typeof value === 'bigint' || (value instanceof Boxed && !(value instanceof JChar))
  if (type === undefined || type === '') return isNumber ? numberText(value, '#,##0.###') : textOf(value)
  if (type !== 'number') throw illegalArgument(`[MessageFormat] of [${type}] is not supported`)
  if (!isNumber) throw illegalArgument('Cannot format given Object as a Number')
  const patterns: Record<string, string> = { '': '#,##0.###', integer: '#,##0', percent: '#,##0%' }
  return numberText(value, patterns[style ?? ''] ?? style!)
}

function numberText(value: unknown, pattern: string): string {
  const format = constructorOf('java.text.DecimalFormat', 1)!(pattern) as Formatting
  return format.format_1(value)
}

registerStatics('java.text.MessageFormat', { format_2: messageOf })
