/**
 * Highlighted matches: the server encloses them in marks that no document contains, and the page splits the text at the
 * marks.
 */

export const MARK_START = '\u{E000}'
export const MARK_END = '\u{E001}'

export interface MarkedPiece {
  readonly text: string
  readonly isMatch: boolean
}

export function splitMarks(text: string): MarkedPiece[] {
  const pieces: MarkedPiece[] = []
  for (const [i, part] of text.split(MARK_START).entries()) {
    if (i === 0) {
      if (part !== '') pieces.push({ text: part, isMatch: false })
      continue
    }
    const end = part.indexOf(MARK_END)
    pieces.push({ text: end < 0 ? part : part.slice(0, end), isMatch: true })
    const rest = end < 0 ? '' : part.slice(end + 1)
    if (rest !== '') pieces.push({ text: rest, isMatch: false })
  }
  return pieces
}

const BEFORE = 14

/** A one-line excerpt that starts a few words before the first match if the match would not be visible. */
export function aroundMatch(text: string): string {
  const at = text.indexOf(MARK_START)
  if (at <= BEFORE) return text
  const space = text.indexOf(' ', at - BEFORE)
  const from = space < 0 || space >= at ? at - BEFORE : space + 1
  return `…${text.slice(from)}`
}

export function withoutMarks(text: string): string {
  return text.replaceAll(MARK_START, '').replaceAll(MARK_END, '')
}

/** Control characters are invisible, so their picture symbols are shown. */
export function visible(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, (char) =>
    String.fromCharCode(0x2400 + char.charCodeAt(0)),
  )
}
