/** Heredocs: strings that begin on the line after their opening tag. */
import type { Node } from './ast.ts'
import { readAll } from './lex-string.ts'
import type { Lexer } from './lexer.ts'

export interface HeredocHead {
  /** `<<~`: the common indentation of all lines is removed. */
  readonly squiggly: boolean
  /** `<<-` and `<<~`: the end may be indented. */
  readonly indented: boolean
  readonly id: string
  readonly isRaw: boolean
}

/** Reads the body. The lexer stays on the line of the tag and skips the body at the end of that line. */
export function readHeredoc(lexer: Lexer, { squiggly, indented, id, isRaw }: HeredocHead): Node[] {
  const { source } = lexer
  const lineEnd = source.indexOf('\n', lexer.at)
  const start = lexer.heredocEnd ?? (lineEnd < 0 ? source.length : lineEnd + 1)
  let at = start
  for (;;) {
    if (at >= source.length) throw lexer.fail(`can't find string "${id}" anywhere before EOF`)
    const end = source.indexOf('\n', at)
    const line = source.slice(at, end < 0 ? source.length : end).replace(/\r$/, '')
    const next = end < 0 ? source.length : end + 1
    if ((indented ? line.trimStart() : line) === id && (end >= 0 || line.length > 0)) {
      lexer.heredocEnd = next
      const body = source.slice(start, at)
      const shift = squiggly ? sharedIndentation(body) : 0
      const inner = lexer.inner(shift > 0 ? dedent(body, shift) : body, lexer.line + 1)
      return readBody(inner, lexer, isRaw)
    }
    at = next
  }
}

function readBody(inner: Lexer, outer: Lexer, isRaw: boolean): Node[] {
  if (isRaw) return inner.source === '' ? [] : [{ type: 'str', value: inner.source, line: outer.line }]
  return (outer.owner as unknown as { within(lexer: Lexer, read: () => Node[]): Node[] }).within(inner, () =>
    readAll(inner, 'double'),
  )
}

/** Ignores blank lines. A tab extends to the next multiple of eight. */
function sharedIndentation(body: string): number {
  let least = Number.POSITIVE_INFINITY
  for (const line of body.split('\n')) {
    if (line.trim() === '') continue
    let width = 0
    for (const char of line) {
      if (char === ' ') width++
      else if (char === '\t') width = (Math.floor(width / 8) + 1) * 8
      else break
    }
    least = Math.min(least, width)
  }
  return Number.isFinite(least) ? least : 0
}

function dedent(body: string, shift: number): string {
  return body
    .split('\n')
    .map((line) => {
      let width = 0
      let at = 0
      while (at < line.length && width < shift) {
        if (line[at] === ' ') width++
        else if (line[at] === '\t') {
          const wider = (Math.floor(width / 8) + 1) * 8
          if (wider > shift) break
          width = wider
        } else break
        at++
      }
      return line.slice(at)
    })
    .join('\n')
}
