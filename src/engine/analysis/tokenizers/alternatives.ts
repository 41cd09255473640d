/** Tokenizes by a list of typed patterns: at each position the longest match wins, then the first. */
import type { Tokenizer } from '../registry/component.ts'
import { newToken, type StreamToken } from '../token.ts'

export interface TypedPattern {
  type: string
  /** A sticky expression. */
  pattern: RegExp
}

/** A match longer than `maxTokenLength` is dropped and leaves its position empty. */
export function alternativesTokenizer(patterns: readonly TypedPattern[], maxTokenLength: number): Tokenizer {
  return (text) => {
    const tokens: StreamToken[] = []
    let skipped = 0
    for (let at = 0; at < text.length; ) {
      let length = 0
      let type = ''
      for (const candidate of patterns) {
        candidate.pattern.lastIndex = at
        const match = candidate.pattern.exec(text)
        if (match !== null && match[0].length > length) {
          length = match[0].length
          type = candidate.type
        }
      }
      if (length === 0) {
        at += text.codePointAt(at)! > 0xffff ? 2 : 1
        continue
      }
      if (length > maxTokenLength) skipped++
      else {
        const token = newToken(text.slice(at, at + length), at, at + length, type)
        token.positionIncrement += skipped
        skipped = 0
        tokens.push(token)
      }
      at += length
    }
    return { tokens, trailingIncrement: skipped, endOffset: text.length }
  }
}
