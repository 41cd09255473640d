/** `ids`: documents by `_id`. */
import { illegalArgument } from '../../../base/api-error.ts'
import { ACCEPTS_STRING_ARRAY } from '../../request/request-reader.ts'
import { rewrittenToNone, type SearchExecutionContext, type Weight } from '../../scoring/query.ts'
import { type ClauseOptions, newOptions, type QueryClause } from '../clause.ts'
import { QueryNode } from '../query-node.ts'
import { parseStrictObject } from './match-all.ts'
import { idValues } from './metadata-field.ts'

class IdsQuery extends QueryNode {
  override readonly kind = 'ids'
  readonly values: readonly string[]

  constructor(values: readonly string[], options: ClauseOptions = newOptions()) {
    super(options)
    this.values = values
  }

  protected override bind(context: SearchExecutionContext, _scoring: boolean, boost: number): Weight {
    if (this.values.length === 0) return rewrittenToNone('ids')
    if (this.values.includes('')) throw illegalArgument("Ids can't be empty")
    return idValues(context, this.values, boost)
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
