/** The data that flows through an analysis chain. */

/** A token between the components of a chain. Filters modify it in place where possible. */
export interface StreamToken {
  term: string
  /** Offsets count UTF-16 units of the original text. */
  startOffset: number
  endOffset: number
  type: string
  /** Distance to the previous token: 1 for the next word, 0 for the same position, more after removed words. */
  positionIncrement: number
  /** The number of positions the token spans; more than 1 only in graphs (multi-word synonyms). */
  positionLength: number
  /** Protected from stemming (`keyword_marker`). */
  keyword: boolean
  payload: Uint8Array | undefined
}

/**
 * All tokens of one text. Chains process whole texts, because a field value fits in memory and lists allow look-ahead.
 */
export interface TokenStream {
  tokens: StreamToken[]
  /** Position increment after the last token, such as for trailing stop words. */
  trailingIncrement: number
  /** Length of the original text. */
  endOffset: number
}

/** A token as queries, highlighting and `_analyze` see it. */
export interface Token {
  term: string
  startOffset: number
  endOffset: number
  type: string
  position: number
  positionLength: number
}

export function newToken(term: string, startOffset: number, endOffset: number, type: string): StreamToken {
  return {
    term,
    startOffset,
    endOffset,
    type,
    positionIncrement: 1,
    positionLength: 1,
    keyword: false,
    payload: undefined,
  }
}

/** A stream of these tokens with the end of `stream`. */
export function withTokens(stream: TokenStream, tokens: StreamToken[]): TokenStream {
  return { tokens, trailingIncrement: stream.trailingIncrement, endOffset: stream.endOffset }
}

/** Absolute positions. A stream starts at -1, so that a first increment of 1 is position 0. */
export function withPositions(stream: TokenStream): Token[] {
  let position = -1
  return stream.tokens.map((token) => {
    position += token.positionIncrement
    return {
      term: token.term,
      startOffset: token.startOffset,
      endOffset: token.endOffset,
      type: token.type,
      position,
      positionLength: token.positionLength,
    }
  })
}
