/** The whole text as one token, even if it is empty. */
import type { Tokenizer } from '../registry/component.ts'
import type { ComponentSettings } from '../registry/component-settings.ts'
import { newToken } from '../token.ts'
import { characterTokenLength } from './max-token-length.ts'

export function keywordTokenizer(settings?: ComponentSettings): Tokenizer {
  // Texts are read whole, so the size itself changes nothing.
  if (settings !== undefined) characterTokenLength(settings, 'buffer_size', 256)
  const tokenize: Tokenizer = (text) => ({
    tokens: [newToken(text, 0, text.length, 'word')],
    trailingIncrement: 0,
    endOffset: text.length,
  })
  return Object.assign(tokenize, { inBytes: { kind: 'whole' } as const })
}
