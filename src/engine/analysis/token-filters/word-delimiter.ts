/** `word_delimiter`: like `word_delimiter_graph`, but joined forms have the position of one part. */
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

export function wordDelimiterFilter(settings: ComponentSettings, environment: AnalysisEnvironment): TokenFilter {
  const options = wordDelimiterOptions(settings, environment)
  const filter: TokenFilter = (stream) => {
    const out: StreamToken[] = []
    let increment = 0
    for (const token of stream.tokens) {
      if (options.ignoreKeywords && token.keyword) {
        out.push(token)
        continue
      }
      increment += token.positionIncrement
      const parts = options.split(token.term)
      if (staysWhole(token.term, parts, options)) {
        out.push({ ...token, positionIncrement: increment })
        increment = 0
        continue
      }
      if (parts.length === 0 && !options.preserveOriginal) {
        // A token of only delimiters is removed with its position, unless it is the first.
        if (token.positionIncrement === 1 && out.length > 0) increment--
        continue
      }
      const made = tokensOf(token, parts, options, increment)
      increment = made.increment
      if (out.length === 0 && made.tokens[0]?.positionIncrement === 0) made.tokens[0].positionIncrement = 1
      out.push(...made.tokens)
    }
    return withTokens(stream, out)
  }
  return Object.assign(filter, { attributes: ['keyword'] as const })
}

interface Joined {
  text: string
  start: number
  end: number
  kind: number
  count: number
}

function tokensOf(token: StreamToken, parts: readonly WordPart[], options: WordDelimiterOptions, increment: number) {
  const exact = options.adjustOffsets && token.endOffset - token.startOffset === token.term.length
  const before: StreamToken[] = []
  let left = increment
  let hasOutput = false
  let followsOriginal = !options.preserveOriginal
  if (options.preserveOriginal) {
    before.push({ ...token, positionIncrement: left })
    left = 0
  }
  const nextIncrement = (injected: boolean): number => {
    const own = left
    if (hasOutput) {
      left = 0
      return injected ? 0 : Math.max(1, own)
    }
    hasOutput = true
    if (!followsOriginal) {
      followsOriginal = true
      return 0
    }
    left = 0
    return Math.max(1, own)
  }
  const make = (term: string, start: number, end: number, injected: boolean): StreamToken => {
    const offsets = exact ? { startOffset: token.startOffset + start, endOffset: token.startOffset + end } : {}
    return { ...token, term, ...offsets, positionIncrement: nextIncrement(injected), positionLength: 1 }
  }

  if (parts.length === 1 && parts[0]!.single) {
    const [part] = parts as [WordPart]
    const single = make(token.term.slice(part.start, part.end), part.start, part.end, false)
    // Delimiters before the word move its start even if the offsets of parts are unknown.
    if (!exact && token.startOffset + part.start <= token.endOffset) single.startOffset = token.startOffset + part.start
    return { tokens: [...before, single], increment: left }
  }

  const buffered: StreamToken[] = []
  let lastCount = 0
  let joined: Joined | undefined
  let all: Joined | undefined
  const extend = (known: Joined | undefined, part: WordPart): Joined => {
    const text = token.term.slice(part.start, part.end)
    if (known === undefined) return { text, start: part.start, end: part.end, kind: part.kind, count: 1 }
    return { ...known, text: known.text + text, end: part.end, count: known.count + 1 }
  }
  const flush = () => {
    if (joined === undefined) return
    lastCount = joined.count
    if (joined.count !== 1 || !generates(joined.kind, options))
      buffered.push(make(joined.text, joined.start, joined.end, true))
    joined = undefined
  }
  for (const part of parts) {
    if (joined !== undefined && (joined.kind & part.kind) === 0) {
      flush()
      hasOutput = false
    }
    if (concatenates(part.kind, options)) joined = extend(joined, part)
    if (options.catenateAll) all = extend(all, part)
    if (generates(part.kind, options))
      buffered.push(make(token.term.slice(part.start, part.end), part.start, part.end, false))
  }
  flush()
  if (all !== undefined && all.count > lastCount) buffered.push(make(all.text, all.start, all.end, true))
  buffered.sort((a, b) => a.startOffset - b.startOffset || b.positionIncrement - a.positionIncrement)
  return { tokens: [...before, ...buffered], increment: left }
}
