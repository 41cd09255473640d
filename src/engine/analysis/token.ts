/** What flows through an analysis chain. */

/** A token between the components of a chain. Filters change it in place where they can. */
export interface StreamToken {
  term: string
  /** Offsets count UTF-16 units of the original text. */
  startOffset: number
  endOffset: number
  type: string
  /** Distance to the token before: 1 for the next word, 0 for the same place, more across removed words. */
  positionIncrement: number
  /** How many positions the token spans; more than 1 only in graphs (synonyms of several words). */
  positionLength: number
  /** Protected from stemming (`keyword_marker`). */
  keyword: boolean
  payload: Uint8Array | undefined
}

/** All tokens of one text. Chains work on whole texts: a field's value fits in memory, and lists are easy to look ahead in. */
export interface TokenStream {
  tokens: StreamToken[]
  /** Positions that passed after the last token, such as trailing stop words. */
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

/** A stream of these tokens that otherwise ends like `stream`. */
export function withTokens(stream: TokenStream, tokens: StreamToken[]): TokenStream {
  return { tokens, trailingIncrement: stream.trailingIncrement, endOffset: stream.endOffset }
}

/** Absolute positions. A stream begins at -1, so that a first increment of 1 is position 0. */
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
