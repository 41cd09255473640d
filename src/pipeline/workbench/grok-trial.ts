/** Tries a grok pattern on lines: reports the characters that each piece matches, where matching stops, and a change that would match more lines. */
import type { PatternLookup } from '../../text/grok/expand.ts'
import { stockPatterns } from '../../text/grok/stock-patterns.ts'
import { cutPieces, explainMatch } from '../grok/explain.ts'
import { GrokPattern } from '../grok/grok-pattern.ts'

export interface GrokTrialRequest {
  readonly pattern: string
  readonly lines: readonly string[]
  readonly definitions: Readonly<Record<string, string>>
  readonly ecs: boolean
}

export interface TriedLine {
  readonly matched: boolean
  /** The characters each piece matches, in order; shorter than the pieces where matching stops. */
  readonly pieces: readonly (readonly [from: number, to: number])[]
  readonly fields: readonly { readonly field: string; readonly text: string }[]
  /** The character at which matching stops, and the expected pattern. */
  readonly stop: { readonly at: number; readonly piece: string; readonly within: readonly string[] } | undefined
}

export interface GrokTrialResult {
  readonly error: string | undefined
  readonly pieces: readonly string[]
  readonly lines: readonly TriedLine[]
  readonly suggestion: { readonly pattern: string; readonly matches: number } | undefined
}

/** Patterns suggested for unmatched text, the more specific ones first. */
const CANDIDATES = [
  'TIMESTAMP_ISO8601',
  'HTTPDATE',
  'SYSLOGTIMESTAMP',
  'UUID',
  'IP',
  'LOGLEVEL',
  'NUMBER',
  'QS',
  'URIPATHPARAM',
  'WORD',
  'NOTSPACE',
  'DATA',
]
const OPENED_MAX = 5

export function tryGrok({ pattern, lines, definitions, ecs }: GrokTrialRequest): GrokTrialResult {
  const stock = stockPatterns(ecs ? 'v1' : 'disabled')
  const lookup: PatternLookup = (name) => (Object.hasOwn(definitions, name) ? definitions[name] : stock(name))
  try {
    new GrokPattern(pattern, lookup, { namedOnly: true })
  } catch (error) {
    return { error: (error as Error).message, pieces: [pattern], lines: [], suggestion: undefined }
  }
  const pieces = piecesOf(pattern, lookup)
  const tried = lines.map((line) => tryLine(pattern, pieces, line, lookup))
  return { error: undefined, pieces, lines: tried, suggestion: suggest(pieces, tried, lines, lookup) }
}

/** A pattern that is a single reference is expanded, so that the failing piece inside it can be named. */
function piecesOf(pattern: string, lookup: PatternLookup): string[] {
  let opened = pattern
  for (let depth = 0; depth < OPENED_MAX; depth++) {
    const pieces = cutPieces(opened)
    const reference = pieces.length === 1 ? /^%\{(\w+)\}$/.exec(pieces[0]!) : null
    const inner = reference === null ? undefined : lookup(reference[1]!)
    if (inner === undefined || !inner.includes('%{')) return pieces
    opened = inner
  }
  return cutPieces(opened)
}

function tryLine(pattern: string, pieces: readonly string[], line: string, lookup: PatternLookup): TriedLine {
  const { matched, captures, to, failedPiece, within } = explainMatch(pattern, line, lookup)
  for (let count = matched ? pieces.length : pieces.length - 1; count > 0; count--) {
    const ranges = rangesOf(pieces.slice(0, count), line, lookup)
    if (ranges === undefined) continue
    const stop = matched ? undefined : { at: to, piece: failedPiece ?? '', within }
    return { matched, pieces: ranges, fields: captures, stop }
  }
  return {
    matched,
    pieces: [],
    fields: captures,
    stop: matched ? undefined : { at: to, piece: failedPiece ?? '', within },
  }
}

/** The range of each piece: every piece becomes a group, and consecutive groups have no gaps between them. */
function rangesOf(pieces: readonly string[], line: string, lookup: PatternLookup): [number, number][] | undefined {
  let compiled: GrokPattern
  try {
    compiled = new GrokPattern(pieces.map((piece, i) => `(?<piece${i}>${piece})`).join(''), lookup, { namedOnly: true })
  } catch {
    return undefined
  }
  const match = compiled.exec(line)
  if (match === null) return undefined
  const lengths = new Array<number>(pieces.length).fill(0)
  for (const { field, group } of compiled.slots) {
    const number = /^piece(\d+)$/.exec(field)?.[1]
    if (number !== undefined) lengths[Number(number)] = match[compiled.lastGroupNumbers[group]!]?.length ?? 0
  }
  let at = match.index
  return lengths.map((length) => {
    const range: [number, number] = [at, at + length]
    at += length
    return range
  })
}

/** A replacement for the piece at which the first failing line stops, if more lines match with it. */
function suggest(
  pieces: readonly string[],
  tried: readonly TriedLine[],
  lines: readonly string[],
  lookup: PatternLookup,
): GrokTrialResult['suggestion'] {
  const first = tried.findIndex(({ matched }) => !matched)
  if (first < 0) return undefined
  const { pieces: ranges, stop } = tried[first]!
  const failing = ranges.length
  const piece = pieces[failing]
  if (piece === undefined) return undefined
  const before = pieces.slice(0, failing).join('')
  const after = pieces.slice(failing + 1).join('')
  const rest = lines[first]!.slice(ranges.at(-1)?.[1] ?? stop?.at ?? 0)
  const name = /^%\{\w+:([^}]+)\}$/.exec(piece)?.[1]
  const replacements = [
    `(?:${piece})?`,
    ...CANDIDATES.map((candidate) => `%{${candidate}${name === undefined ? '' : `:${name}`}}`),
    ...(/^\W/.test(rest) ? [escaped(rest.slice(0, 1)) + piece, escaped(rest.slice(0, 1))] : []),
  ]
  const already = tried.filter(({ matched }) => matched).length
  let best: GrokTrialResult['suggestion']
  for (const replacement of replacements) {
    const pattern = before + replacement + after
    const matches = matching(pattern, lines, lookup)
    if (matches > already && (best === undefined || matches > best.matches)) best = { pattern, matches }
  }
  return best
}

function matching(pattern: string, lines: readonly string[], lookup: PatternLookup): number {
  try {
    const compiled = new GrokPattern(pattern, lookup, { namedOnly: true })
    return lines.filter((line) => compiled.exec(line) !== null).length
  } catch {
    return 0
  }
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
