/** The whole text as one token, even if it is empty. */
import type { Tokenizer } from '../registry/component.ts'
import { newToken } from '../token.ts'

export function keywordTokenizer(): Tokenizer {
  const tokenize: Tokenizer = (text) => ({
    tokens: [newToken(text, 0, text.length, 'word')],
    trailingIncrement: 0,
    endOffset: text.length,
  })
  return Object.assign(tokenize, { inBytes: { kind: 'whole' } as const })
}
