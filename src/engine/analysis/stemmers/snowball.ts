/**
 * The stemmers of the Snowball project.
 *
 * The package is large (all languages in one file) and most indices never stem, so it is loaded with the first stemmer.
 */
import { createRequire } from 'node:module'

interface SnowballPackage {
  newStemmer(language: string): { stem(word: string): string }
}

const LANGUAGES = new Set(
  (
    'armenian basque catalan danish dutch english finnish french german hungarian italian irish norwegian porter portuguese ' +
    'romanian russian spanish swedish turkish'
  ).split(' '),
)

let loaded: SnowballPackage | undefined

export const hasSnowballStemmer = (language: string): boolean => LANGUAGES.has(language)

export function snowballStemmer(language: string): (word: string) => string {
  let stemmer: { stem(word: string): string } | undefined
  return (word) => {
    if (stemmer === undefined) {
      loaded ??= createRequire(import.meta.url)('snowball-stemmers') as SnowballPackage
      stemmer = loaded.newStemmer(language)
    }
    return stemmer.stem(word)
  }
}
