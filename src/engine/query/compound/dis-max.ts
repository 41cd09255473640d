/** `dis_max`: the best of several clauses, plus a fraction of the others. */
import { illegalArgument } from '../../../base/api-error.ts'
import { END_ARRAY, END_OBJECT, FIELD_NAME, START_ARRAY, START_OBJECT } from '../../../base/json/json-reader.ts'
import { formatFloat } from '../../../base/json/json-writer.ts'
import { type Explanation, explained, notMatched } from '../../scoring/explanation.ts'
import { matchNothing, type Query, type SearchExecutionContext, type Weight } from '../../scoring/query.ts'
import { DisMaxScorer } from '../../scoring/scorers/dis-max-scorer.ts'
import type { SegmentView } from '../../segment/segment-reader-api.ts'
import { type ClauseOptions, doesNotSupport, newOptions, type QueryClause, readCommonOption } from '../clause.ts'
import { QueryNode } from '../query-node.ts'
import { nestedText, planAny, writtenAs } from './boolean-plan.ts'

export class DisMaxQuery extends QueryNode {
  override readonly kind = 'dis_max'
  readonly queries: readonly Query[]
  readonly tieBreaker: number

  constructor(queries: readonly Query[], tieBreaker = 0, options: ClauseOptions = newOptions()) {
    super(options)
    this.queries = queries
    this.tieBreaker = tieBreaker
  }

  children(): readonly Query[] {
    return this.queries
  }

  protected override bind(context: SearchExecutionContext, scoring: boolean, boost: number): Weight {
    return planDisMax(
      this.queries.map((query) => query.plan(context, scoring, boost)),
      checkTieBreaker(this.tieBreaker),
      scoring,
    )
  }
}

/** The best of the parts; their sum if the others count fully. */
/** Throws Lucene's error. */
function checkTieBreaker(tieBreaker: number): number {
  if (tieBreaker >= 0 && tieBreaker <= 1) return tieBreaker
  throw illegalArgument('tieBreakerMultiplier must be in [0, 1]')
}

export function planDisMax(parts: readonly Weight[], tieBreaker: number, scoring = true): Weight {
  const tie = tieBreaker === 0 ? '' : `~${formatFloat(Math.fround(tieBreaker))}`
  const text = (rewritten: boolean) => `(${parts.map((part) => nestedText(part, rewritten)).join(' | ')})${tie}`
  const written = () => text(false)
  const possible = parts.filter(({ matches }) => matches !== 'none')
  if (possible.length === 0) return writtenAs(matchNothing('empty DisjunctionMaxQuery'), written)
  if (possible.length === 1 && parts.length === 1) return writtenAs(possible[0]!, written)
  if (tieBreaker === 1) return writtenAs(planAny(possible, undefined, scoring), written)
  return {
    scorer(segment) {
      const scorers = parts.map((part) => part.scorer(segment)).filter((scorer) => scorer !== undefined)
      if (scorers.length <= 1) return scorers[0]
      return new DisMaxScorer(scorers, tieBreaker)
    },
    words(visitor) {
      for (const part of parts) part.words?.(visitor)
    },
    text,
    luceneName: 'DisjunctionMaxQuery',
    parts,
    explain: (segment, doc) => explainDisMax(parts, Math.fround(tieBreaker), segment, doc),
  }
}

function explainDisMax(parts: readonly Weight[], tieBreaker: number, segment: SegmentView, doc: number): Explanation {
  const each = parts.map((part) => part.explain(segment, doc))
  const matched = each.filter(({ match }) => match)
  if (matched.length === 0) return notMatched('No matching clause', each)
  const best = Math.max(...matched.map(({ value }) => value))
  const others = matched.reduce((sum, { value }) => sum + value, 0) - best
  const how = tieBreaker === 0 ? 'max of:' : `max plus ${formatFloat(tieBreaker)} times others of:`
  return explained(Math.fround(best + others * tieBreaker), how, matched)
}

export const disMaxClause: QueryClause = {
  name: 'dis_max',
  parse(reader, inner) {
    const options = newOptions()
    const queries: Query[] = []
    let tieBreaker = 0
    let found = false
    let member = ''
    while (reader.next() !== END_OBJECT) {
      if (reader.token === FIELD_NAME) {
        member = reader.name
        continue
      }
      if (reader.token === START_OBJECT || reader.token === START_ARRAY) {
        if (member !== 'queries') throw doesNotSupport(reader, 'dis_max', member)
        found = true
        // The first query is expected after the bracket, so an empty list is an error.
        const isList = reader.token === START_ARRAY
        do queries.push(inner(reader))
        while (isList && reader.next() !== END_ARRAY)
      } else if (member === 'tie_breaker') tieBreaker = reader.float()
      else if (!readCommonOption(reader, member, options)) throw doesNotSupport(reader, 'dis_max', member)
    }
    if (!found) throw reader.parsingError("[dis_max] requires 'queries' field with at least one clause")
    return new DisMaxQuery(queries, tieBreaker, options)
  },
}
