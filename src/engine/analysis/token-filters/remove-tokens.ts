import type { TokenFilter } from '../registry/component.ts'
import { type StreamToken, withTokens } from '../token.ts'

/** A filter that drops tokens and leaves their positions empty, so that phrases keep their distances. */
export function keepTokens(keep: (token: StreamToken) => boolean): TokenFilter {
  return (stream) => {
    const kept: StreamToken[] = []
    let skipped = 0
    for (const token of stream.tokens) {
      if (keep(token)) {
        token.positionIncrement += skipped
        skipped = 0
        kept.push(token)
      } else skipped += token.positionIncrement
    }
    const result = withTokens(stream, kept)
    result.trailingIncrement += skipped
    return result
  }
}
