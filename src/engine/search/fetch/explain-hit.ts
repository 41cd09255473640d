/** Explains the score of a document: `explain` in searches, and `_explain`. */

import { planBoolean } from '../../query/compound/boolean-plan.ts'
import type { Rescore } from '../../request/rescore.ts'
import { type Explanation, explained, notMatched } from '../../scoring/explanation.ts'
import {
  constantTexts,
  type ExplainedDocument,
  type Query,
  type SearchExecutionContext,
  type Weight,
} from '../../scoring/query.ts'
import { BitSetScorer } from '../../scoring/scorers/bit-set-scorer.ts'
import type { SegmentView } from '../../segment/segment-reader-api.ts'
import { planQuery } from '../plan-query.ts'
import { combineRescored } from '../ranking/rescore.ts'
import { isTakenForNested } from './nested-matches.ts'

export interface ExplainRequest {
  readonly query: Query
  /** Alias filters. */
  readonly filters: readonly Query[]
  readonly boost: number
  readonly rescores: readonly Rescore[]
}

/** Prepared once per shard, then called per document. */
export class HitExplainer {
  readonly #query: Weight
  readonly #explained: ExplainedDocument = { segment: undefined, doc: 0 }
  readonly #rescores: readonly { readonly rescore: Rescore; readonly query: Weight }[]

  constructor(context: SearchExecutionContext, request: ExplainRequest) {
    const own = { ...context, explained: this.#explained }
    this.#query = planWhole(own, request)
    this.#rescores = request.rescores.map((rescore) => ({
      rescore,
      query: planQuery(own, rescore.query, true, 1),
    }))
  }

  /** `rescoredBy` are the rescorers whose window contained the document. */
  explain(segment: SegmentView, doc: number, rescoredBy: readonly Rescore[] = []): Explanation {
    Object.assign(this.#explained, { segment, doc })
    let explanation = this.#query.explain(segment, doc)
    for (const { rescore, query } of this.#rescores) {
      const second = rescoredBy.includes(rescore) ? query.explain(segment, doc) : notMatched('not rescored')
      explanation = explainRescore(rescore, explanation, second)
    }
    return explanation
  }
}

/** The query as a shard runs it: restricted by alias filters, and to root documents. */
export function planWhole(
  context: SearchExecutionContext,
  { query, filters, boost }: Pick<ExplainRequest, 'query' | 'filters' | 'boost'>,
): Weight {
  const own = planQuery(context, query, true, boost)
  const narrowing = filters.map((filter) => planQuery(context, filter, false, 1))
  if (isTakenForNested(context, own)) narrowing.push(rootDocuments)
  if (narrowing.length === 0) return own
  return planBoolean({ must: [own], filter: narrowing, should: [], mustNot: [] }, undefined, true)
}

const rootDocuments: Weight = {
  scorer: ({ reader }) => {
    const roots = reader.nested?.roots ?? new Uint32Array((reader.docCount + 31) >> 5).fill(-1)
    return new BitSetScorer(roots, reader.rootCount, 1)
  },
  ...constantTexts(1, () => 'FieldExistsQuery [field=_primary_term]'),
}

const COMBINED = { total: 'sum of:', multiply: 'product of:', avg: 'avg of:', max: 'max of:', min: 'min of:' } as const

function explainRescore(rescore: Rescore, first: Explanation, second: Explanation): Explanation {
  const weighted = (explanation: Explanation, weight: number, name: string) =>
    explained(Math.fround(explanation.value * weight), 'product of:', [explanation, explained(weight, name)])
  const primary = first.match
    ? weighted(first, Math.fround(rescore.queryWeight), 'primaryWeight')
    : notMatched('First pass did not match', [first])
  if (!second.match) return primary
  const secondary = weighted(second, Math.fround(rescore.rescoreQueryWeight), 'secondaryWeight')
  const value = combineRescored(rescore.mode, primary.value, secondary.value)
  return explained(value, COMBINED[rescore.mode], [primary, secondary])
}
