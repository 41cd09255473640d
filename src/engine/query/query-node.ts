/** What all clauses share: a boost, a name, and that the boost shows in the text of the planned query. */

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
    return boosted(this.bind(context, scoring, multiplyBoost(outerBoost, this.boost)), this.boost)
  }

  /** As `plan`; `boost` is the clause's own times that of the clauses around it. */
  protected abstract bind(context: SearchExecutionContext, scoring: boolean, boost: number): Weight
}
