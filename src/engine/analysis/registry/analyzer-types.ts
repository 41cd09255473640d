/** The list of built-in analyzers. */
import { illegalArgument } from '../../../base/api-error.ts'
import { isLetter, isWhitespace } from '../character-classes.ts'
import type { Chain } from '../index-analyzers/choose.ts'
import { javaFlags, javaPattern } from '../java-pattern.ts'
import { withoutPossessive } from '../stemmers/english.ts'
import { ENGLISH, stopWordsIn } from '../stop-words/stop-word-lists.ts'
import { stopWordsOf, type WordSet } from '../stop-words/stop-word-settings.ts'
import { foldToAscii } from '../token-filters/ascii-folding.ts'
import { fingerprintFilter } from '../token-filters/fingerprint.ts'
import { lowercaseFilter, turkishLowerCase } from '../token-filters/lowercase.ts'
import { mapTerms } from '../token-filters/map-terms.ts'
import { snowballFilter } from '../token-filters/stemmer-filters.ts'
import { removeWords } from '../token-filters/stop.ts'
import { characterTokenizer } from '../tokenizers/character-tokenizer.ts'
import { keywordTokenizer } from '../tokenizers/keyword.ts'
import { wordTokenLength } from '../tokenizers/max-token-length.ts'
import { split } from '../tokenizers/pattern.ts'
import { DEFAULT_MAX_TOKEN_LENGTH, standardTokenizer } from '../tokenizers/standard.ts'
import type { TokenFilter } from './component.ts'
import { ComponentSettings } from './component-settings.ts'
import type { AnalysisEnvironment, AnalyzerType } from './component-types.ts'
import { LANGUAGE_ANALYZERS } from './language-analyzers.ts'

const lowercase = lowercaseFilter(new ComponentSettings('lowercase'))
const stop = (words: WordSet): TokenFilter[] => (words.words.size === 0 ? [] : [removeWords(words)])
const letters = () =>
  characterTokenizer({ isTokenChar: isLetter, maxTokenLength: DEFAULT_MAX_TOKEN_LENGTH, lower: true })

function patternAnalyzer(settings: ComponentSettings, environment: AnalysisEnvironment): Chain {
  const source = settings.string('pattern') ?? '\\W+'
  if (source === '') throw illegalArgument(`Analyzer [${settings.name}] of type pattern must have a \`pattern\` set`)
  const pattern = javaPattern(source, javaFlags(settings.string('flags')))
  return {
    charFilters: [],
    tokenizer: (text) => split(text, pattern),
    filters: [
      ...(settings.boolean('lowercase', true) ? [lowercase] : []),
      ...stop(stopWordsOf(settings, environment, [])),
    ],
  }
}

function fingerprintAnalyzer(settings: ComponentSettings, environment: AnalysisEnvironment): Chain {
  return {
    charFilters: [],
    tokenizer: standardTokenizer(),
    filters: [
      ...[lowercase, mapTerms(foldToAscii), ...stop(stopWordsOf(settings, environment, []))],
      fingerprintFilter(settings),
    ],
  }
}

/** The predecessor of the language analyzers: Snowball's stemmer with the stop words of the language. */
function snowballAnalyzer(settings: ComponentSettings, environment: AnalysisEnvironment): Chain {
  const language = (settings.string('language') ?? settings.string('name') ?? 'English').toLowerCase()
  const words = ['english', 'porter'].includes(language) ? ENGLISH : snowballStopWords(language)
  return {
    charFilters: [],
    tokenizer: standardTokenizer(),
    filters: [
      ...(['english', 'porter', 'lovins'].includes(language) ? [mapTerms(withoutPossessive)] : []),
      language === 'turkish' ? mapTerms(turkishLowerCase) : lowercase,
      ...stop(stopWordsOf(settings, environment, words)),
      snowballFilter(settings),
    ],
  }
}

const snowballStopWords = (language: string) =>
  ['dutch', 'german', 'german2', 'french'].includes(language) ? stopWordsIn(language.replace('2', '')) : []

export const ANALYZER_TYPES: Readonly<Record<string, AnalyzerType>> = {
  ...LANGUAGE_ANALYZERS,
  // Words as the standard analyzer finds them; the name is kept for old indices.
  chinese: {
    build: (settings, environment) => ({
      charFilters: [],
      tokenizer: standardTokenizer(),
      filters: [lowercase, ...stop(stopWordsOf(settings, environment, ENGLISH))],
    }),
  },
  fingerprint: { build: fingerprintAnalyzer },
  keyword: { build: () => ({ charFilters: [], tokenizer: keywordTokenizer(), filters: [] }) },
  pattern: { build: patternAnalyzer },
  simple: { build: () => ({ charFilters: [], tokenizer: letters(), filters: [] }) },
  snowball: { build: snowballAnalyzer },
  standard: {
    build: (settings, environment) => ({
      charFilters: [],
      tokenizer: standardTokenizer(wordTokenLength(settings)),
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
