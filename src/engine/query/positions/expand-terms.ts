/** The terms of a shard that a multi-term query (prefix, wildcard, regexp, fuzzy, range) matches. */
import type { SearchExecutionContext, Weight } from '../../scoring/query.ts'
import type { WordVisitor } from '../../scoring/word-visitor.ts'

export interface ExpandedTerms {
  readonly field: string | undefined
  readonly terms: readonly Uint8Array[]
}

export function expandedTerms(context: SearchExecutionContext, query: Pick<Weight, 'words'>): ExpandedTerms {
  const found = new Map<string, Uint8Array>()
  let field: string | undefined
  const add = (term: Uint8Array) => found.set(Buffer.from(term).toString('latin1'), term.slice())
  const visitor: WordVisitor = {
    term(name, term) {
      field = name
      add(term)
    },
    expanded(name, term) {
      field = name
      add(term)
    },
    near(name, term) {
      field = name
      add(term)
    },
    terms(name, matches) {
      field = name
      for (const { reader } of context.view.segments) {
        const terms = reader.terms(name)
        for (let ordinal = 0; ordinal < (terms?.termCount ?? 0); ordinal++) {
          const term = terms!.term(ordinal)
          if (matches(term)) add(term)
        }
      }
    },
    phrase: () => undefined,
    within: (_query, visitInside) => visitInside(),
    nested: (visitInside) => visitInside(),
  }
  query.words?.(visitor)
  return { field, terms: [...found.values()].sort(Buffer.compare) }
}
