/** Filters that keep or drop whole tokens: `length`, `unique`, `limit`, `keep`, `keep_types`, `remove_duplicates`. */
import { illegalArgument } from '../../../base/api-error.ts'
import type { TokenFilter } from '../registry/component.ts'
import type { ComponentSettings } from '../registry/component-settings.ts'
import type { AnalysisEnvironment } from '../registry/component-types.ts'
import { wordsOf } from '../stop-words/stop-word-settings.ts'
import { type StreamToken, withTokens } from '../token.ts'
import { keepTokens } from './remove-tokens.ts'

export function lengthFilter(settings: ComponentSettings): TokenFilter {
  const min = settings.integer('min', 0)
  const max = settings.integer('max', 0x7fffffff)
  if (min < 0) throw illegalArgument('minimum length must be greater than or equal to zero')
  if (min > max) throw illegalArgument('maximum length must not be greater than minimum length')
  return keepTokens(({ term }) => term.length >= min && term.length <= max)
}

export function uniqueFilter(settings: ComponentSettings): TokenFilter {
  const samePosition = settings.boolean('only_on_same_position', false)
  return (stream) => {
    const seen = new Set<string>()
    return keepTokens(({ term, positionIncrement }) => {
      if (samePosition && positionIncrement > 0) seen.clear()
      const isNew = !seen.has(term)
      seen.add(term)
      return isNew
    })(stream)
  }
}

export function removeDuplicatesFilter(): TokenFilter {
  return (stream) => {
    const seen = new Set<string>()
    const kept: StreamToken[] = []
    for (const token of stream.tokens) {
      if (token.positionIncrement > 0) seen.clear()
      if (token.positionIncrement > 0 || !seen.has(token.term)) kept.push(token)
      seen.add(token.term)
    }
    return withTokens(stream, kept)
  }
}

export function limitFilter(settings: ComponentSettings): TokenFilter {
  const max = settings.integer('max_token_count', 1)
  if (max <= 0) throw illegalArgument('maxTokenCount must be greater than zero')
  return (stream) => withTokens(stream, stream.tokens.slice(0, max))
}

export function keepFilter(settings: ComponentSettings, environment: AnalysisEnvironment): TokenFilter {
  const words = settings.list('keep_words')
  const path = settings.string('keep_words_path')
  if ((words === undefined) === (path === undefined)) {
    throw illegalArgument('keep requires either `keep_words` or `keep_words_path` to be configured')
  }
  const kept = wordsOf(settings, environment, 'keep_words', false, [], settings.boolean('keep_words_case', false))
  return keepTokens((token) => kept.has(token.term))
}

export function keepTypesFilter(settings: ComponentSettings): TokenFilter {
  const listed = settings.list('types')
  if (listed === undefined) throw illegalArgument('keep_types requires `types` to be configured')
  const types = new Set(listed)
  const mode = settings.string('mode') ?? 'include'
  if (mode !== 'include' && mode !== 'exclude') {
    throw illegalArgument(`\`keep_types\` tokenfilter mode can only be [include] or [exclude] but was [${mode}].`)
  }
  return keepTokens((token) => types.has(token.type) === (mode === 'include'))
}
