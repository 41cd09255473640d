/** The queries of a search that have a `_name`: those of the query, the post filter and the rescorers. */
import type { Query } from '../../../engine/scoring/query.ts'
import { queriesWithName } from '../../../engine/search/fetch/matched-queries.ts'
import type { SearchBody } from '../request/search-body.ts'

export function namedQueriesOf({ query, postFilter, rescores }: SearchBody): Query[] {
  const all = [query, postFilter, ...rescores.map((rescore) => rescore.query)]
  return queriesWithName(...all.filter((one) => one !== undefined))
}
