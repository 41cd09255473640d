/** `dictionary_decompounder`: the known words inside a compound, at the compound's place. */
import { illegalArgument } from '../../../base/api-error.ts'
import type { TokenFilter } from '../component.ts'
import type { ComponentSettings } from '../component-settings.ts'
import type { AnalysisEnvironment } from '../component-types.ts'
import { wordsOf } from '../stop-words/stop-word-settings.ts'
import { withTokens } from '../token.ts'

export function dictionaryDecompounderFilter(
  settings: ComponentSettings,
  environment: AnalysisEnvironment,
): TokenFilter {
  if (!settings.has('word_list') && !settings.has('word_list_path')) {
    throw illegalArgument(`word_list must be provided for [${settings.name}], either as a path to a file, or directly`)
  }
  const words = wordsOf(settings, environment, 'word_list', false, [], false)
  const minWord = settings.integer('min_word_size', 5)
  const minPart = settings.integer('min_subword_size', 2)
  const maxPart = settings.integer('max_subword_size', 15)
  const onlyLongest = settings.boolean('only_longest_match', false)

  function parts(term: string): string[] {
    const found: string[] = []
    for (let start = 0; start + minPart <= term.length; start++) {
      let longest: string | undefined
      for (let size = minPart; size <= maxPart && start + size <= term.length; size++) {
        const part = term.slice(start, start + size)
        if (!words.has(part)) continue
        if (onlyLongest) longest = part
        else found.push(part)
      }
      if (longest !== undefined) found.push(longest)
    }
    return found
  }

  return (stream) =>
    withTokens(
      stream,
      stream.tokens.flatMap((token) =>
        token.term.length < minWord
          ? [token]
          : [token, ...parts(token.term).map((term) => ({ ...token, term, positionIncrement: 0 }))],
      ),
    )
}
