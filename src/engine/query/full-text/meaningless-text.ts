/**
 * Whether a text has no words in any of the fields: stop words, or signs that the analyzers drop. The parsers of query strings omit
 * such a part, where a `match` on it would find nothing.
 */
import type { SearchExecutionContext } from '../../scoring/query.ts'
import { type BoostedField, resolveFields } from './field-list.ts'
import { queryTokens } from './match.ts'

export function isMeaningless(
  context: SearchExecutionContext,
  fields: readonly BoostedField[],
  text: string,
  analyzer: string | undefined,
): boolean {
  const { fields: found, metadata } = resolveFields(context, fields)
  if (found.length === 0 || metadata.length > 0) return false
  return found.every(({ name }) => {
    const field = context.mapping.field(name)
    return field !== undefined && queryTokens(context, field, text, analyzer)?.length === 0
  })
}
