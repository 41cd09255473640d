/** The built-in stop word lists by their names in settings: `_english_`, `_french_`, … */
import { STOP_WORDS } from './stop-words.generated.ts'

/** Deliberately short: words without meaning in nearly every English text. */
export const ENGLISH: readonly string[] = (
  'a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was ' +
  'will with'
).split(' ')

/** The stop words of a language; empty if there is no list. */
export function stopWordsIn(language: string): readonly string[] {
  if (language === 'english') return ENGLISH
  return Object.hasOwn(STOP_WORDS, language) ? STOP_WORDS[language]!.split('|') : []
}

/** The list that a setting names; undefined if the text is an ordinary word. */
export function stopWordList(name: string): readonly string[] | undefined {
  if (name === '_none_') return []
  const language = /^_(\w+)_$/.exec(name)?.[1]
  if (language === undefined) return undefined
  return language === 'english' || Object.hasOwn(STOP_WORDS, language) ? stopWordsIn(language) : undefined
}
