/** A scroll page repeats the counts of the search that opened it, and has no aggregations. */
import type { ScrollState } from '../../contexts/search-context.ts'
import { scoreValue } from './search-response.ts'

export function scrollAnswer(
  page: Record<string, unknown>,
  scroll: ScrollState,
  totalAsInteger: boolean,
): Record<string, unknown> {
  const { total, maxScore, terminatedEarly } = scroll
  const { hits } = page['hits'] as { hits: unknown }
  return {
    took: page['took'],
    timed_out: page['timed_out'],
    terminated_early: terminatedEarly,
    _shards: page['_shards'],
    hits: {
      total: totalAsInteger ? total : { value: total, relation: 'eq' },
      max_score: scoreValue(maxScore),
      hits,
    },
  }
}
