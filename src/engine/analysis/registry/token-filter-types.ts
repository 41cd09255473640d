/** The list of token filters. */

import { arabicStem } from '../stemmers/arabic.ts'
import { brazilianStem } from '../stemmers/brazilian.ts'
import { czechStem } from '../stemmers/czech.ts'
import { germanStem } from '../stemmers/german.ts'
import { kStem } from '../stemmers/kstem.ts'
import { persianStem } from '../stemmers/persian.ts'
import { porterStem } from '../stemmers/porter.ts'
import { snowballStemmer } from '../stemmers/snowball.ts'
import { synonymFilter, synonymGraphFilter } from '../synonyms/synonym-filters.ts'
import { asciiFoldingFilter } from '../token-filters/ascii-folding.ts'
import { cjkBigramFilter, cjkWidthFilter } from '../token-filters/cjk-filters.ts'
import { commonGramsFilter } from '../token-filters/common-grams.ts'
import { dictionaryDecompounderFilter, hyphenationDecompounderFilter } from '../token-filters/decompound.ts'
import { fingerprintFilter } from '../token-filters/fingerprint.ts'
import { flattenGraphFilter } from '../token-filters/flatten-graph.ts'
import { normalizeBengali, normalizeIndic } from '../token-filters/indic-normalization.ts'
import { keywordMarkerFilter, keywordRepeatFilter, stemmerOverrideFilter } from '../token-filters/keyword-filters.ts'
import { lowercaseFilter, uppercaseFilter } from '../token-filters/lowercase.ts'
import { mapTerms, stemTerms } from '../token-filters/map-terms.ts'
import { minHashFilter } from '../token-filters/min-hash.ts'
import { multiplexerFilter } from '../token-filters/multiplexer.ts'
import { edgeNgramFilter, ngramFilter } from '../token-filters/ngram-filters.ts'
import {
  foldScandinavian,
  type Normalize,
  normalizeArabic,
  normalizeGerman,
  normalizeHindi,
  normalizePersian,
  normalizeScandinavian,
  normalizeSerbian,
  normalizeSorani,
} from '../token-filters/normalization-filters.ts'
import { patternCaptureFilter, patternReplaceFilter } from '../token-filters/pattern-filters.ts'
import { delimitedPayloadFilter, typeAsPayloadFilter } from '../token-filters/payload-filters.ts'
import { conditionFilter, predicateFilter } from '../token-filters/script-filters.ts'
import {
  keepFilter,
  keepTypesFilter,
  lengthFilter,
  limitFilter,
  removeDuplicatesFilter,
  uniqueFilter,
} from '../token-filters/selecting-filters.ts'
import { shingleFilter } from '../token-filters/shingle.ts'
import { snowballFilter, stemmerFilter } from '../token-filters/stemmer-filters.ts'
import { stopFilter } from '../token-filters/stop.ts'
import {
  apostropheFilter,
  classicFilter,
  decimalDigitFilter,
  elisionFilter,
  FRENCH_ARTICLES,
  reverseFilter,
  trimFilter,
  truncateFilter,
} from '../token-filters/text-filters.ts'
import { wordDelimiterFilter } from '../token-filters/word-delimiter.ts'
import { wordDelimiterGraphFilter } from '../token-filters/word-delimiter-graph.ts'
import type { TokenFilterType } from './component-types.ts'

const normalization = (normalize: Normalize): TokenFilterType => ({
  build: () => mapTerms(normalize),
  normalizes: true,
})
const stemming = (stem: (word: string) => string): TokenFilterType => ({ build: () => stemTerms(stem) })

export const TOKEN_FILTER_TYPES: Readonly<Record<string, TokenFilterType>> = {
  apostrophe: { build: apostropheFilter },
  arabic_normalization: normalization(normalizeArabic),
  arabic_stem: stemming(arabicStem),
  asciifolding: { build: asciiFoldingFilter, normalizes: true },
  bengali_normalization: normalization(normalizeBengali),
  brazilian_stem: stemming(brazilianStem),
  cjk_bigram: { build: cjkBigramFilter, synonyms: 'refuse' },
  cjk_width: { build: cjkWidthFilter, normalizes: true },
  classic: { build: classicFilter },
  common_grams: { build: commonGramsFilter, synonyms: 'refuse', named: { common_words: [] } },
  czech_stem: stemming(czechStem),
  decimal_digit: { build: decimalDigitFilter, normalizes: true },
  delimited_payload: { build: delimitedPayloadFilter },
  dictionary_decompounder: { build: dictionaryDecompounderFilter, named: false },
  dutch_stem: stemming(snowballStemmer('dutch')),
  edge_ngram: { build: edgeNgramFilter, synonyms: 'refuse' },
  elision: { build: elisionFilter, normalizes: true, named: { articles: FRENCH_ARTICLES, articles_case: 'true' } },
  fingerprint: { build: fingerprintFilter, synonyms: 'refuse' },
  flatten_graph: { build: flattenGraphFilter },
  french_stem: stemming(snowballStemmer('french')),
  german_normalization: normalization(normalizeGerman),
  german_stem: stemming(germanStem),
  hindi_normalization: normalization(normalizeHindi),
  hyphenation_decompounder: { build: hyphenationDecompounderFilter, named: false },
  indic_normalization: normalization(normalizeIndic),
  keep: { build: keepFilter, named: false },
  keep_types: { build: keepTypesFilter, named: false },
  keyword_marker: { build: keywordMarkerFilter, named: false },
  keyword_repeat: { build: keywordRepeatFilter, synonyms: 'refuse' },
  kstem: stemming(kStem),
  length: { build: lengthFilter },
  condition: { buildInChain: conditionFilter, synonyms: 'refuse', named: false },
  limit: { build: limitFilter },
  lowercase: { build: lowercaseFilter, normalizes: true },
  min_hash: { build: minHashFilter, synonyms: 'refuse' },
  multiplexer: { buildInChain: multiplexerFilter, synonyms: 'refuse' },
  ngram: { build: ngramFilter, synonyms: 'refuse' },
  pattern_capture: { build: patternCaptureFilter, named: false },
  predicate_token_filter: { build: predicateFilter, synonyms: 'refuse', named: false },
  pattern_replace: { build: patternReplaceFilter, normalizes: true, named: false },
  persian_normalization: normalization(normalizePersian),
  persian_stem: stemming(persianStem),
  porter_stem: stemming(porterStem),
  remove_duplicates: { build: removeDuplicatesFilter },
  reverse: { build: reverseFilter },
  russian_stem: stemming(snowballStemmer('russian')),
  scandinavian_folding: normalization(foldScandinavian),
  scandinavian_normalization: normalization(normalizeScandinavian),
  serbian_normalization: normalization(normalizeSerbian),
  shingle: { build: shingleFilter, synonyms: 'refuse' },
  snowball: { build: snowballFilter },
  sorani_normalization: normalization(normalizeSorani),
  stemmer: { build: stemmerFilter },
  stemmer_override: { build: stemmerOverrideFilter, named: false },
  stop: { build: stopFilter },
  synonym: { buildInChain: synonymFilter, synonyms: 'skip', named: false },
  synonym_graph: { buildInChain: synonymGraphFilter, synonyms: 'skip', named: false },
  trim: { build: trimFilter, normalizes: true },
  truncate: { build: truncateFilter, named: { length: '10' } },
  type_as_payload: { build: typeAsPayloadFilter },
  unique: { build: uniqueFilter },
  uppercase: { build: uppercaseFilter, normalizes: true },
  word_delimiter: { build: wordDelimiterFilter, synonyms: 'refuse' },
  word_delimiter_graph: { build: wordDelimiterGraphFilter, synonyms: 'refuse' },
}
