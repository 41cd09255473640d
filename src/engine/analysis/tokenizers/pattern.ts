/** `pattern`, `simple_pattern` and `simple_pattern_split`. */
import { illegalArgument } from '../../../base/api-error.ts'
import { type JavaPattern, javaFlags, javaPattern } from '../java-pattern.ts'
import type { Tokenizer } from '../registry/component.ts'
import type { ComponentSettings } from '../registry/component-settings.ts'
import { newToken, type StreamToken, type TokenStream } from '../token.ts'

/** With a group, tokens are the matches of the group; otherwise the text between matches. */
export function patternTokenizer(settings: ComponentSettings): Tokenizer {
  const source = settings.string('pattern') ?? '\\W+'
  if (source === '') throw illegalArgument(`pattern is missing for [${settings.name}] tokenizer of type 'pattern'`)
  const pattern = javaPattern(source, javaFlags(settings.string('flags')))
  const group = settings.integer('group', -1)
  if (group < 0) return (text) => split(text, pattern)
  if (group > pattern.groupCount) {
    throw illegalArgument(`invalid group specified: pattern only has: ${pattern.groupCount} capturing groups`)
  }
  return (text) => {
    const tokens: StreamToken[] = []
    for (const match of pattern.matchesIn(text)) {
      if (match.start(group) < match.end(group)) tokens.push(word(text, match.start(group), match.end(group)))
    }
    return whole(tokens, text)
  }
}

export function simplePatternTokenizer(settings: ComponentSettings): Tokenizer {
  const pattern = javaPattern(settings.string('pattern') ?? '')
  return (text) => {
    const tokens: StreamToken[] = []
    for (const match of pattern.matchesIn(text)) {
      if (match.start() < match.end()) tokens.push(word(text, match.start(), match.end()))
    }
    return whole(tokens, text)
  }
}

export function simplePatternSplitTokenizer(settings: ComponentSettings): Tokenizer {
  const pattern = javaPattern(settings.string('pattern') ?? '')
  return (text) => split(text, pattern)
}

export function split(text: string, pattern: JavaPattern): TokenStream {
  const tokens: StreamToken[] = []
  let at = 0
  for (const match of pattern.matchesIn(text)) {
    if (match.start() === match.end()) continue
    if (match.start() > at) tokens.push(word(text, at, match.start()))
    at = match.end()
  }
  if (at < text.length) tokens.push(word(text, at, text.length))
  return whole(tokens, text)
}

const word = (text: string, start: number, end: number) => newToken(text.slice(start, end), start, end, 'word')
const whole = (tokens: StreamToken[], text: string): TokenStream => ({
  tokens,
  trailingIncrement: 0,
  endOffset: text.length,
})
