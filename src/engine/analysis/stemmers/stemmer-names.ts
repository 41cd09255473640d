/** Stemmers by the names of the `stemmer` filter's `language` setting. */
import { arabicStem } from './arabic.ts'
import { bengaliStem } from './bengali.ts'
import { brazilianStem } from './brazilian.ts'
import { bulgarianStem } from './bulgarian.ts'
import { czechStem } from './czech.ts'
import { englishMinimalStem, withoutPossessive } from './english.ts'
import { estonianStem } from './estonian.ts'
import { finnishLightStem } from './finnish.ts'
import { frenchLightStem, frenchMinimalStem } from './french.ts'
import { german2Stem, germanLightStem, germanMinimalStem } from './german.ts'
import { greekStem } from './greek.ts'
import { hindiStem } from './hindi.ts'
import { hungarianLightStem } from './hungarian.ts'
import { indonesianStem } from './indonesian.ts'
import { italianLightStem } from './italian.ts'
import { kStem } from './kstem.ts'
import { latvianStem } from './latvian.ts'
import { lithuanianStem } from './lithuanian.ts'
import { norwegianLightStem, norwegianMinimalStem, nynorskLightStem, nynorskMinimalStem } from './norwegian.ts'
import { persianStem } from './persian.ts'
import { galicianMinimalStem, portugueseMinimalStem } from './plural-rules.ts'
import { porterStem } from './porter.ts'
import { portugueseLightStem } from './portuguese.ts'
import { russianLightStem } from './russian.ts'
import { hasSnowballStemmer, snowballStemmer } from './snowball.ts'
import { soraniStem } from './sorani.ts'
import { spanishLightStem } from './spanish.ts'
import { spanishPluralStem } from './spanish-plural.ts'
import { swedishLightStem } from './swedish.ts'

export type Stem = (word: string) => string

/** Stemmers other than Snowball's. A name with two spellings is listed twice. */
const OWN: Readonly<Record<string, Stem>> = {
  arabic: arabicStem,
  bengali: bengaliStem,
  brazilian: brazilianStem,
  bulgarian: bulgarianStem,
  czech: czechStem,
  english: porterStem,
  porter: porterStem,
  light_english: kStem,
  minimal_english: englishMinimalStem,
  possessive_english: withoutPossessive,
  estonian: estonianStem,
  lithuanian: lithuanianStem,
  light_french: frenchLightStem,
  minimal_french: frenchMinimalStem,
  light_german: germanLightStem,
  minimal_german: germanMinimalStem,
  german2: german2Stem,
  greek: greekStem,
  hindi: hindiStem,
  indonesian: (word) => indonesianStem(word),
  light_italian: italianLightStem,
  light_portuguese: portugueseLightStem,
  minimal_portuguese: portugueseMinimalStem,
  minimal_galician: galicianMinimalStem,
  sorani: soraniStem,
  light_spanish: spanishLightStem,
  spanish_plural: spanishPluralStem,
  light_finnish: finnishLightStem,
  light_hungarian: hungarianLightStem,
  latvian: latvianStem,
  light_norwegian: norwegianLightStem,
  minimal_norwegian: norwegianMinimalStem,
  light_nynorsk: nynorskLightStem,
  minimal_nynorsk: nynorskMinimalStem,
  persian: persianStem,
  light_russian: russianLightStem,
  light_swedish: swedishLightStem,
}

/** `porter2` is Snowball's English stemmer, while `english` is Porter's original. */
const SNOWBALL_NAMES: Readonly<Record<string, string>> = { porter2: 'english', nynorsk: 'norwegian' }

export function stemmerByName(name: string): Stem | undefined {
  const plain = name.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase()
  if (Object.hasOwn(OWN, plain)) return OWN[plain]
  const snowball = SNOWBALL_NAMES[plain] ?? plain
  return hasSnowballStemmer(snowball) ? snowballStemmer(snowball) : undefined
}
