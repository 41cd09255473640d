/** A planned query of which only the documents count: all of them score the same. */

import { filterMatcher } from './filter-cache.ts'
import { ConstantScoreMatcher } from './matchers/constant-matcher.ts'
import { constantTexts, filterText, type ShardQuery } from './query.ts'

export function planConstantScore(filter: ShardQuery, score: number): ShardQuery {
  if (filter.matches === 'none') return filter
  const texts = constantTexts(score, () => `ConstantScore(${filterText(filter)})`)
  return {
    ...texts,
    matcher(segment) {
      const inner = filterMatcher(filter, segment)
      return inner === undefined ? undefined : new ConstantScoreMatcher(inner, score)
    },
    words: (visitor) => filter.words?.(visitor),
    text: (rewritten) => (rewritten ? texts.text(true) : `ConstantScore(${filter.text(false)})`),
    filterText: () => filterText(filter),
    parts: [filter],
    ...(filter.field === undefined ? {} : { field: filter.field }),
    onlyField: filter.onlyField,
    asFilter: filter.asFilter,
  }
}
