/**
 * Explains why a pattern does not match a line: how far its pieces match, and which piece fails first.
 *
 * A pattern is split at its top level into references, literal text and groups. The longest prefix of pieces that still
 * matches is found by trying them from the left. The failing piece, be it a named pattern or a group, is then examined
 * in the same way until it has no parts. The result names the place that a person would find by hand.
 */

import type { PatternLookup } from '../../text/grok/expand.ts'
import { GrokPattern } from './grok-pattern.ts'

export interface GrokExplanation {
  readonly matched: boolean
  /** The captures of the whole pattern, or of the pieces that matched. */
  readonly captures: readonly { readonly field: string; readonly text: string }[]
  /** The range of the line that the matching pieces cover. */
  readonly from: number
  readonly to: number
  /** The innermost piece that does not match; undefined if all match. */
  readonly failedPiece: string | undefined
  /** The named patterns around it, innermost first. */
  readonly within: readonly string[]
  readonly pieces: readonly string[]
}

/** Maximum nesting of patterns that is examined. */
const DEPTH_MAX = 30

interface Found {
  readonly captures: GrokExplanation['captures']
  readonly from: number
  readonly to: number
}

const NOTHING: Found = { captures: [], from: 0, to: 0 }

/** The end of matching: the text matched so far, and the piece that fails. */
interface Failure {
  readonly found: Found
  readonly piece: string
  readonly within: readonly string[]
}

export function explainMatch(pattern: string, line: string, lookup: PatternLookup): GrokExplanation {
  const pieces = cutPieces(pattern)
  const whole = tryPattern(pattern, line, lookup)
  if (whole !== undefined) return { matched: true, ...whole, failedPiece: undefined, within: [], pieces }
  const { found, piece, within } = failureIn(pattern, '', NOTHING, { line, lookup }, 0)
  return { matched: false, ...found, failedPiece: piece, within, pieces }
}

interface Search {
  readonly line: string
  readonly lookup: PatternLookup
}

/** `before` is the matching prefix of `pattern`, and `found` its match. */
function failureIn(pattern: string, before: string, found: Found, search: Search, depth: number): Failure {
  const failures = cutAlternatives(pattern).map((alternative): Failure => {
    const pieces = cutPieces(alternative)
    for (let count = pieces.length - 1; count > 0; count--) {
      const longer = before + pieces.slice(0, count).join('')
      const more = tryPattern(longer, search.line, search.lookup)
      if (more !== undefined) return opened(pieces[count]!, longer, more, search, depth)
    }
    return opened(pieces[0] ?? alternative, before, found, search, depth)
  })
  // Of several alternatives the one that matches furthest was probably intended.
  return failures.reduce((best, one) => (one.found.to > best.found.to ? one : best))
}

/** The failure inside a piece with parts; the piece itself if it has none. */
function opened(piece: string, before: string, found: Found, search: Search, depth: number): Failure {
  const inner = depth < DEPTH_MAX ? innerOf(piece, search.lookup) : undefined
  // If it contains no named patterns, the name is clearer than its expression.
  if (inner === undefined || !inner.includes('%{')) return { found, piece, within: [] }
  const failure = failureIn(inner, before, found, search, depth + 1)
  // Inside alternatives of single characters nothing is clearer than the whole piece.
  if (failure.found.to === found.to && failure.piece.length <= 1) return { found, piece, within: [] }
  return piece.startsWith('%{') ? { ...failure, within: [...failure.within, piece] } : failure
}

/** The definition of a reference, or the contents of a group. A repeated piece is not opened. */
function innerOf(piece: string, lookup: PatternLookup): string | undefined {
  const reference = /^%\{(\w+)(?::[^=}]*)?(?:=(.*))?\}$/s.exec(piece)
  if (reference !== null) return reference[2] ?? lookup(reference[1]!)
  return /^\((?:\?:|\?<[^=!][^>]*>|\?>)?(?!\?)(.*)\)$/s.exec(piece)?.[1]
}

function tryPattern(pattern: string, line: string, lookup: PatternLookup): Found | undefined {
  let compiled: GrokPattern
  try {
    compiled = new GrokPattern(pattern, lookup, { namedOnly: true })
  } catch {
    // A prefix of a pattern may be invalid, for example before the second half of an alternative.
    return undefined
  }
  const made = compiled.execWithin(line) ?? null
  if (made === null) return undefined
  const captures = compiled.slots.flatMap((slot) => {
    const text = made[compiled.lastGroupNumbers[slot.group]!]
    return text === undefined || text === '' ? [] : [{ field: slot.field, text }]
  })
  return { captures, from: made.index, to: made.index + (made[0]?.length ?? 0) }
}

/** The top-level alternatives of a pattern. */
function cutAlternatives(pattern: string): string[] {
  const ways: string[] = []
  let start = 0
  for (let at = 0; at < pattern.length; ) {
    if (pattern[at] === '|') {
      ways.push(pattern.slice(start, at))
      start = ++at
    } else at = pieceEnd(pattern, at)
  }
  return [...ways, pattern.slice(start)]
}

/**
 * Splits a pattern into references, groups and classes (each with its quantifier), and literal text. Top-level
 * alternatives are not split.
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

/** Adjacent single characters are joined to one piece. */
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
