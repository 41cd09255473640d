/**
 * Tokens as a graph: positions are nodes, and a token is an edge over `positionLength` of them.
 *
 * A query over multi-word synonyms ("wi fi", "wlan") must not mix the paths of the graph. The graph is therefore split
 * where all paths meet, and between two splits each path is kept whole.
 */
import type { Token } from './token.ts'

/** The tokens between two positions that every path passes. */
export interface GraphSection {
  readonly start: number
  readonly end: number
  /** Every path from start to end, as its tokens. A single token per path means plain alternatives at one position. */
  readonly paths: readonly (readonly Token[])[]
}

/** Maximum paths; further ones are dropped. Each alternative in a long text doubles their number. */
const MAX_PATHS = 1024

/** Whether a token spans more than one position. Otherwise tokens at one position are simple alternatives. */
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

/** Every path through the whole text, for phrases. */
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
    // A removed word leaves a hole: the path continues at the next token.
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
