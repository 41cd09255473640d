import type { TokenFilter } from '../registry/component.ts'

/** A filter that changes each term separately. */
export function mapTerms(map: (term: string) => string): TokenFilter {
  const filter: TokenFilter = (stream) => {
    for (const token of stream.tokens) token.term = map(token.term)
    return stream
  }
  return Object.assign(filter, { onTerm: map })
}

/** Size of the stem cache. Words repeat, and stemming costs more than a lookup. */
const STEMS_REMEMBERED = 10_000

/** A stemmer filter: terms marked as keywords stay unchanged. */
export function stemTerms(stem: (term: string) => string): TokenFilter {
  const known = new Map<string, string>()
  const filter: TokenFilter = (stream) => {
    for (const token of stream.tokens) {
      if (token.keyword) continue
      let stemmed = known.get(token.term)
      if (stemmed === undefined) {
        stemmed = stem(token.term)
        if (known.size === STEMS_REMEMBERED) known.clear()
        known.set(token.term, stemmed)
      }
      token.term = stemmed
    }
    return stream
  }
  // A stemmer is a function of one term, unless a filter before it marks keywords, and such filters are not.
  return Object.assign(filter, { attributes: ['keyword'] as const, onTerm: stem })
}
