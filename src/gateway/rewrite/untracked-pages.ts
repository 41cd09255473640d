/**
 * Pages without a total. With `search_after` and `track_total_hits: false` OpenSearch leaves out shards by the least and
 * greatest value of the first sort field, which say nothing about documents without a value: those are lost without a
 * word, and a null in `search_after` fails the search. A total of one keeps it from doing so; it is not shown.
 */
import type { JsonObject } from '../../service/metadata/metadata.ts'
import { isObject } from './field-types.ts'
import type { Rewrite } from './search-rewrite.ts'

export const untrackedPages: Rewrite = (request, scope) => {
  const tracked = scope.parameter('track_total_hits') ?? request['track_total_hits']
  if (!Array.isArray(request['search_after']) || String(tracked) !== 'false') return undefined
  return {
    request: { ...request, track_total_hits: 1 },
    parameters: { track_total_hits: '1' },
    amend(answer) {
      const { hits } = answer
      return isObject(hits) ? { ...answer, hits: withoutTotal(hits) } : answer
    },
  }
}

function withoutTotal({ total: _, ...rest }: JsonObject): JsonObject {
  return rest
}
