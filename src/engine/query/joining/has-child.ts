/** `has_child`: parents with matching children. */

import { illegalArgument } from '../../../base/api-error.ts'
import { requiresField, unknownChildScoreMode } from '../../../base/errors/query-errors.ts'
import { END_OBJECT, FIELD_NAME, START_OBJECT } from '../../../base/json/json-reader.ts'
import { type InnerHitsRequest, parseInnerHits } from '../../request/inner-hits.ts'
import type { Query, SearchExecutionContext, Weight } from '../../scoring/query.ts'
import { type ClauseOptions, doesNotSupport, newOptions, type QueryClause, readCommonOption } from '../clause.ts'
import { QueryNode } from '../query-node.ts'
import { MatchAllQuery } from '../term-level/match-all.ts'
import { findRelation, planJoin } from './join-clause.ts'
import { ofKinds } from './join-field.ts'
import type { JoinScoreMode } from './joined-documents.ts'

const KIND = 'has_child'

interface HasChildSettings {
  mode: JoinScoreMode
  least: number
  most: number
  ignoreUnmapped: boolean
  innerHits: InnerHitsRequest | undefined
}

export class HasChildQuery extends QueryNode {
  override readonly kind = KIND
  readonly child: string
  readonly query: Query
  readonly innerHits: InnerHitsRequest | undefined
  readonly #settings: HasChildSettings

  constructor(child: string, query: Query, settings: HasChildSettings, options: ClauseOptions) {
    super(options)
    this.child = child
    this.query = query
    this.innerHits = settings.innerHits
    this.#settings = settings
  }

  children(): readonly Query[] {
    return [this.query]
  }

  protected override bind(context: SearchExecutionContext, scoring: boolean, boost: number): Weight {
    const { mode, least, most, ignoreUnmapped } = this.#settings
    const found = findRelation(context, KIND, 'child', this.child, ignoreUnmapped)
    if ('matches' in found) return found
    const { field } = found
    const parent = field.parentOf(this.child)!
    const idField = field.idField(parent)
    const from = ofKinds(field, [this.child], this.query)
    const to = ofKinds(field, [parent], new MatchAllQuery())
    const rules = { idField, mode: scoring ? mode : ('none' as const), least, most, boost }
    return planJoin(context, from, to, rules)
  }
}

export const hasChildClause: QueryClause = {
  name: KIND,
  parse(reader, inner) {
    const options = newOptions()
    const settings: HasChildSettings = {
      mode: 'none',
      least: 1,
      most: Number.POSITIVE_INFINITY,
      ignoreUnmapped: false,
      innerHits: undefined,
    }
    let child: string | undefined
    let query: Query | undefined
    while (reader.next() !== END_OBJECT) {
      if (reader.token === FIELD_NAME) continue
      const member = reader.name
      if (reader.token === START_OBJECT) {
        if (member === 'query') query = inner(reader)
        else if (member === 'inner_hits') settings.innerHits = parseInnerHits(reader, inner)
        else throw doesNotSupport(reader, KIND, member)
      } else if (reader.isValue) {
        if (member === 'type') child = reader.text()
        else if (member === 'score_mode') settings.mode = readScoreMode(reader.text())
        else if (member === 'min_children') settings.least = reader.integer()
        else if (member === 'max_children') settings.most = reader.integer()
        else if (member === 'ignore_unmapped') settings.ignoreUnmapped = reader.boolean()
        else if (!readCommonOption(reader, member, options)) throw doesNotSupport(reader, KIND, member)
      }
    }
    if (child === undefined) throw requiresField(KIND, 'type')
    if (query === undefined) throw requiresField(KIND, 'query')
    if (settings.least <= 0) throw illegalArgument(`[${KIND}] requires positive 'min_children' field`)
    if (settings.most <= 0) throw illegalArgument(`[${KIND}] requires positive 'max_children' field`)
    if (settings.most < settings.least) {
      throw illegalArgument(`[${KIND}] 'max_children' is less than 'min_children'`)
    }
    return new HasChildQuery(child, query, settings, options)
  },
}

function readScoreMode(text: string): JoinScoreMode {
  if (text === 'none' || text === 'min' || text === 'max' || text === 'sum' || text === 'avg') return text
  throw unknownChildScoreMode(text)
}
