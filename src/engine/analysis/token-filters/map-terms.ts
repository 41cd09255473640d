import type { TokenFilter } from '../registry/component.ts'

/** A filter that changes each term by itself. */
export function mapTerms(map: (term: string) => string): TokenFilter {
  const filter: TokenFilter = (stream) => {
    for (const token of stream.tokens) token.term = map(token.term)
    return stream
  }
  return Object.assign(filter, { onTerm: map })
}

/** Words of a text repeat, and stemming one costs more than looking it up. */
const STEMS_REMEMBERED = 10_000

/** A stemmer: terms marked as keywords stay as they are. */
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
  // Without a filter before it that marks keywords, which is no function of one term, a stemmer is one.
  return Object.assign(filter, { attributes: ['keyword'] as const, onTerm: stem })
}
