/** The two smallest steps of parsing a date text. */

export const ZERO = 0x30

/** The digit at a position; -1 if there is none. */
export function digitAt(text: string, at: number): number {
  const digit = text.charCodeAt(at) - ZERO
  return digit >= 0 && digit <= 9 ? digit : -1
}

/** The position after a literal, or the complement of where it was expected. */
export function readLiteral(literal: string, text: string, at: number, ignoreCase: boolean): number {
  if (text.startsWith(literal, at)) return at + literal.length
  if (ignoreCase && text.slice(at, at + literal.length).toLowerCase() === literal.toLowerCase()) {
    return at + literal.length
  }
  return ~at
}
