/** A weight with the documents of another and one score for all. */

import { filterScorer } from './filter-cache.ts'
import { constantTexts, filterText, visitFilterWords, type Weight } from './query.ts'
import { ConstantScoreScorer } from './scorers/constant-scorer.ts'

export function planConstantScore(filter: Weight, score: number): Weight {
  if (filter.matches === 'none') return filter
  const texts = constantTexts(score, () => `ConstantScore(${filterText(filter)})`)
  return {
    explain: texts.explain,
    scorer(segment) {
      const inner = filterScorer(filter, segment)
      return inner === undefined ? undefined : new ConstantScoreScorer(inner, score)
    },
    words: (visitor) => visitFilterWords(filter, visitor),
    filterWords: (visitor) => visitFilterWords(filter, visitor),
    text: (rewritten) => (rewritten ? texts.text(true) : `ConstantScore(${filter.text(false)})`),
    filterText: () => filterText(filter),
    parts: [filter],
    constantOf: filter,
    field: filter.field,
    isOpaque: filter.isOpaque,
    onlyField: filter.onlyField,
    asFilter: filter.asFilter,
  }
}
