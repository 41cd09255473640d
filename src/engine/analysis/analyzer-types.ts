/** Every built-in analyzer. */
import { isLetter, isWhitespace } from './character-classes.ts'
import type { TokenFilter } from './component.ts'
import { ComponentSettings } from './component-settings.ts'
import type { AnalyzerType } from './component-types.ts'
import { ENGLISH } from './stop-words/stop-word-lists.ts'
import { stopWordsOf, type WordSet } from './stop-words/stop-word-settings.ts'
import { lowercaseFilter } from './token-filters/lowercase.ts'
import { removeWords } from './token-filters/stop.ts'
import { maxTokenLength } from './tokenizer-types.ts'
import { characterTokenizer } from './tokenizers/character-tokenizer.ts'
import { keywordTokenizer } from './tokenizers/keyword.ts'
import { DEFAULT_MAX_TOKEN_LENGTH, standardTokenizer } from './tokenizers/standard.ts'

const lowercase = lowercaseFilter(new ComponentSettings('lowercase'))
const stop = (words: WordSet): TokenFilter[] => (words.words.size === 0 ? [] : [removeWords(words)])
const letters = () =>
  characterTokenizer({ isTokenChar: isLetter, maxTokenLength: DEFAULT_MAX_TOKEN_LENGTH, lower: true })

export const ANALYZER_TYPES: Readonly<Record<string, AnalyzerType>> = {
  keyword: { build: () => ({ charFilters: [], tokenizer: keywordTokenizer(), filters: [] }) },
  simple: { build: () => ({ charFilters: [], tokenizer: letters(), filters: [] }) },
  standard: {
    build: (settings, environment) => ({
      charFilters: [],
      tokenizer: standardTokenizer(maxTokenLength(settings)),
      filters: [lowercase, ...stop(stopWordsOf(settings, environment, []))],
    }),
  },
  stop: {
    build: (settings, environment) => ({
      charFilters: [],
      tokenizer: letters(),
      filters: stop(stopWordsOf(settings, environment, ENGLISH)),
    }),
  },
  whitespace: {
    build: () => ({
      charFilters: [],
      tokenizer: characterTokenizer({
        isTokenChar: (codePoint) => !isWhitespace(codePoint),
        maxTokenLength: DEFAULT_MAX_TOKEN_LENGTH,
      }),
      filters: [],
    }),
  },
}
