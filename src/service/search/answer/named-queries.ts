/** The queries of a search whose `_name`s its hits show: the query, the post filter and the rescorers. */
import type { Query } from '../../../engine/scoring/query.ts'
import { queriesWithName } from '../../../engine/search/fetch/matched-queries.ts'
import type { SearchBody } from '../request/search-body.ts'

/** None if no clause has a name. */
export function queriesWithNames({ query, postFilter, rescores }: SearchBody): readonly Query[] {
  const all = [query, postFilter, ...rescores.map((rescore) => rescore.query)].filter((one) => one !== undefined)
  return queriesWithName(all).length === 0 ? [] : all
}
