/**
 * `flatten_graph`: flattens a token graph for an index, which stores positions but no position lengths.
 *
 * Every node moves to the length of the longest path that reaches it, so that no token gets length zero.
 */
import type { TokenFilter } from '../registry/component.ts'
import { type StreamToken, withTokens } from '../token.ts'

export function flattenGraphFilter(): TokenFilter {
  return (stream) => {
    const edges: { token: StreamToken; from: number; to: number }[] = []
    let position = -1
    for (const token of stream.tokens) {
      position += token.positionIncrement
      edges.push({ token, from: position, to: position + token.positionLength })
    }
    const layers = layersOf(edges)
    const flat = edges.map((edge) => ({ token: edge.token, from: layers.get(edge.from)!, to: layers.get(edge.to)! }))
    flat.sort((a, b) => a.from - b.from)
    const offsets = nodeOffsets(flat)
    let last = -1
    let lastStart = 0
    const tokens = flat.map(({ token, from, to }) => {
      const startOffset = Math.max(offsets.starts.get(from)!, lastStart)
      const moved = {
        ...token,
        startOffset,
        endOffset: Math.max(startOffset, offsets.ends.get(to)!),
        positionIncrement: from - last,
        positionLength: to - from,
      }
      last = from
      lastStart = startOffset
      return moved
    })
    return withTokens(stream, tokens)
  }
}

/** A token of several words says little about the offsets of its parts, so the tightest offsets at a node are used. */
function nodeOffsets(edges: readonly { token: StreamToken; from: number; to: number }[]) {
  const starts = new Map<number, number>()
  const ends = new Map<number, number>()
  for (const { token, from, to } of edges) {
    starts.set(from, Math.max(starts.get(from) ?? 0, token.startOffset))
    ends.set(to, Math.min(ends.get(to) ?? Number.POSITIVE_INFINITY, token.endOffset))
  }
  return { starts, ends }
}

function layersOf(edges: readonly { from: number; to: number }[]): Map<number, number> {
  const nodes = [...new Set(edges.flatMap(({ from, to }) => [from, to]))].sort((a, b) => a - b)
  const incoming = new Map<number, number[]>()
  for (const { from, to } of edges) incoming.set(to, [...(incoming.get(to) ?? []), from])
  const layers = new Map<number, number>()
  nodes.forEach((node, i) => {
    const before = incoming.get(node)
    const previous = nodes[i - 1]
    if (before !== undefined) layers.set(node, Math.max(...before.map((from) => layers.get(from)! + 1)))
    // A node without an incoming edge follows a hole.
    else layers.set(node, previous === undefined ? node : layers.get(previous)! + (node - previous))
  })
  return layers
}
