/** `constant_score`: a filter whose documents all score the boost. */
import { END_OBJECT, FIELD_NAME, START_OBJECT } from '../../base/json/json-reader.ts'
import { type ClauseOptions, doesNotSupport, newOptions, type QueryClause, readCommonOption } from './clause.ts'
import { ConstantScoreMatcher } from './matcher.ts'
import { multiplyBoost, type Query, type ShardQuery, type ShardQueryContext } from './query.ts'

export class ConstantScoreQuery implements Query {
  readonly kind = 'constant_score'
  readonly boost: number
  readonly name: string | undefined
  readonly filter: Query

  constructor(filter: Query, options: ClauseOptions = newOptions()) {
    this.filter = filter
    this.boost = options.boost
    this.name = options.name
  }

  children(): readonly Query[] {
    return [this.filter]
  }

  plan(context: ShardQueryContext, _scoring: boolean, boost: number): ShardQuery {
    const filter = this.filter.plan(context, false, 1)
    const score = multiplyBoost(boost, this.boost)
    return {
      matcher(segment) {
        const inner = filter.matcher(segment)
        return inner === undefined ? undefined : new ConstantScoreMatcher(inner, score)
      },
      words: (visitor) => filter.words?.(visitor),
    }
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
