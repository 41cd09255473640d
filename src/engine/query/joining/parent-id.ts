/** `parent_id`: the children of one parent. */
import { requiresField } from '../../../base/errors/query-errors.ts'
import { queryShardError } from '../../../base/errors/search-errors.ts'
import { END_OBJECT, FIELD_NAME } from '../../../base/json/json-reader.ts'
import { checkExpensive, matchNothing, type SearchExecutionContext, type Weight } from '../../scoring/query.ts'
import { type ClauseOptions, doesNotSupport, newOptions, type QueryClause, readCommonOption } from '../clause.ts'
import { QueryNode } from '../query-node.ts'
import { TermQuery } from '../term-level/term.ts'
import { joinField, ofKinds } from './join-field.ts'

const KIND = 'parent_id'

class ParentIdQuery extends QueryNode {
  override readonly kind = KIND
  readonly #child: string
  readonly #id: string
  readonly #ignoreUnmapped: boolean

  constructor(child: string, id: string, ignoreUnmapped: boolean, options: ClauseOptions) {
    super(options)
    this.#child = child
    this.#id = id
    this.#ignoreUnmapped = ignoreUnmapped
  }

  protected override bind(context: SearchExecutionContext, scoring: boolean, boost: number): Weight {
    checkExpensive(context, '[joining] queries')
    const field = joinField(context.mapping)
    const parent = field?.parentOf(this.#child)
    if (field !== undefined && parent !== undefined) {
      const ofParent = new TermQuery(field.idField(parent), this.#id)
      return ofKinds(field, [this.#child], ofParent).plan(context, scoring, boost)
    }
    if (this.#ignoreUnmapped) return matchNothing('parent_id with an unmapped relation')
    throw queryShardError(
      context.index,
      field === undefined
        ? `[${KIND}] no join field found for index [${context.index.name}]`
        : `[${KIND}] no relation found for child [${this.#child}]`,
    )
  }
}

export const parentIdClause: QueryClause = {
  name: KIND,
  parse(reader) {
    const options = newOptions()
    let child: string | undefined
    let id: string | undefined
    let ignoreUnmapped = false
    while (reader.next() !== END_OBJECT) {
      if (reader.token === FIELD_NAME) continue
      const member = reader.name
      if (!reader.isValue) throw doesNotSupport(reader, KIND, member)
      if (member === 'type') child = reader.text()
      else if (member === 'id') id = reader.text()
      else if (member === 'ignore_unmapped') ignoreUnmapped = reader.boolean()
      else if (!readCommonOption(reader, member, options)) throw doesNotSupport(reader, KIND, member)
    }
    if (child === undefined) throw requiresField(KIND, 'type')
    if (id === undefined) throw requiresField(KIND, 'id')
    return new ParentIdQuery(child, id, ignoreUnmapped, options)
  },
}
