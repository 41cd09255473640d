/** Parses one escaped character of a Ruby expression. */

const SIMPLE_ESCAPES: Readonly<Record<string, number>> = { n: 10, t: 9, r: 13, f: 12, v: 11, a: 7, e: 27 }

/** The character of an escape. `at` is after the backslash. */
export function readEscape(source: string, at: number): { code: number; end: number } {
  const numbered = /x\{([0-9A-Fa-f]+)\}|x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{4})|([0-7]{1,3})/y
  numbered.lastIndex = at
  const match = numbered.exec(source)
  if (match !== null) {
    const [whole, braced, hex, unicode, octal] = match
    const code = octal === undefined ? Number.parseInt((braced ?? hex ?? unicode)!, 16) : Number.parseInt(octal, 8)
    return { code, end: at + whole.length }
  }
  const control = /c(\\?.)|C-(\\?.)/sy
  control.lastIndex = at
  const controlled = control.exec(source)
  if (controlled !== null) {
    const char = (controlled[1] ?? controlled[2])!
    return { code: char === '?' ? 127 : char.charCodeAt(char.length - 1) & 0x1f, end: at + controlled[0].length }
  }
  const simple = SIMPLE_ESCAPES[source[at]!]
  if (simple !== undefined) return { code: simple, end: at + 1 }
  const code = source.codePointAt(at) ?? 92
  return { code, end: at + (code > 0xffff ? 2 : 1) }
}
