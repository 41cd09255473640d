/** Every token filter that settings can name. */
import type { TokenFilterType } from './component-types.ts'
import { synonymFilter, synonymGraphFilter } from './synonyms/synonym-filters.ts'
import { cjkBigramFilter, cjkWidthFilter } from './token-filters/cjk-filters.ts'
import { commonGramsFilter } from './token-filters/common-grams.ts'
import { dictionaryDecompounderFilter } from './token-filters/decompound.ts'
import { fingerprintFilter } from './token-filters/fingerprint.ts'
import { flattenGraphFilter } from './token-filters/flatten-graph.ts'
import { keywordMarkerFilter, keywordRepeatFilter, stemmerOverrideFilter } from './token-filters/keyword-filters.ts'
import { lowercaseFilter, uppercaseFilter } from './token-filters/lowercase.ts'
import { multiplexerFilter } from './token-filters/multiplexer.ts'
import { edgeNgramFilter, ngramFilter } from './token-filters/ngram-filters.ts'
import { patternCaptureFilter, patternReplaceFilter } from './token-filters/pattern-filters.ts'
import { delimitedPayloadFilter, typeAsPayloadFilter } from './token-filters/payload-filters.ts'
import {
  keepFilter,
  keepTypesFilter,
  lengthFilter,
  limitFilter,
  removeDuplicatesFilter,
  uniqueFilter,
} from './token-filters/selecting-filters.ts'
import { shingleFilter } from './token-filters/shingle.ts'
import { stopFilter } from './token-filters/stop.ts'
import {
  apostropheFilter,
  classicFilter,
  decimalDigitFilter,
  elisionFilter,
  reverseFilter,
  trimFilter,
  truncateFilter,
} from './token-filters/text-filters.ts'
import { wordDelimiterFilter } from './token-filters/word-delimiter.ts'
import { wordDelimiterGraphFilter } from './token-filters/word-delimiter-graph.ts'

export const TOKEN_FILTER_TYPES: Readonly<Record<string, TokenFilterType>> = {
  apostrophe: { build: apostropheFilter },
  cjk_bigram: { build: cjkBigramFilter, synonyms: 'refuse' },
  cjk_width: { build: cjkWidthFilter, normalizes: true },
  classic: { build: classicFilter },
  common_grams: { build: commonGramsFilter, synonyms: 'refuse', named: false },
  decimal_digit: { build: decimalDigitFilter, normalizes: true },
  delimited_payload: { build: delimitedPayloadFilter },
  dictionary_decompounder: { build: dictionaryDecompounderFilter, synonyms: 'refuse', named: false },
  edge_ngram: { build: edgeNgramFilter, synonyms: 'refuse' },
  elision: { build: elisionFilter, normalizes: true },
  fingerprint: { build: fingerprintFilter, synonyms: 'refuse' },
  flatten_graph: { build: flattenGraphFilter },
  keep: { build: keepFilter, named: false },
  keep_types: { build: keepTypesFilter, named: false },
  keyword_marker: { build: keywordMarkerFilter, named: false },
  keyword_repeat: { build: keywordRepeatFilter, synonyms: 'refuse' },
  length: { build: lengthFilter },
  limit: { build: limitFilter },
  lowercase: { build: lowercaseFilter, normalizes: true },
  multiplexer: { buildInChain: multiplexerFilter, synonyms: 'skip', named: false },
  ngram: { build: ngramFilter, synonyms: 'refuse' },
  pattern_capture: { build: patternCaptureFilter, synonyms: 'refuse', named: false },
  pattern_replace: { build: patternReplaceFilter, normalizes: true, named: false },
  remove_duplicates: { build: removeDuplicatesFilter },
  reverse: { build: reverseFilter },
  shingle: { build: shingleFilter, synonyms: 'refuse' },
  stemmer_override: { build: stemmerOverrideFilter, named: false },
  stop: { build: stopFilter },
  synonym: { buildInChain: synonymFilter, synonyms: 'skip', named: false },
  synonym_graph: { buildInChain: synonymGraphFilter, synonyms: 'skip', named: false },
  trim: { build: trimFilter, normalizes: true },
  truncate: { build: truncateFilter, named: false },
  type_as_payload: { build: typeAsPayloadFilter },
  unique: { build: uniqueFilter },
  uppercase: { build: uppercaseFilter, normalizes: true },
  word_delimiter: { build: wordDelimiterFilter, synonyms: 'refuse' },
  word_delimiter_graph: { build: wordDelimiterGraphFilter, synonyms: 'refuse' },
}
