/** `ids`: documents by `_id`. */
import { type ClauseOptions, newOptions, type QueryClause } from './clause.ts'
import { parseStrictObject } from './match-all.ts'
import { idValues } from './metadata-field.ts'
import { multiplyBoost, type Query, type ShardQuery, type ShardQueryContext } from './query.ts'
import { ACCEPTS_STRING_ARRAY } from './request-reader.ts'

export class IdsQuery implements Query {
  readonly kind = 'ids'
  readonly boost: number
  readonly name: string | undefined
  readonly values: readonly string[]

  constructor(values: readonly string[], options: ClauseOptions = newOptions()) {
    this.values = values
    this.boost = options.boost
    this.name = options.name
  }

  plan(context: ShardQueryContext, _scoring: boolean, boost: number): ShardQuery {
    return idValues(context, this.values, multiplyBoost(boost, this.boost))
  }
}

export const idsClause: QueryClause = {
  name: 'ids',
  parse(reader) {
    const options = newOptions()
    const values: string[] = []
    parseStrictObject(reader, 'ids', options, {
      values: { accepts: ACCEPTS_STRING_ARRAY, parse: () => reader.each(() => values.push(reader.text())) },
    })
    return new IdsQuery(values, options)
  },
}
