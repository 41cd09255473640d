/** Tokens are runs of characters of one class: letters, or anything but white space. */

import { lowerCase } from '../letter-case.ts'
import type { Tokenizer } from '../registry/component.ts'
import { newToken, type StreamToken } from '../token.ts'

export interface CharacterTokenizerOptions {
  isTokenChar: (codePoint: number) => boolean
  /** Longer runs are split into pieces of this many UTF-16 units. */
  maxTokenLength: number
  lower?: boolean
}

export function characterTokenizer({
  isTokenChar,
  maxTokenLength,
  lower = false,
}: CharacterTokenizerOptions): Tokenizer {
  const tokenize: Tokenizer = (text) => {
    const tokens: StreamToken[] = []
    let start = -1
    const close = (end: number) => {
      const term = text.slice(start, end)
      tokens.push(newToken(lower ? lowerCase(term) : term, start, end, 'word'))
      start = -1
    }
    for (let i = 0; i < text.length; ) {
      const codePoint = text.codePointAt(i)!
      const width = codePoint > 0xffff ? 2 : 1
      if (isTokenChar(codePoint)) {
        if (start < 0) start = i
        if (i + width - start >= maxTokenLength) close(i + width)
      } else if (start >= 0) close(i)
      i += width
    }
    if (start >= 0) close(text.length)
    return { tokens, trailingIncrement: 0, endOffset: text.length }
  }
  return Object.assign(tokenize, { inBytes: { kind: 'characters', isTokenChar, maxTokenLength, lower } as const })
}
