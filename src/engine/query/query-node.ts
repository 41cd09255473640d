/** The base of all clauses: a boost, a name, and the boost in the text of the planned query. */

import {
  boosted,
  checkBoost,
  multiplyBoost,
  type Query,
  type SearchExecutionContext,
  type Weight,
} from '../scoring/query.ts'
import { type ClauseOptions, newOptions } from './clause.ts'

export abstract class QueryNode implements Query {
  abstract readonly kind: string
  readonly boost: number
  readonly name: string | undefined

  constructor(options: ClauseOptions = newOptions()) {
    this.boost = options.boost
    this.name = options.name
  }

  plan(context: SearchExecutionContext, scoring: boolean, outerBoost: number): Weight {
    checkBoost(this.boost)
    const bound = this.bind(context, scoring, multiplyBoost(outerBoost, this.boost))
    if (bound.isRefused === true) context.refused?.add(this)
    return bound.isNoDocs === true ? bound : boosted(bound, this.boost)
  }

  /** Like `plan`; `boost` is the product of the clause's own and those of the enclosing clauses. */
  protected abstract bind(context: SearchExecutionContext, scoring: boolean, boost: number): Weight
}
