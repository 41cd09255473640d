/** Shared code of the two query-string languages: one leaf of the text as a query on each of several fields. */
import { ApiError } from '../../../base/api-error.ts'
import type { Query, SearchExecutionContext } from '../../scoring/query.ts'
import { newOptions } from '../clause.ts'
import { DisMaxQuery } from '../compound/dis-max.ts'
import { type BoostedField, resolveFields } from './field-list.ts'

export interface LeafOptions {
  /** Fields that cannot accept the value are omitted instead of failing the query. */
  readonly lenient: boolean
  readonly tieBreaker: number
  readonly boost: number
}

/** The best of the fields' queries; undefined if no field is left. */
export function queryEachField(
  context: SearchExecutionContext,
  fields: readonly BoostedField[],
  options: LeafOptions,
  make: (name: string) => Query,
): Query | undefined {
  const queries: Query[] = []
  const resolved = resolveFields(context, fields)
  for (const { name, boost } of [...resolved.fields, ...resolved.metadata]) {
    const query = make(name)
    if (options.lenient && !suits(context, query)) continue
    queries.push(boost === 1 ? query : new DisMaxQuery([query], 0, { ...newOptions(), boost }))
  }
  if (queries.length === 0) return undefined
  if (queries.length === 1 && options.boost === 1) return queries[0]
  return new DisMaxQuery(queries, options.tieBreaker, { ...newOptions(), boost: options.boost })
}

function suits(context: SearchExecutionContext, query: Query): boolean {
  try {
    query.plan(context, false, 1)
    return true
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}

/** Patterns and fuzzy words are not analyzed, but follow the case of a text field's words. */
export function followCase(
  context: SearchExecutionContext,
  name: string,
  text: string,
  analyzerName: string | undefined,
): string {
  const field = context.mapping.field(name)
  if (field?.shape !== 'text') return text
  const analyzer = context.analyzer(analyzerName ?? field.searchAnalyzerName ?? field.analyzerName ?? 'standard')
  return analyzer?.tokens('Ab')[0]?.term === 'ab' ? text.toLowerCase() : text
}
