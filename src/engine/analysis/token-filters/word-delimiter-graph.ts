/** `word_delimiter_graph`: emits the parts of a term, and their joined forms as longer edges of the token graph. */
import type { TokenFilter } from '../registry/component.ts'
import type { ComponentSettings } from '../registry/component-settings.ts'
import type { AnalysisEnvironment } from '../registry/component-types.ts'
import { type StreamToken, withTokens } from '../token.ts'
import {
  concatenates,
  generates,
  staysWhole,
  type WordDelimiterOptions,
  type WordPart,
  wordDelimiterOptions,
} from './word-parts.ts'

export function wordDelimiterGraphFilter(settings: ComponentSettings, environment: AnalysisEnvironment): TokenFilter {
  const options = wordDelimiterOptions(settings, environment)
  const filter: TokenFilter = (stream) => {
    const out: StreamToken[] = []
    let increment = 0
    let lastStart = 0
    for (const token of stream.tokens) {
      if (options.ignoreKeywords && token.keyword) {
        out.push(token)
        continue
      }
      increment += token.positionIncrement
      const parts = options.split(token.term)
      if (staysWhole(token.term, parts, options) || (parts.length === 0 && options.preserveOriginal)) {
        out.push({ ...token, positionIncrement: increment })
        increment = 0
        continue
      }
      let last = 0
      for (const edge of edgesOf(token, parts, options)) {
        // Offsets must never go backwards, because highlighters rely on it.
        const startOffset = Math.max(edge.token.startOffset, lastStart)
        out.push({
          ...edge.token,
          startOffset,
          endOffset: Math.max(edge.token.endOffset, startOffset),
          positionIncrement: increment + edge.from - last,
          positionLength: edge.to - edge.from,
        })
        increment = 0
        last = edge.from
        lastStart = startOffset
      }
    }
    return withTokens(stream, out)
  }
  return Object.assign(filter, { attributes: ['keyword'] as const })
}

interface Edge {
  from: number
  to: number
  token: StreamToken
}

/** Parts that are being joined. */
interface Joined {
  text: string
  start: number
  end: number
  from: number
  kind: number
  count: number
}

function edgesOf(token: StreamToken, parts: readonly WordPart[], options: WordDelimiterOptions): Edge[] {
  const edges: Edge[] = []
  // A preceding char filter or stemmer may have changed the length; then only the offsets of the whole are known.
  const exact = options.adjustOffsets && token.endOffset - token.startOffset === token.term.length
  const add = (from: number, to: number, term: string, start: number, end: number) => {
    const offsets = exact ? { startOffset: token.startOffset + start, endOffset: token.startOffset + end } : {}
    edges.push({ from, to, token: { ...token, term, ...offsets } })
  }
  let position = 0
  let lastCount = 0
  let joined: Joined | undefined
  let all: Joined | undefined
  const extend = (before: Joined | undefined, part: WordPart): Joined => {
    const text = token.term.slice(part.start, part.end)
    if (before === undefined) {
      return { text, start: part.start, end: part.end, from: position, kind: part.kind, count: 1 }
    }
    return { ...before, text: before.text + text, end: part.end, count: before.count + 1 }
  }
  const flush = () => {
    if (joined === undefined) return
    if (position === joined.from) position++
    lastCount = joined.count
    if (joined.count !== 1 || !generates(joined.kind, options))
      add(joined.from, position, joined.text, joined.start, joined.end)
    joined = undefined
  }

  if (parts.length === 1 && parts[0]!.single) {
    const [part] = parts as [WordPart]
    add(0, 1, token.term.slice(part.start, part.end), part.start, part.end)
    position = 1
  } else {
    for (const part of parts) {
      if (joined !== undefined && (joined.kind & part.kind) === 0) flush()
      if (concatenates(part.kind, options)) joined = extend(joined, part)
      if (options.catenateAll) all = extend(all, part)
      if (generates(part.kind, options)) {
        add(position, position + 1, token.term.slice(part.start, part.end), part.start, part.end)
        position++
      }
    }
    flush()
    if (all !== undefined && all.count > lastCount) {
      if (position === all.from) position++
      add(all.from, position, all.text, all.start, all.end)
    }
  }
  if (options.preserveOriginal) {
    add(0, Math.max(1, position), token.term, 0, token.term.length)
    edges.unshift(edges.pop()!)
  }
  return edges.sort(
    (a, b) =>
      a.from - b.from ||
      b.to - a.to ||
      a.token.startOffset - b.token.startOffset ||
      b.token.endOffset - a.token.endOffset,
  )
}
