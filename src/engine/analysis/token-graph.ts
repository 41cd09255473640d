/**
 * Tokens as a graph: positions are nodes, a token is an edge over `positionLength` of them.
 *
 * A query over synonyms of several words ("wi fi", "wlan") must not mix the ways through the graph. So the text is cut
 * where all ways meet, and between two cuts each way is kept whole.
 */
import type { Token } from './token.ts'

/** The tokens between two places that every way passes. */
export interface GraphSection {
  readonly start: number
  readonly end: number
  /** Every way from start to end, as the tokens on it. A single token per way means plain alternatives at one place. */
  readonly paths: readonly (readonly Token[])[]
}

/** More ways than this are left out: each option of a long text doubles them. */
const MAX_PATHS = 1024

/** Whether some token spans more than one position; otherwise tokens at one position are alternatives and that is all. */
export function isGraph(tokens: readonly Token[]): boolean {
  return tokens.some((token) => token.positionLength > 1)
}

export function graphSections(tokens: readonly Token[]): GraphSection[] {
  const first = tokens[0]
  if (first === undefined) return []
  const end = lastNode(tokens)
  const cuts = [...new Set(tokens.map((token) => token.position))].filter((node) => !isSpanned(tokens, node))
  return cuts.map((start, i) => {
    const next = cuts[i + 1] ?? end
    const inside = tokens.filter((token) => token.position >= start && token.position < next)
    return { start, end: next, paths: pathsOf(inside, start, next) }
  })
}

/** Every way through the whole text, for phrases. */
export function graphPaths(tokens: readonly Token[]): Token[][] {
  const first = tokens[0]
  return first === undefined ? [] : pathsOf(tokens, first.position, lastNode(tokens))
}

const lastNode = (tokens: readonly Token[]) => Math.max(...tokens.map((token) => token.position + token.positionLength))

const isSpanned = (tokens: readonly Token[], node: number) =>
  tokens.some((token) => token.position < node && token.position + token.positionLength > node)

function pathsOf(tokens: readonly Token[], start: number, end: number): Token[][] {
  const leaving = new Map<number, Token[]>()
  for (const token of tokens) leaving.set(token.position, [...(leaving.get(token.position) ?? []), token])
  const nodes = [...leaving.keys()].sort((a, b) => a - b)
  const paths: Token[][] = []
  const walk = (node: number, path: Token[]): void => {
    if (paths.length >= MAX_PATHS) return
    // A removed word leaves a hole: the way goes on at the next token.
    const next = nodes.find((candidate) => candidate >= node)
    if (node >= end || next === undefined) {
      paths.push(path)
      return
    }
    for (const token of leaving.get(next)!) walk(token.position + token.positionLength, [...path, token])
  }
  walk(start, [])
  return paths
}
