/**
 * Terms of which some are named in a list and others by a regular expression: `include` as a list with `exclude` as an
 * expression, or the other way round. OpenSearch refuses the mixture, so that the list becomes an expression.
 */
import type { JsonObject } from '../../service/metadata/metadata.ts'
import { aggregationsOf, changeAggregations, withAggregations } from './agg-tree.ts'
import type { Rewrite } from './search-rewrite.ts'

const KINDS: ReadonlySet<string> = new Set(['terms', 'rare_terms', 'significant_terms', 'significant_text'])
/** Everything that may be an operator. Letters are none, but some are classes after a backslash. */
const OPERATOR = /[^\p{L}\p{N}\s_]/gu

export const mixedTerms: Rewrite = (request) => {
  const aggregations = aggregationsOf(request)
  if (aggregations === undefined) return undefined
  const changed = changeAggregations(aggregations, ({ kind, options, definition }) => {
    const selection = KINDS.has(kind) ? withoutMixture(options) : undefined
    return selection && { definition: { ...definition, [kind]: selection } }
  })
  return changed && { request: withAggregations(request, changed.aggregations) }
}

function withoutMixture(options: JsonObject): JsonObject | undefined {
  const { include, exclude, ...rest } = options
  // An expression beside a list of no terms changes nothing.
  if (Array.isArray(include) && typeof exclude === 'string')
    return include.length === 0 ? { ...rest, include } : { ...rest, include: expressionOf(include), exclude }
  if (typeof include === 'string' && Array.isArray(exclude))
    return exclude.length === 0 ? { ...rest, include } : { ...rest, include, exclude: expressionOf(exclude) }
  return undefined
}

/** An expression of Lucene that matches these terms. */
function expressionOf(terms: readonly unknown[]): string {
  return terms.map((term) => (term === '' ? '()' : String(term).replace(OPERATOR, '\\$&'))).join('|')
}
