/**
 * `common_grams`: joins a frequent word with its neighbour, so that phrases with it need not read its long postings.
 */
import { illegalArgument } from '../../../base/api-error.ts'
import type { TokenFilter } from '../registry/component.ts'
import type { ComponentSettings } from '../registry/component-settings.ts'
import type { AnalysisEnvironment } from '../registry/component-types.ts'
import { wordsOf } from '../stop-words/stop-word-settings.ts'
import { type StreamToken, withTokens } from '../token.ts'

export function commonGramsFilter(settings: ComponentSettings, environment: AnalysisEnvironment): TokenFilter {
  if (!settings.has('common_words') && !settings.has('common_words_path')) {
    throw illegalArgument(
      'missing or empty [common_words] or [common_words_path] configuration for common_grams token filter',
    )
  }
  const words = wordsOf(settings, environment, 'common_words', true, [], settings.boolean('ignore_case', false))
  const queryMode = settings.boolean('query_mode', false)
  return (stream) => {
    const { tokens } = stream
    const out: StreamToken[] = []
    let joinedBefore = false
    tokens.forEach((token, i) => {
      const next = tokens[i + 1]
      const joins = next !== undefined && (words.has(token.term) || words.has(next.term))
      // A query needs only the joined forms: a word that starts one, or ends the last one, is omitted.
      const covered = joins || (next === undefined && joinedBefore)
      if (!queryMode || !covered) out.push(token)
      if (joins) {
        out.push({
          ...token,
          term: `${token.term}_${next.term}`,
          endOffset: next.endOffset,
          type: 'gram',
          positionIncrement: queryMode ? token.positionIncrement : 0,
          positionLength: queryMode ? 1 : 2,
        })
      }
      joinedBefore = joins
    })
    return withTokens(stream, out)
  }
}
