/** The language analyzers: the filters that each applies to the tokens of the standard tokenizer. */
import { mapTexts } from '../char-filters/mapping.ts'
import { arabicStem } from '../stemmers/arabic.ts'
import { bengaliStem } from '../stemmers/bengali.ts'
import { brazilianStem } from '../stemmers/brazilian.ts'
import { bulgarianStem } from '../stemmers/bulgarian.ts'
import { czechStem } from '../stemmers/czech.ts'
import { withoutPossessive } from '../stemmers/english.ts'
import { estonianStem } from '../stemmers/estonian.ts'
import { frenchLightStem } from '../stemmers/french.ts'
import { germanLightStem } from '../stemmers/german.ts'
import { greekStem } from '../stemmers/greek.ts'
import { hindiStem } from '../stemmers/hindi.ts'
import { indonesianStem } from '../stemmers/indonesian.ts'
import { italianLightStem } from '../stemmers/italian.ts'
import { latvianStem } from '../stemmers/latvian.ts'
import { lithuanianStem } from '../stemmers/lithuanian.ts'
import { porterStem } from '../stemmers/porter.ts'
import { portugueseLightStem } from '../stemmers/portuguese.ts'
import { snowballStemmer } from '../stemmers/snowball.ts'
import { soraniStem } from '../stemmers/sorani.ts'
import { spanishLightStem } from '../stemmers/spanish.ts'
import { stopWordsIn } from '../stop-words/stop-word-lists.ts'
import { stopWordsOf, WordSet } from '../stop-words/stop-word-settings.ts'
import { cjkBigramFilter, cjkWidthFilter } from '../token-filters/cjk-filters.ts'
import { normalizeBengali, normalizeIndic } from '../token-filters/indic-normalization.ts'
import { overrideStems } from '../token-filters/keyword-filters.ts'
import { greekLowerCase, irishLowerCase, lowercaseFilter, turkishLowerCase } from '../token-filters/lowercase.ts'
import { mapTerms, stemTerms } from '../token-filters/map-terms.ts'
import {
  normalizeArabic,
  normalizeGerman,
  normalizeHindi,
  normalizePersian,
  normalizeSorani,
} from '../token-filters/normalization-filters.ts'
import { removeWords } from '../token-filters/stop.ts'
import { apostropheFilter, decimalDigitFilter, removeArticles } from '../token-filters/text-filters.ts'
import { standardTokenizer } from '../tokenizers/standard.ts'
import { thaiTokenizer } from '../tokenizers/thai.ts'
import type { CharFilter, TokenFilter, Tokenizer } from './component.ts'
import { ComponentSettings } from './component-settings.ts'
import type { AnalyzerType } from './component-types.ts'

interface LanguageRecipe {
  charFilters?: () => CharFilter[]
  tokenizer?: () => Tokenizer
  /** The filters in order; the stop filter and the stem exclusions come from the settings. */
  filters: (stop: TokenFilter, exclude: TokenFilter[]) => TokenFilter[]
}

const noSettings = new ComponentSettings('')
const lowercase = () => lowercaseFilter(noSettings)
const digits = () => decimalDigitFilter()

/** The common recipe: lower case, stop words, stemmer, with additional filters before. */
const plain = (stem: (word: string) => string, ...before: TokenFilter[]): LanguageRecipe => ({
  filters: (stop, exclude) => [...before, lowercase(), stop, ...exclude, stemTerms(stem)],
})

const articles = (list: string) => removeArticles(list.split(' '))

const CATALAN_ARTICLES = 'd l m n s t'
const IRISH_ARTICLES = 'd m b'
const ITALIAN_ARTICLES = 'c l all dall dell nell sull coll pell gl agl dagl degl negl sugl un m t s v d'

/** Words whose Snowball stem would collide with another word's. */
const DUTCH_STEMS = new Map([
  ['fiets', 'fiets'],
  ['bromfiets', 'bromfiets'],
  ['ei', 'eier'],
  ['kind', 'kinder'],
])

const RECIPES: Readonly<Record<string, LanguageRecipe>> = {
  arabic: {
    filters: (stop, exclude) => [
      ...[lowercase(), digits(), stop, mapTerms(normalizeArabic)],
      ...[...exclude, stemTerms(arabicStem)],
    ],
  },
  armenian: plain(snowballStemmer('armenian')),
  basque: plain(snowballStemmer('basque')),
  bengali: {
    filters: (stop, exclude) => [
      ...[lowercase(), digits(), ...exclude, mapTerms(normalizeIndic), mapTerms(normalizeBengali)],
      ...[stop, stemTerms(bengaliStem)],
    ],
  },
  brazilian: plain(brazilianStem),
  bulgarian: plain(bulgarianStem),
  catalan: plain(snowballStemmer('catalan'), articles(CATALAN_ARTICLES)),
  cjk: { filters: (stop) => [cjkWidthFilter(), lowercase(), cjkBigramFilter(noSettings), stop] },
  czech: plain(czechStem),
  danish: plain(snowballStemmer('danish')),
  dutch: {
    filters: (stop, exclude) => [
      ...[lowercase(), stop, ...exclude, overrideStems(DUTCH_STEMS)],
      stemTerms(snowballStemmer('dutch')),
    ],
  },
  english: plain(porterStem, mapTerms(withoutPossessive)),
  estonian: plain(estonianStem),
  finnish: plain(snowballStemmer('finnish')),
  french: plain(frenchLightStem, removeArticles()),
  german: {
    filters: (stop, exclude) => [lowercase(), stop, ...exclude, mapTerms(normalizeGerman), stemTerms(germanLightStem)],
  },
  greek: {
    filters: (stop, exclude) => [mapTerms(greekLowerCase), stop, ...exclude, stemTerms(greekStem)],
  },
  hindi: {
    filters: (stop, exclude) => [
      ...[lowercase(), digits(), ...exclude, mapTerms(normalizeIndic), mapTerms(normalizeHindi)],
      ...[stop, stemTerms(hindiStem)],
    ],
  },
  hungarian: plain(snowballStemmer('hungarian')),
  indonesian: plain((word) => indonesianStem(word)),
  irish: {
    filters: (stop, exclude) => [
      ...[removeWords(new WordSet(['h', 'n', 't'], true)), articles(IRISH_ARTICLES), mapTerms(irishLowerCase)],
      ...[stop, ...exclude, stemTerms(snowballStemmer('irish'))],
    ],
  },
  italian: plain(italianLightStem, articles(ITALIAN_ARTICLES)),
  latvian: plain(latvianStem),
  lithuanian: plain(lithuanianStem),
  norwegian: plain(snowballStemmer('norwegian')),
  persian: {
    // A zero-width non-joiner separates like a space.
    charFilters: () => [mapTexts(new Map([['\u200c', ' ']]))],
    filters: (stop) => [lowercase(), digits(), mapTerms(normalizeArabic), mapTerms(normalizePersian), stop],
  },
  portuguese: plain(portugueseLightStem),
  romanian: plain(snowballStemmer('romanian')),
  russian: plain(snowballStemmer('russian')),
  sorani: {
    filters: (stop, exclude) => [
      ...[mapTerms(normalizeSorani), lowercase(), digits(), stop],
      ...[...exclude, stemTerms(soraniStem)],
    ],
  },
  spanish: plain(spanishLightStem),
  swedish: plain(snowballStemmer('swedish')),
  thai: { tokenizer: thaiTokenizer, filters: (stop) => [lowercase(), digits(), stop] },
  turkish: {
    filters: (stop, exclude) => [
      ...[apostropheFilter(), mapTerms(turkishLowerCase), stop, ...exclude],
      stemTerms(snowballStemmer('turkish')),
    ],
  },
}

export const LANGUAGE_ANALYZERS: Readonly<Record<string, AnalyzerType>> = Object.fromEntries(
  Object.entries(RECIPES).map(([language, recipe]): [string, AnalyzerType] => [
    language,
    {
      build: (settings, environment) => {
        const stop = removeWords(stopWordsOf(settings, environment, stopWordsIn(language)))
        const excluded = new WordSet(settings.list('stem_exclusion') ?? [])
        const exclude: TokenFilter[] =
          excluded.words.size === 0
            ? []
            : [
                (stream) => {
                  for (const token of stream.tokens) if (excluded.has(token.term)) token.keyword = true
                  return stream
                },
              ]
        return {
          charFilters: recipe.charFilters?.() ?? [],
          tokenizer: recipe.tokenizer?.() ?? standardTokenizer(),
          filters: recipe.filters(stop, exclude),
        }
      },
    },
  ]),
)
