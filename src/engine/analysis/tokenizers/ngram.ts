/** `ngram` and `edge_ngram` tokenizers: substrings of the words formed by the allowed character classes. */

import { illegalArgument } from '../../../base/api-error.ts'
import { minGramTooLarge, minGramTooSmall } from '../../../base/errors/analysis-errors.ts'
import { CHARACTER_CLASSES } from '../character-classes.ts'
import type { Tokenizer } from '../registry/component.ts'
import type { ComponentSettings } from '../registry/component-settings.ts'
import type { AnalysisEnvironment } from '../registry/component-types.ts'
import { newToken, type StreamToken } from '../token.ts'

export function checkGramSizes(min: number, max: number, environment: AnalysisEnvironment): void {
  const allowed = environment.limits.integer('max_ngram_diff', 1)
  if (max - min > allowed) {
    throw illegalArgument(
      'The difference between max_gram and min_gram in NGram Tokenizer must be less than or equal to: ' +
        `[${allowed}] but was [${max - min}]. This limit can be set by changing the [index.max_ngram_diff] index level setting.`,
    )
  }
  if (min < 1) throw minGramTooSmall()
  if (min > max) throw minGramTooLarge()
}

export function ngramTokenizer(settings: ComponentSettings, environment: AnalysisEnvironment): Tokenizer {
  const min = settings.integer('min_gram', 1)
  const max = settings.integer('max_gram', 2)
  checkGramSizes(min, max, environment)
  const isTokenChar = tokenChars(settings)
  return (text) => {
    const tokens: StreamToken[] = []
    for (const word of words(text, isTokenChar)) {
      for (let start = 0; start < word.length - 1; start++) {
        for (let size = min; size <= max && start + size < word.length; size++) {
          tokens.push(piece(text, word[start]!, word[start + size]!))
        }
      }
    }
    return { tokens, trailingIncrement: 0, endOffset: text.length }
  }
}

export function edgeNgramTokenizer(settings: ComponentSettings): Tokenizer {
  const min = settings.integer('min_gram', 1)
  const max = settings.integer('max_gram', 2)
  if (min < 1) throw minGramTooSmall()
  if (min > max) throw minGramTooLarge()
  const isTokenChar = tokenChars(settings)
  return (text) => {
    const tokens: StreamToken[] = []
    for (const word of words(text, isTokenChar)) {
      for (let size = min; size <= max && size < word.length; size++) tokens.push(piece(text, word[0]!, word[size]!))
    }
    return { tokens, trailingIncrement: 0, endOffset: text.length }
  }
}

function piece(text: string, start: number, end: number): StreamToken {
  return newToken(text.slice(start, end), start, end, 'word')
}

/** Each run of allowed characters as the offsets of its code points, with the end of the run as the last entry. */
function* words(text: string, isTokenChar: (codePoint: number) => boolean): Generator<number[]> {
  let word: number[] = []
  for (let i = 0; i < text.length; ) {
    const codePoint = text.codePointAt(i)!
    if (isTokenChar(codePoint)) word.push(i)
    else if (word.length > 0) {
      yield [...word, i]
      word = []
    }
    i += codePoint > 0xffff ? 2 : 1
  }
  if (word.length > 0) yield [...word, text.length]
}

function tokenChars(settings: ComponentSettings): (codePoint: number) => boolean {
  const names = settings.list('token_chars') ?? []
  if (names.length === 0) return () => true
  const kinds = names.map((name) => {
    const kind = CHARACTER_CLASSES[name.trim().toLowerCase()]
    if (kind !== undefined) return kind
    if (name.trim() === 'custom') {
      const custom = settings.string('custom_token_chars')
      if (custom === undefined) {
        throw illegalArgument("Token type: 'custom' requires setting `custom_token_chars`")
      }
      const set = new Set([...custom].map((char) => char.codePointAt(0)!))
      return (codePoint: number) => set.has(codePoint)
    }
    throw illegalArgument(
      `Unknown token type: '${name.toLowerCase()}', must be one of [symbol, private_use, paragraph_separator, ` +
        'start_punctuation, unassigned, enclosing_mark, connector_punctuation, letter_number, other_number, math_symbol, ' +
        'lowercase_letter, space_separator, surrogate, initial_quote_punctuation, decimal_digit_number, digit, ' +
        'other_punctuation, dash_punctuation, currency_symbol, non_spacing_mark, custom, format, modifier_letter, control, ' +
        'uppercase_letter, other_symbol, end_punctuation, modifier_symbol, other_letter, line_separator, ' +
        'titlecase_letter, letter, punctuation, combining_spacing_mark, final_quote_punctuation, whitespace]',
    )
  })
  return (codePoint) => kinds.some((kind) => kind(codePoint))
}
