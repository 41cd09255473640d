/** `stemmer`, `snowball` and the stemmers with a filter of their own. */
import { ApiError, illegalArgument } from '../../../base/api-error.ts'
import type { TokenFilter } from '../registry/component.ts'
import type { ComponentSettings } from '../registry/component-settings.ts'
import { german2Stem } from '../stemmers/german.ts'
import { hasSnowballStemmer, snowballStemmer } from '../stemmers/snowball.ts'
import { stemmerByName } from '../stemmers/stemmer-names.ts'
import { mapTerms, stemTerms } from './map-terms.ts'

export function stemmerFilter(settings: ComponentSettings): TokenFilter {
  const language = settings.string('language') ?? settings.string('name') ?? 'porter'
  const stem = stemmerByName(language)
  if (stem === undefined) throw unknownStemmer(language)
  // A possessive is not a stem: it is removed from protected words too.
  return /^possessive/.test(language) ? mapTerms(stem) : stemTerms(stem)
}

export function snowballFilter(settings: ComponentSettings): TokenFilter {
  const language = settings.string('language') ?? settings.string('name') ?? 'English'
  const name = language.toLowerCase()
  if (name === 'german2') return stemTerms(german2Stem)
  if (!hasSnowballStemmer(name)) throw unknownStemmer(language)
  return stemTerms(snowballStemmer(name))
}

function unknownStemmer(language: string): ApiError {
  const name = language.charAt(0).toUpperCase() + language.slice(1)
  return illegalArgument(
    `Invalid stemmer class specified: ${name}`,
    new ApiError(400, 'class_not_found_exception', `org.tartarus.snowball.ext.${name}Stemmer`),
  )
}
