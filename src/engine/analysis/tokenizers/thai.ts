/** `thai`: Thai is written without spaces, so words come from the dictionary of Intl.Segmenter. */
import type { Tokenizer } from '../registry/component.ts'
import { newToken, type StreamToken } from '../token.ts'

const WORD = /[\p{L}\p{Nd}]/u

export function thaiTokenizer(): Tokenizer {
  let segmenter: Intl.Segmenter | undefined
  return (text) => {
    segmenter ??= new Intl.Segmenter('th', { granularity: 'word' })
    const tokens: StreamToken[] = []
    for (const { segment, index } of segmenter.segment(text)) {
      if (WORD.test(segment)) tokens.push(newToken(segment, index, index + segment.length, 'word'))
    }
    return { tokens, trailingIncrement: 0, endOffset: text.length }
  }
}
