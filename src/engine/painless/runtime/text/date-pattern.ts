/** The patterns of SimpleDateFormat. */
import { illegalArgument, nullPointer } from '../../errors/java-throwable.ts'
import type { FieldName } from '../util/calendar-fields.ts'

/** A field with its number of letters, or a text. */
export type PatternPart = { text: string } | { letter: string; count: number }

/** The calendar field of each pattern letter. */
export const LETTERS: Readonly<Record<string, FieldName>> = {
  G: 'ERA', y: 'YEAR', M: 'MONTH', d: 'DAY_OF_MONTH', k: 'HOUR_OF_DAY', H: 'HOUR_OF_DAY', m: 'MINUTE', s: 'SECOND', S: 'MILLISECOND',
  E: 'DAY_OF_WEEK', D: 'DAY_OF_YEAR', F: 'DAY_OF_WEEK_IN_MONTH', w: 'WEEK_OF_YEAR', W: 'WEEK_OF_MONTH', a: 'AM_PM', h: 'HOUR', K: 'HOUR',
  z: 'ZONE_OFFSET', Z: 'ZONE_OFFSET', Y: 'YEAR', u: 'DAY_OF_WEEK', X: 'ZONE_OFFSET', L: 'MONTH',
} // biome-ignore format: a list

export function parseDatePattern(pattern: string | null): PatternPart[] {
  if (pattern === null) throw nullPointer()
  const parts: PatternPart[] = []
  let isQuoted = false
  const addText = (text: string) => {
    const last = parts.at(-1)
    if (last !== undefined && 'text' in last) last.text += text
    else parts.push({ text })
  }
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at]!
    if (char === "'") {
      if (pattern[at + 1] === "'") addText(pattern[at++]!)
      else isQuoted = !isQuoted
    } else if (isQuoted || !/[A-Za-z]/.test(char)) addText(char)
    else {
      let end = at + 1
      while (pattern[end] === char) end++
      const count = end - at
      if (!(char in LETTERS)) throw illegalArgument(`Illegal pattern character '${char}'`)
      if (char === 'X' && count > 3) throw illegalArgument(`invalid ISO 8601 format: length=${count}`)
      parts.push({ letter: char, count })
      at = end - 1
    }
  }
  if (isQuoted) throw illegalArgument('Unterminated quote')
  return parts
}
