/** `pattern_replace` and `pattern_capture`. */
import { illegalArgument } from '../../../base/api-error.ts'
import type { RegexMatch } from '../../../base/java-regex/java-regex.ts'
import { type JavaPattern, javaFlags, javaPattern, javaReplacement } from '../java-pattern.ts'
import type { TokenFilter } from '../registry/component.ts'
import type { ComponentSettings } from '../registry/component-settings.ts'
import { type StreamToken, withTokens } from '../token.ts'
import { mapTerms } from './map-terms.ts'

export function patternReplaceFilter(settings: ComponentSettings): TokenFilter {
  const pattern = settings.string('pattern')
  if (pattern === undefined)
    throw illegalArgument(`pattern is missing for [${settings.name}] token filter of type 'pattern_replace'`)
  const compiled = javaPattern(pattern, javaFlags(settings.string('flags')))
  const replacement = javaReplacement(settings.string('replacement') ?? '')
  const all = settings.boolean('all', true)
  return mapTerms((term) => replaceMatches(term, compiled, replacement, all))
}

function replaceMatches(
  text: string,
  pattern: JavaPattern,
  replacement: (match: RegexMatch) => string,
  all: boolean,
): string {
  let out = ''
  let at = 0
  for (const match of pattern.matchesIn(text)) {
    out += text.slice(at, match.start()) + replacement(match)
    at = match.end()
    if (!all) break
  }
  return out + text.slice(at)
}

/** Emits every group of every pattern as a token at the original's position, in the order in which the groups start. */
export function patternCaptureFilter(settings: ComponentSettings): TokenFilter {
  const patterns = settings.list('patterns')
  if (patterns === undefined)
    throw illegalArgument(`required setting 'patterns' is missing for token filter [${settings.name}]`)
  const preserve = settings.boolean('preserve_original', true)
  const compiled = patterns.map((pattern) => javaPattern(pattern))
  return (stream) =>
    withTokens(
      stream,
      stream.tokens.flatMap((token) => captures(token, compiled, preserve)),
    )
}

function captures(token: StreamToken, patterns: readonly JavaPattern[], preserve: boolean): StreamToken[] {
  const groups: { start: number; end: number }[] = []
  for (const pattern of patterns) {
    for (const match of pattern.matchesIn(token.term)) {
      for (let group = 1; group <= match.groupCount; group++) {
        const start = match.start(group)
        const end = match.end(group)
        if (start === end) continue
        // The whole term is already emitted.
        if (preserve && start === 0 && end === token.term.length) continue
        groups.push({ start, end })
      }
    }
  }
  if (groups.length === 0) return [token]
  // Groups with the same start keep the order of the patterns.
  groups.sort((a, b) => a.start - b.start)
  const tokens = groups.map(({ start, end }) => ({
    ...token,
    term: token.term.slice(start, end),
    positionIncrement: 0,
  }))
  if (preserve) return [token, ...tokens]
  tokens[0]!.positionIncrement = token.positionIncrement
  return tokens
}
