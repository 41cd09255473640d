import type { TokenFilter } from '../component.ts'

/** A filter that changes each term by itself. */
export function mapTerms(map: (term: string) => string): TokenFilter {
  return (stream) => {
    for (const token of stream.tokens) token.term = map(token.term)
    return stream
  }
}

/** A stemmer: terms marked as keywords stay as they are. */
export function stemTerms(stem: (term: string) => string): TokenFilter {
  const filter: TokenFilter = (stream) => {
    for (const token of stream.tokens) if (!token.keyword) token.term = stem(token.term)
    return stream
  }
  return Object.assign(filter, { attributes: ['keyword'] as const })
}
