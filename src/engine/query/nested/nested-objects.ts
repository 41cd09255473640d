/**
 * The inner query of a `nested` query must match only objects of its path. Elasticsearch adds a filter for that, unless
 * the query is known to search terms or points of a field inside the path. Scorers see only objects anyway, but
 * explanations and the text of a query show the filter.
 */

import { type Explanation, explainConstant, explained, notMatched, withBoost } from '../../scoring/explanation.ts'
import { filterText, unboosted, type Weight } from '../../scoring/query.ts'
import { BooleanPlan, nestedText } from '../compound/boolean-plan.ts'

/** Whether the query might match documents outside the objects, as far as Elasticsearch can tell. */
export function reachesOthers(weight: Weight, isInside: (field: string) => boolean): boolean {
  const query = unboosted(weight)
  if (query.matches === 'none') return false
  if (query.onlyField !== undefined) return !isInside(query.onlyField)
  if (!(query instanceof BooleanPlan) || !query.isWritten) return true
  const { must, filter, should } = query.clauses
  const required = [...must, ...filter]
  const reaches = (clause: Weight) => reachesOthers(clause, isInside)
  return required.length > 0 ? required.every(reaches) : should.some(reaches)
}

/** The query with the filter on its path, for texts and explanations. */
export function amongObjects(query: Weight, path: string): Weight {
  const filter = `_nested_path:${path}`
  return {
    ...query,
    scorer: (segment) => query.scorer(segment),
    words: (visitor) => query.words?.(visitor),
    text: (rewritten) => (rewritten ? rewrittenText(query, filter) : `+${nestedText(query, false)} #${filter}`),
    filterText: () => filterText(query),
    explain(segment, doc) {
      if (query.matches !== 'all') return explainFiltered(query.explain(segment, doc), filter)
      return explainConstant(query, segment, doc, `ConstantScore(${filter})`, Math.fround(query.score ?? 1))
    },
  }
}

function rewrittenText(query: Weight, filter: string): string {
  if (query.matches === 'all') return withBoost(`ConstantScore(${filter})`, query.score ?? 1)
  const isConjunction = query instanceof BooleanPlan && query.clauses.should.length + query.clauses.mustNot.length === 0
  return isConjunction ? `${query.text(true)} #${filter}` : `+${nestedText(query, true)} #${filter}`
}

function explainFiltered(explanation: Explanation, filter: string): Explanation {
  const shown = explained(0, 'match on required clause, product of:', [explained(0, '# clause'), explained(1, filter)])
  if (explanation.match) return explained(explanation.value, 'sum of:', [explanation, shown])
  return notMatched('Failure to meet condition(s) of required/prohibited clause(s)', [explanation, shown])
}
