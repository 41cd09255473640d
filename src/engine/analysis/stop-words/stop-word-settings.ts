/** Parses `stopwords` settings: a list, `_none_`, or names of built-in lists such as `_english_`. */

import { lowerCase } from '../letter-case.ts'
import type { ComponentSettings } from '../registry/component-settings.ts'
import type { AnalysisEnvironment } from '../registry/component-types.ts'
import { stopWordList } from './stop-word-lists.ts'

export class WordSet {
  readonly words: ReadonlySet<string>
  readonly ignoreCase: boolean

  constructor(words: Iterable<string>, ignoreCase = false) {
    this.words = new Set(ignoreCase ? [...words].map(lowerCase) : words)
    this.ignoreCase = ignoreCase
  }

  has(term: string): boolean {
    return this.words.has(this.ignoreCase ? lowerCase(term) : term)
  }
}

export function stopWordsOf(
  settings: ComponentSettings,
  environment: AnalysisEnvironment,
  fallback: Iterable<string>,
  ignoreCase = settings.boolean('stopwords_case', false),
): WordSet {
  return wordsOf(settings, environment, 'stopwords', true, fallback, ignoreCase)
}

/** A list of words in a setting, or in the file named by `<setting>_path`. */
export function wordsOf(
  settings: ComponentSettings,
  environment: AnalysisEnvironment,
  key: string,
  named: boolean,
  fallback: Iterable<string>,
  ignoreCase: boolean,
): WordSet {
  const path = settings.string(`${key}_path`)
  const listed = path === undefined ? settings.list(key) : readWords(environment, `${key}_path`, path)
  if (listed === undefined) return new WordSet(fallback, ignoreCase)
  if (settings.string(key) === '_none_') return new WordSet([])
  const words = named ? listed.flatMap((word) => stopWordList(word) ?? [word]) : listed
  return new WordSet(words, ignoreCase)
}

function readWords(environment: AnalysisEnvironment, setting: string, path: string): string[] {
  return environment.readLines(setting, path).filter((line) => line !== '' && !line.startsWith('#'))
}
