/**
 * Why a pattern does not fit a line: how far its pieces match when they are added one by one, and which piece is the
 * first that does not.
 *
 * A pattern is cut at its top level into references, literal text and groups. The longest row of pieces that still
 * matches is found by trying them from
 * the left, so the answer names the place a person would find by hand.
 */
import type { PatternLookup } from './expand.ts'
import { GrokPattern } from './grok-pattern.ts'

export interface GrokExplanation {
  readonly matched: boolean
  /** The values of the captures, of the whole pattern or of the pieces that matched. */
  readonly captures: readonly { readonly field: string; readonly text: string }[]
  /** Characters of the line the matching pieces cover, and where they begin. */
  readonly from: number
  readonly to: number
  /** The first piece that does not match; undefined when all do. */
  readonly failedPiece: string | undefined
  readonly pieces: readonly string[]
}

export function explainMatch(pattern: string, line: string, lookup: PatternLookup): GrokExplanation {
  const pieces = cutPieces(pattern)
  for (let count = pieces.length; count > 0; count--) {
    const found = tryPieces(pieces.slice(0, count).join(''), line, lookup)
    if (found === undefined) continue
    const failedPiece = pieces[count]
    return { matched: failedPiece === undefined, ...found, failedPiece, pieces }
  }
  return { matched: false, captures: [], from: 0, to: 0, failedPiece: pieces[0], pieces }
}

function tryPieces(pattern: string, line: string, lookup: PatternLookup) {
  let compiled: GrokPattern
  try {
    compiled = new GrokPattern(pattern, lookup, { namedOnly: true })
  } catch {
    // Half a pattern may be none, for example before the second half of an alternative.
    return undefined
  }
  const match = compiled.exec(line)
  if (match === null) return undefined
  const captures = compiled.slots.flatMap((slot) => {
    const text = match[compiled.lastGroupNumbers[slot.group]!]
    return text === undefined || text === '' ? [] : [{ field: slot.field, text }]
  })
  return { captures, from: match.index, to: match.index + match[0].length }
}

/**
 * References, groups and classes (each with its quantifier), and literal text in between. Alternatives at the top stay
 * whole.
 */
export function cutPieces(pattern: string): string[] {
  const pieces: string[] = []
  let at = 0
  while (at < pattern.length) {
    const end = pieceEnd(pattern, at)
    const quantifier = /[*+?]{1,2}|\{\d*,?\d*\}[?+]?/y
    quantifier.lastIndex = end
    const suffix = quantifier.exec(pattern)?.[0] ?? ''
    pieces.push(pattern.slice(at, end) + suffix)
    at = end + suffix.length
  }
  return pieces.includes('|') ? [pattern] : joinLiterals(pieces)
}

function pieceEnd(pattern: string, at: number): number {
  if (pattern.startsWith('%{', at)) {
    const end = pattern.indexOf('}', at)
    return end < 0 ? pattern.length : end + 1
  }
  const char = pattern[at]
  if (char === '\\') return at + 2
  if (char === '[') return closing(pattern, at, '[', ']')
  return char === '(' ? closing(pattern, at, '(', ')') : at + 1
}

function closing(pattern: string, start: number, open: string, close: string): number {
  let depth = 0
  for (let at = start; at < pattern.length; at++) {
    if (pattern[at] === '\\') at++
    else if (pattern[at] === open) depth++
    else if (pattern[at] === close && --depth === 0) return at + 1
  }
  return pattern.length
}

/** Single characters that follow one another read better as one piece. */
function joinLiterals(pieces: readonly string[]): string[] {
  const joined: string[] = []
  let text = ''
  for (const piece of pieces) {
    if (piece.length === 1 || /^\\\W$/.test(piece)) {
      text += piece
      continue
    }
    if (text !== '') joined.push(text)
    text = ''
    joined.push(piece)
  }
  return text === '' ? joined : [...joined, text]
}
