/** `pattern`, `simple_pattern` and `simple_pattern_split`. */
import { illegalArgument } from '../../../base/api-error.ts'
import { javaFlags, javaPattern } from '../java-pattern.ts'
import type { Tokenizer } from '../registry/component.ts'
import type { ComponentSettings } from '../registry/component-settings.ts'
import { newToken, type StreamToken, type TokenStream } from '../token.ts'

/** With a group, tokens are what the group matches; without, what lies between matches. */
export function patternTokenizer(settings: ComponentSettings): Tokenizer {
  const source = settings.string('pattern') ?? '\\W+'
  if (source === '') throw illegalArgument(`pattern is missing for [${settings.name}] tokenizer of type 'pattern'`)
  const pattern = javaPattern(source, javaFlags(settings.string('flags')))
  const group = settings.integer('group', -1)
  if (group < 0) return (text) => split(text, pattern)
  const groups = new RegExp(`${pattern.source}|`, pattern.flags).exec('')!.length - 1
  if (group > groups) {
    throw illegalArgument(`invalid group specified: pattern only has: ${groups} capturing groups`)
  }
  const withIndices = new RegExp(pattern.source, `${pattern.flags}d`)
  return (text) => {
    const tokens: StreamToken[] = []
    for (const match of text.matchAll(withIndices)) {
      const range = match.indices![group]
      if (range !== undefined && range[0] < range[1]) tokens.push(word(text, range[0], range[1]))
    }
    return whole(tokens, text)
  }
}

export function simplePatternTokenizer(settings: ComponentSettings): Tokenizer {
  const pattern = javaPattern(settings.string('pattern') ?? '')
  return (text) => {
    const tokens: StreamToken[] = []
    for (const match of text.matchAll(pattern)) {
      if (match[0] !== '') tokens.push(word(text, match.index, match.index + match[0].length))
    }
    return whole(tokens, text)
  }
}

export function simplePatternSplitTokenizer(settings: ComponentSettings): Tokenizer {
  const pattern = javaPattern(settings.string('pattern') ?? '')
  return (text) => split(text, pattern)
}

export function split(text: string, pattern: RegExp): TokenStream {
  const tokens: StreamToken[] = []
  let at = 0
  for (const match of text.matchAll(pattern)) {
    if (match[0] === '') continue
    if (match.index > at) tokens.push(word(text, at, match.index))
    at = match.index + match[0].length
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
