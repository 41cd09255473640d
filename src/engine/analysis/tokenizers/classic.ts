/**
 * `classic`: a grammar for European text that recognizes acronyms, companies, e-mail addresses, host names and numbers.
 */
import type { Tokenizer } from '../registry/component.ts'
import { alternativesTokenizer, type TypedPattern } from './alternatives.ts'

const CJ =
  '\\u3100-\\u312f\\u3040-\\u309f\\u30a0-\\u30ff\\u31f0-\\u31ff\\u3300-\\u337f\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\uff65-\\uff9f'
const LETTER = `(?:(?![${CJ}])\\p{L})`
const ALPHA = `${LETTER}+`
const ALPHANUM = `(?:${LETTER}|\\p{Nd})+`
// The look-ahead keeps this linear. Two stars around the digit would try every split of a long number.
const HAS_DIGIT = `(?=${LETTER}*\\p{Nd})${ALPHANUM}`
const P = '[_\\-/.,]'

const typed = (type: string, source: string): TypedPattern => ({ type, pattern: new RegExp(source, 'uy') })

/** Compiled with the first tokenizer, because most nodes never need it. */
const patterns = () => [
  typed('<ALPHANUM>', ALPHANUM),
  typed('<APOSTROPHE>', `${ALPHA}(?:'${ALPHA})+`),
  typed('<ACRONYM>', `${LETTER}\\.(?:${LETTER}\\.)+`),
  typed('<COMPANY>', `${ALPHA}[&@]${ALPHA}`),
  typed('<EMAIL>', `${ALPHANUM}(?:[.\\-_]${ALPHANUM})*@${ALPHANUM}(?:[.\\-]${ALPHANUM})+`),
  typed('<HOST>', `${ALPHANUM}(?:\\.${ALPHANUM})+`),
  // Parts joined by punctuation, every second of which has a digit: serial and model numbers, addresses, dates.
  typed('<NUM>', `${ALPHANUM}${P}${HAS_DIGIT}(?:${P}${ALPHANUM}${P}${HAS_DIGIT})*(?:${P}${ALPHANUM})?`),
  typed('<NUM>', `${HAS_DIGIT}${P}${ALPHANUM}(?:${P}${HAS_DIGIT}${P}${ALPHANUM})*(?:${P}${HAS_DIGIT})?`),
  typed('<CJ>', `[${CJ}]`),
]

export function classicTokenizer(maxTokenLength: number): Tokenizer {
  return alternativesTokenizer(patterns(), maxTokenLength)
}
