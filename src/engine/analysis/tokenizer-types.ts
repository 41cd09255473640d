/** Every tokenizer that settings can name. */
import { illegalArgument } from '../../base/api-error.ts'
import { isLetter, isWhitespace } from './character-classes.ts'
import type { ComponentSettings } from './component-settings.ts'
import type { TokenizerType } from './component-types.ts'
import { characterTokenizer } from './tokenizers/character-tokenizer.ts'
import { keywordTokenizer } from './tokenizers/keyword.ts'
import { DEFAULT_MAX_TOKEN_LENGTH, standardTokenizer } from './tokenizers/standard.ts'

export function maxTokenLength(settings: ComponentSettings): number {
  const length = settings.integer('max_token_length', DEFAULT_MAX_TOKEN_LENGTH)
  if (length < 1) throw illegalArgument('maxTokenLength must be greater than zero')
  return length
}

const ofLetters = (lower: boolean) =>
  characterTokenizer({ isTokenChar: isLetter, maxTokenLength: DEFAULT_MAX_TOKEN_LENGTH, lower })

export const TOKENIZER_TYPES: Readonly<Record<string, TokenizerType>> = {
  keyword: { build: keywordTokenizer },
  letter: { build: () => ofLetters(false) },
  lowercase: { build: () => ofLetters(true) },
  standard: { build: (settings) => standardTokenizer(maxTokenLength(settings)) },
  whitespace: {
    build: (settings) =>
      characterTokenizer({
        isTokenChar: (codePoint) => !isWhitespace(codePoint),
        maxTokenLength: maxTokenLength(settings),
      }),
  },
}
