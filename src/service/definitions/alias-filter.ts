/** Parses the filter of an alias when the alias is created, so that later searches cannot fail on it. */
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
