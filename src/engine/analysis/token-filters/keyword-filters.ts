/** Filters that protect words from stemming: `keyword_marker`, `keyword_repeat`, `stemmer_override`. */
import { illegalArgument, runtimeFailure } from '../../../base/api-error.ts'
import { javaPattern } from '../java-pattern.ts'
import { lowerCase } from '../letter-case.ts'
import type { TokenFilter } from '../registry/component.ts'
import type { ComponentSettings } from '../registry/component-settings.ts'
import type { AnalysisEnvironment } from '../registry/component-types.ts'
import { wordsOf } from '../stop-words/stop-word-settings.ts'
import { withTokens } from '../token.ts'

const SHOWS_KEYWORD = { attributes: ['keyword'] as const }

export function keywordMarkerFilter(settings: ComponentSettings, environment: AnalysisEnvironment): TokenFilter {
  const pattern = settings.string('keywords_pattern')
  let isKeyword: (term: string) => boolean
  if (pattern !== undefined) {
    if (settings.has('keywords') || settings.has('keywords_path')) {
      throw illegalArgument('cannot specify both `keywords_pattern` and `keywords` or `keywords_path`')
    }
    const whole = javaPattern(pattern)
    isKeyword = (term) => whole.matchesWhole(term)
  } else {
    if (!settings.has('keywords') && !settings.has('keywords_path')) {
      throw illegalArgument(
        'keyword filter requires either `keywords`, `keywords_path`, or `keywords_pattern` to be configured',
      )
    }
    const words = wordsOf(settings, environment, 'keywords', false, [], settings.boolean('ignore_case', false))
    isKeyword = (term) => words.has(term)
  }
  return Object.assign<TokenFilter, typeof SHOWS_KEYWORD>((stream) => {
    for (const token of stream.tokens) if (isKeyword(token.term)) token.keyword = true
    return stream
  }, SHOWS_KEYWORD)
}

/** Emits each token twice at one position: once protected, once to be stemmed. */
export function keywordRepeatFilter(): TokenFilter {
  return Object.assign<TokenFilter, typeof SHOWS_KEYWORD>(
    (stream) =>
      withTokens(
        stream,
        stream.tokens.flatMap((token) => [
          { ...token, keyword: true },
          { ...token, keyword: false, positionIncrement: 0 },
        ]),
      ),
    SHOWS_KEYWORD,
  )
}

export function stemmerOverrideFilter(settings: ComponentSettings, environment: AnalysisEnvironment): TokenFilter {
  const path = settings.string('rules_path')
  const rules = path === undefined ? settings.list('rules') : environment.readLines('rules_path', path)
  if (rules === undefined) {
    throw illegalArgument('stemmer override filter requires either `rules` or `rules_path` to be configured')
  }
  const stems = new Map<string, string>()
  for (const rule of rules) {
    const sides = rule.split('=>').map((side) => side.trim())
    const stem = sides[1]
    const words = sides[0]!.split(',').map((word) => word.trim())
    if (sides.length !== 2 || stem === undefined || stem === '' || stem.includes(',') || words.some((w) => w === '')) {
      throw runtimeFailure(`Invalid Keyword override Rule:${rule}`)
    }
    for (const word of words) stems.set(word, stem)
  }
  return overrideStems(stems, settings.boolean('ignore_case', false))
}

export function overrideStems(stems: ReadonlyMap<string, string>, ignoreCase = false): TokenFilter {
  const known = ignoreCase ? new Map([...stems].map(([word, stem]) => [lowerCase(word), stem])) : stems
  return Object.assign<TokenFilter, typeof SHOWS_KEYWORD>((stream) => {
    for (const token of stream.tokens) {
      if (token.keyword) continue
      const stem = known.get(ignoreCase ? lowerCase(token.term) : token.term)
      if (stem === undefined) continue
      token.term = stem
      token.keyword = true
    }
    return stream
  }, SHOWS_KEYWORD)
}
