/**
 * Word boundaries by Unicode Standard Annex #29.
 *
 * The longest match wins; characters that match nothing are skipped. The scanner never looks further than
 * `maxTokenLength` UTF-16 units, so a longer word is split and each piece is matched again.
 */
import type { Tokenizer } from '../registry/component.ts'
import { newToken, type StreamToken } from '../token.ts'
import {
  acceptedType,
  CLASS_COUNT,
  DEAD_STATE,
  nextState,
  START_STATE,
  TOKEN_TYPES,
  wordBreakClass,
} from './word-breaks.ts'

export const DEFAULT_MAX_TOKEN_LENGTH = 255

export function standardTokenizer(maxTokenLength = DEFAULT_MAX_TOKEN_LENGTH): Tokenizer {
  const tokenize: Tokenizer = (text) => {
    const tokens: StreamToken[] = []
    let start = 0
    while (start < text.length) {
      const limit = Math.min(text.length, start + maxTokenLength)
      let state = START_STATE
      let end = -1
      let type = 0
      let at = start
      let firstWidth = 1
      while (at < limit) {
        const codePoint = text.codePointAt(at)!
        const width = codePoint > 0xffff ? 2 : 1
        if (at === start) firstWidth = width
        if (at + width > limit) break
        state = nextState[state * CLASS_COUNT + wordBreakClass(codePoint)]!
        if (state === DEAD_STATE) break
        at += width
        const accepted = acceptedType[state]!
        if (accepted !== 0) {
          end = at
          type = accepted
        }
      }
      if (end < 0) {
        start += firstWidth
        continue
      }
      tokens.push(newToken(text.slice(start, end), start, end, TOKEN_TYPES[type - 1]!))
      start = end
    }
    return { tokens, trailingIncrement: 0, endOffset: text.length }
  }
  return Object.assign(tokenize, { inBytes: { kind: 'standard', maxTokenLength } as const })
}
