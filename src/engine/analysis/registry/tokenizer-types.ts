/** The list of tokenizers. */
import { isLetter, isWhitespace } from '../character-classes.ts'
import { charGroupTokenizer } from '../tokenizers/char-group.ts'
import { characterTokenizer } from '../tokenizers/character-tokenizer.ts'
import { classicTokenizer } from '../tokenizers/classic.ts'
import { keywordTokenizer } from '../tokenizers/keyword.ts'
import { characterTokenLength, wordTokenLength } from '../tokenizers/max-token-length.ts'
import { edgeNgramTokenizer, ngramTokenizer } from '../tokenizers/ngram.ts'
import { pathHierarchyTokenizer } from '../tokenizers/path-hierarchy.ts'
import { patternTokenizer, simplePatternSplitTokenizer, simplePatternTokenizer } from '../tokenizers/pattern.ts'
import { DEFAULT_MAX_TOKEN_LENGTH, standardTokenizer } from '../tokenizers/standard.ts'
import { thaiTokenizer } from '../tokenizers/thai.ts'
import { uaxUrlEmailTokenizer } from '../tokenizers/uax-url-email.ts'
import type { TokenizerType } from './component-types.ts'

const ofLetters = (lower: boolean) =>
  characterTokenizer({ isTokenChar: isLetter, maxTokenLength: DEFAULT_MAX_TOKEN_LENGTH, lower })

export const TOKENIZER_TYPES: Readonly<Record<string, TokenizerType>> = {
  PathHierarchy: { build: pathHierarchyTokenizer },
  char_group: { build: charGroupTokenizer },
  classic: { build: (settings) => classicTokenizer(wordTokenLength(settings, Number.POSITIVE_INFINITY)) },
  edge_ngram: { build: edgeNgramTokenizer },
  keyword: { build: keywordTokenizer },
  letter: { build: () => ofLetters(false) },
  lowercase: { build: () => ofLetters(true) },
  ngram: { build: ngramTokenizer },
  path_hierarchy: { build: pathHierarchyTokenizer },
  pattern: { build: patternTokenizer },
  simple_pattern: { build: simplePatternTokenizer },
  simple_pattern_split: { build: simplePatternSplitTokenizer },
  standard: { build: (settings) => standardTokenizer(wordTokenLength(settings)) },
  thai: { build: thaiTokenizer },
  uax_url_email: { build: (settings) => uaxUrlEmailTokenizer(wordTokenLength(settings)) },
  whitespace: {
    build: (settings) =>
      characterTokenizer({
        isTokenChar: (codePoint) => !isWhitespace(codePoint),
        maxTokenLength: characterTokenLength(settings, 'max_token_length', DEFAULT_MAX_TOKEN_LENGTH),
      }),
  },
}
