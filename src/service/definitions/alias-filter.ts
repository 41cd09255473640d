/** A filter of an alias is checked as a query when the alias is made, so that searches through it cannot fail on it later. */
import { ApiError, illegalArgument } from '../../base/api-error.ts'
import { encodeJson } from '../../base/json/json-writer.ts'
import { parseQueryBody } from '../../engine/query/parse-query.ts'
import type { AliasMetadata } from '../metadata/metadata.ts'

export function checkAliasFilter(name: string, alias: AliasMetadata): void {
  if (alias.filter === undefined) return
  try {
    parseQueryBody(encodeJson(alias.filter))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw illegalArgument(`failed to parse filter for alias [${name}]`, error)
  }
}
