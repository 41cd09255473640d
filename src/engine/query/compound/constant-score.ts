/** `constant_score`: a filter whose documents all score the boost. */
import { END_OBJECT, FIELD_NAME, START_OBJECT } from '../../../base/json/json-reader.ts'
import { planConstantScore } from '../../scoring/constant-weight.ts'
import type { Query, SearchExecutionContext, Weight } from '../../scoring/query.ts'
import { type ClauseOptions, doesNotSupport, newOptions, type QueryClause, readCommonOption } from '../clause.ts'
import { QueryNode } from '../query-node.ts'

export class ConstantScoreQuery extends QueryNode {
  override readonly kind = 'constant_score'
  readonly filter: Query

  constructor(filter: Query, options: ClauseOptions = newOptions()) {
    super(options)
    this.filter = filter
  }

  children(): readonly Query[] {
    return [this.filter]
  }

  protected override bind(context: SearchExecutionContext, _scoring: boolean, boost: number): Weight {
    return planConstantScore(this.filter.plan(context, false, 1), boost)
  }
}

export const constantScoreClause: QueryClause = {
  name: 'constant_score',
  parse(reader, inner) {
    const options = newOptions()
    let filter: Query | undefined
    while (reader.next() !== END_OBJECT) {
      if (reader.token === FIELD_NAME) continue
      const member = reader.name
      if (reader.token === START_OBJECT) {
        if (member !== 'filter') throw doesNotSupport(reader, 'constant_score', member)
        if (filter !== undefined) throw reader.parsingError("[constant_score] accepts only one 'filter' element.")
        filter = inner(reader)
      } else if (reader.isValue) {
        if (!readCommonOption(reader, member, options)) throw doesNotSupport(reader, 'constant_score', member)
      } else throw reader.parsingError(`unexpected token [${reader.tokenName}]`)
    }
    if (filter === undefined) throw reader.parsingError("[constant_score] requires a 'filter' element")
    return new ConstantScoreQuery(filter, options)
  },
}
