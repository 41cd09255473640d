/** `terms`: documents with any of a list of exact values; all have the same score. */

import { illegalArgument } from '../../../base/api-error.ts'
import { requiredMember } from '../../../base/errors/query-errors.ts'
import { END_ARRAY, END_OBJECT, FIELD_NAME, NULL, START_ARRAY, START_OBJECT } from '../../../base/json/json-reader.ts'
import { ACCEPTS_STRING, type MemberParser, type RequestReader } from '../../request/request-reader.ts'
import { rewrittenToNone, type SearchExecutionContext, unknownField, type Weight } from '../../scoring/query.ts'
import { unionOf } from '../../scoring/union.ts'
import { type ClauseOptions, doesNotSupport, newOptions, type QueryClause, readCommonOption } from '../clause.ts'
import { QueryNode } from '../query-node.ts'
import { exactValue, exactValues, startOf } from './exact-value.ts'
import { metadataValues } from './metadata-field.ts'

/** A document whose values are searched. */
export interface TermsLookup {
  readonly index: string
  readonly id: string
  readonly path: string
  readonly routing: string | undefined
}

export class TermsQuery extends QueryNode {
  override readonly kind = 'terms'
  readonly field: string
  /** The source of the values, if they are not in the request. */
  readonly lookup: TermsLookup | undefined
  /** Filled in from the looked-up document before the query is planned. */
  values: readonly unknown[]

  constructor(
    field: string,
    values: readonly unknown[],
    options: ClauseOptions = newOptions(),
    lookup: TermsLookup | undefined = undefined,
  ) {
    super(options)
    this.lookup = lookup
    this.field = field
    this.values = values
  }

  protected override bind(context: SearchExecutionContext, _scoring: boolean, boost: number): Weight {
    const limit = context.limits.maxTermsCount
    if (this.values.length > limit) {
      throw illegalArgument(
        `The number of terms [${this.values.length}] used in the Terms Query request has exceeded the allowed maximum ` +
          `of [${limit}]. This maximum can be set by changing the [index.max_terms_count] index level setting.`,
      )
    }
    const field = context.mapping.field(this.field)
    if (this.values.length === 0) return rewrittenToNone('terms')
    if (field === undefined)
      return metadataValues(context, this.field, this.values, boost, 'terms') ?? unknownField('terms')
    if (field.isRuntime && field.traits.family === 'date') {
      // As for one value, it is the start of the period that the value names.
      return exactValues(
        field,
        this.values.map((value) => startOf(field, value, context.nowMs)),
        boost,
      )
    }
    // One value of these types may cover many: a day, a network.
    const spans =
      field.traits.family === 'date' ||
      (field.traits.family === 'ip' && this.values.some((value) => String(value).includes('/')))
    const simple = ['text', 'term', 'number', 'long'].includes(field.shape) && !spans
    if (simple)
      return exactValues(
        field,
        this.values.map((value) => field.termValue(value, true)),
        boost,
      )
    return unionOf(
      this.values.map((value) => exactValue(context, field, value, { scoring: false, boost })),
      boost,
    )
  }
}

function readLookup(reader: RequestReader): TermsLookup {
  const given: { index?: string; id?: string; path?: string; routing?: string } = {}
  const text = (key: keyof typeof given): MemberParser => ({
    accepts: ACCEPTS_STRING,
    parse: () => {
      given[key] = reader.text()
    },
  })
  reader.parseObject('terms_lookup', {
    index: text('index'),
    id: text('id'),
    path: text('path'),
    routing: text('routing'),
  })
  const { index, id, path, routing } = given
  if (index === undefined || id === undefined || path === undefined) {
    const missing = Object.entries({ index, id, path }).filter(([, value]) => value === undefined)
    throw requiredMember(missing.map(([name]) => name).join(', '))
  }
  return { index, id, path, routing }
}

function bareToken(reader: RequestReader): string {
  if (reader.is(FIELD_NAME)) return reader.name
  return reader.is(START_ARRAY) ? '[' : reader.is(START_OBJECT) ? '{' : '}'
}

export const termsClause: QueryClause = {
  name: 'terms',
  parse(reader) {
    const options = newOptions()
    let field: string | undefined
    let values: unknown[] | undefined
    let lookup: TermsLookup | undefined
    while (reader.next() !== END_OBJECT) {
      if (reader.token === FIELD_NAME) continue
      const member = reader.name
      if (reader.token === START_ARRAY) {
        if (field !== undefined) throw reader.parsingError('[terms] query does not support multiple fields')
        field = member
        values = []
        // Elasticsearch reads tokens one by one: brackets inside the list are values, and the first closing one ends
        // it.
        while ((reader.next() as number) !== END_ARRAY) {
          if (reader.is(NULL)) throw reader.parsingError('No value specified for terms query')
          values.push(reader.isValue ? reader.fieldValue() : bareToken(reader))
        }
      } else if (reader.token === START_OBJECT) {
        if (field !== undefined) throw reader.parsingError('[terms] query does not support more than one field.')
        field = member
        lookup = readLookup(reader)
      } else if (reader.isValue) {
        if (!readCommonOption(reader, member, options)) throw doesNotSupport(reader, 'terms', member)
      } else throw reader.parsingError(`[terms] unknown token [${reader.tokenName}] after [${member}]`)
    }
    if (field === undefined || (values === undefined && lookup === undefined)) {
      throw reader.parsingError(
        '[terms] query requires a field name, followed by array of terms or a document lookup specification',
      )
    }
    return new TermsQuery(field, values ?? [], options, lookup)
  },
}
