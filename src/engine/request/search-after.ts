/** `search_after`: the sort values after which a page starts, as given in the request. */
import { illegalArgument } from '../../base/api-error.ts'
import { END_ARRAY, NULL } from '../../base/json/json-reader.ts'
import type { RequestReader } from './request-reader.ts'

/** A value as in the request. */
export type AfterValue = string | number | bigint | boolean | null

/** Reads the array at the current token. */
export function readSearchAfter(reader: RequestReader): AfterValue[] {
  const values: AfterValue[] = []
  while (reader.next() !== END_ARRAY) {
    if (!reader.isValue && !reader.is(NULL)) {
      throw reader.parsingError(
        'Expected [VALUE_STRING] or [VALUE_NUMBER] or [VALUE_BOOLEAN] or [VALUE_NULL] but found ' +
          `[${reader.tokenName}] inside search_after.`,
      )
    }
    values.push(reader.value() as AfterValue)
  }
  if (values.length === 0) throw illegalArgument('Values must contains at least one value.')
  return values
}
