/** `term`: documents with an exact value. */
import { fieldNameMissing, valueMissing } from '../../../base/errors/query-errors.ts'
import { FIELD_NAME, NULL, START_ARRAY, START_OBJECT } from '../../../base/json/json-reader.ts'
import { type SearchExecutionContext, unknownField, type Weight } from '../../scoring/query.ts'
import {
  type ClauseOptions,
  doesNotSupport,
  newOptions,
  parseFieldClause,
  type QueryClause,
  readCommonOption,
} from '../clause.ts'
import { QueryNode } from '../query-node.ts'
import { exactValue } from './exact-value.ts'
import { metadataValue } from './metadata-field.ts'

export class TermQuery extends QueryNode {
  override readonly kind = 'term'
  readonly field: string
  readonly value: unknown
  readonly caseInsensitive: boolean

  constructor(field: string, value: unknown, caseInsensitive = false, options: ClauseOptions = newOptions()) {
    super(options)
    this.field = field
    this.value = value
    this.caseInsensitive = caseInsensitive
  }

  protected override bind(context: SearchExecutionContext, scoring: boolean, boost: number): Weight {
    const field = context.mapping.field(this.field)
    const options = { scoring, boost, caseInsensitive: this.caseInsensitive }
    if (field === undefined)
      return metadataValue(context, this.field, this.value, options, 'term') ?? unknownField('term')
    return exactValue(context, field, this.value, options)
  }
}

export const termClause: QueryClause = {
  name: 'term',
  parse(reader) {
    const options = newOptions()
    let value: unknown
    let caseInsensitive = false
    const field = parseFieldClause(
      reader,
      'term',
      (member) => {
        if (member === 'value' || member === 'term') {
          if (reader.token === START_ARRAY) {
            throw reader.parsingError(
              '[term] query does not support arrays for value - use a bool query with multiple term clauses in the should ' +
                'section or use a Terms query if scoring is not required',
            )
          }
          if (reader.token === START_OBJECT) {
            throw reader.next() === FIELD_NAME ? doesNotSupport(reader, 'term', reader.name) : reader.tokenAfterObject()
          }
          value = reader.token === NULL ? undefined : reader.fieldValue()
        } else if (member === 'case_insensitive') caseInsensitive = reader.boolean()
        else if (!readCommonOption(reader, member, options)) throw doesNotSupport(reader, 'term', member)
      },
      () => {
        if (reader.token === START_ARRAY) throw reader.parsingError('[term] query does not support array of values')
        if (reader.isValue) value = reader.fieldValue()
      },
    )
    if (field === undefined || field === '') throw fieldNameMissing()
    if (value === undefined) throw valueMissing()
    return new TermQuery(field, value, caseInsensitive, options)
  },
}
