/**
 * `dictionary_decompounder` and `hyphenation_decompounder`: add the known words inside a compound at its position. The
 * first tries every substring, the second those between hyphenation points.
 */
import { illegalArgument } from '../../../base/api-error.ts'
import type { TokenFilter } from '../registry/component.ts'
import type { ComponentSettings } from '../registry/component-settings.ts'
import type { AnalysisEnvironment } from '../registry/component-types.ts'
import { type WordSet, wordsOf } from '../stop-words/stop-word-settings.ts'
import { withTokens } from '../token.ts'
import { HyphenationPatterns } from './hyphenation.ts'

interface DecompoundOptions {
  readonly words: WordSet
  readonly minWord: number
  readonly minPart: number
  readonly maxPart: number
  readonly onlyLongest: boolean
}

function readOptions(settings: ComponentSettings, environment: AnalysisEnvironment): DecompoundOptions {
  if (!settings.has('word_list') && !settings.has('word_list_path')) {
    throw illegalArgument(`word_list must be provided for [${settings.name}], either as a path to a file, or directly`)
  }
  return {
    words: wordsOf(settings, environment, 'word_list', false, [], settings.boolean('word_list_case', false)),
    minWord: settings.integer('min_word_size', 5),
    minPart: settings.integer('min_subword_size', 2),
    maxPart: settings.integer('max_subword_size', 15),
    onlyLongest: settings.boolean('only_longest_match', false),
  }
}

export function dictionaryDecompounderFilter(
  settings: ComponentSettings,
  environment: AnalysisEnvironment,
): TokenFilter {
  const options = readOptions(settings, environment)
  const { words, minPart, maxPart, onlyLongest } = options
  return decompoundFilter(options, (term) => {
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
  })
}

export function hyphenationDecompounderFilter(
  settings: ComponentSettings,
  environment: AnalysisEnvironment,
): TokenFilter {
  const path = settings.string('hyphenation_patterns_path')
  if (path === undefined) throw illegalArgument('hyphenation_patterns_path is a required setting.')
  const patterns = HyphenationPatterns.fromXml(environment.readLines('hyphenation_patterns_path', path).join('\n'))
  if (patterns === undefined) throw illegalArgument('Exception while reading hyphenation_patterns_path.')
  const options = readOptions(settings, environment)
  return decompoundFilter(options, (term) => hyphenatedParts(term, patterns.breaksOf(term) ?? [], options))
}

function hyphenatedParts(term: string, breaks: readonly number[], options: DecompoundOptions): string[] {
  const { words, minPart, maxPart, onlyLongest } = options
  const found: string[] = []
  for (const [i, start] of breaks.entries()) {
    let longest: string | undefined
    for (const end of breaks.slice(i + 1)) {
      if (end - start > maxPart) break
      if (end - start < minPart) continue
      // One letter less is tried too, because compounds often join their words with an s.
      const part = [term.slice(start, end), term.slice(start, end - 1)].find((candidate) => words.has(candidate))
      if (part === undefined) continue
      if (!onlyLongest) found.push(part)
      else if (longest === undefined || part.length > longest.length) longest = part
    }
    if (longest !== undefined) found.push(longest)
  }
  return found
}

function decompoundFilter({ minWord }: DecompoundOptions, parts: (term: string) => string[]): TokenFilter {
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
