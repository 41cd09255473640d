/** `stop`: drops stop words. */
import type { TokenFilter } from '../registry/component.ts'
import type { ComponentSettings } from '../registry/component-settings.ts'
import type { AnalysisEnvironment } from '../registry/component-types.ts'
import { ENGLISH } from '../stop-words/stop-word-lists.ts'
import { stopWordsOf, type WordSet } from '../stop-words/stop-word-settings.ts'
import type { StreamToken } from '../token.ts'
import { keepTokens } from './remove-tokens.ts'

export function stopFilter(settings: ComponentSettings, environment: AnalysisEnvironment): TokenFilter {
  const words = stopWordsOf(settings, environment, ENGLISH, settings.boolean('ignore_case', false))
  return settings.boolean('remove_trailing', true) ? removeWords(words) : removeWordsBeforeLast(words)
}

export function removeWords(words: WordSet): TokenFilter {
  const filter = Object.assign(
    keepTokens((token) => !words.has(token.term)),
    {
      onTerm: (term: string) => (words.has(term) ? undefined : term),
    },
  )
  return words.ignoreCase ? filter : Object.assign(filter, { inBytes: { kind: 'stop', words: words.words } as const })
}

/** For suggestions while typing: the last word may still be incomplete, unless a separator follows it. */
function removeWordsBeforeLast(words: WordSet): TokenFilter {
  return (stream) => {
    const last: StreamToken | undefined = stream.tokens.at(-1)
    const unfinished = last !== undefined && last.endOffset === stream.endOffset ? last : undefined
    return keepTokens((token) => token === unfinished || !words.has(token.term))(stream)
  }
}
