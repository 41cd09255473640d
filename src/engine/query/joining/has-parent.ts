/** `has_parent`: children of matching parents. */
import { requiresField } from '../../../base/errors/query-errors.ts'
import { END_OBJECT, FIELD_NAME, START_OBJECT } from '../../../base/json/json-reader.ts'
import { type InnerHitsRequest, parseInnerHits } from '../../request/inner-hits.ts'
import type { Query, SearchExecutionContext, Weight } from '../../scoring/query.ts'
import { type ClauseOptions, doesNotSupport, newOptions, type QueryClause, readCommonOption } from '../clause.ts'
import { QueryNode } from '../query-node.ts'
import { MatchAllQuery } from '../term-level/match-all.ts'
import { findRelation, planJoin } from './join-clause.ts'
import { ofKinds } from './join-field.ts'

const KIND = 'has_parent'

interface HasParentSettings {
  /** Children get the score of their parent. */
  scored: boolean
  ignoreUnmapped: boolean
  innerHits: InnerHitsRequest | undefined
}

export class HasParentQuery extends QueryNode {
  override readonly kind = KIND
  readonly parent: string
  readonly query: Query
  readonly innerHits: InnerHitsRequest | undefined
  readonly #settings: HasParentSettings

  constructor(parent: string, query: Query, settings: HasParentSettings, options: ClauseOptions) {
    super(options)
    this.parent = parent
    this.query = query
    this.innerHits = settings.innerHits
    this.#settings = settings
  }

  children(): readonly Query[] {
    return [this.query]
  }

  protected override bind(context: SearchExecutionContext, scoring: boolean, boost: number): Weight {
    const { scored, ignoreUnmapped } = this.#settings
    const found = findRelation(context, KIND, 'parent', this.parent, ignoreUnmapped)
    if ('matches' in found) return found
    const { field } = found
    const from = ofKinds(field, [this.parent], this.query)
    const to = ofKinds(field, field.childrenOf(this.parent), new MatchAllQuery())
    const mode = scoring && scored ? ('max' as const) : ('none' as const)
    const rules = { idField: field.idField(this.parent), mode, least: 1, most: Number.POSITIVE_INFINITY, boost }
    return planJoin(context, from, to, rules)
  }
}

export const hasParentClause: QueryClause = {
  name: KIND,
  parse(reader, inner) {
    const options = newOptions()
    const settings: HasParentSettings = { scored: false, ignoreUnmapped: false, innerHits: undefined }
    let parent: string | undefined
    let query: Query | undefined
    while (reader.next() !== END_OBJECT) {
      if (reader.token === FIELD_NAME) continue
      const member = reader.name
      if (reader.token === START_OBJECT) {
        if (member === 'query') query = inner(reader)
        else if (member === 'inner_hits') settings.innerHits = parseInnerHits(reader, inner)
        else throw doesNotSupport(reader, KIND, member)
      } else if (reader.isValue) {
        if (member === 'parent_type') parent = reader.text()
        else if (member === 'score') settings.scored = reader.boolean()
        else if (member === 'ignore_unmapped') settings.ignoreUnmapped = reader.boolean()
        else if (!readCommonOption(reader, member, options)) throw doesNotSupport(reader, KIND, member)
      }
    }
    if (parent === undefined) throw requiresField(KIND, 'parent_type')
    if (query === undefined) throw requiresField(KIND, 'query')
    return new HasParentQuery(parent, query, settings, options)
  },
}
