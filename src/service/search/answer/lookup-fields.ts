/** Values of `lookup` fields: one search in another index for each different value of the page. */
import { ApiError, firstOfErrors } from '../../../base/api-error.ts'
import { encodeJson } from '../../../base/json/json-writer.ts'
import type { LookupValue } from '../../../engine/search/fetch/lookup-value.ts'
import type { SearchBody } from '../request/search-body.ts'
import { parseSearchBody } from '../request/search-request.ts'

/** The values of one field of a printed hit. */
export interface PendingLookup {
  readonly hit: Record<string, unknown>
  readonly name: string
  readonly values: readonly LookupValue[]
}

/** Returns the hits that a search of an index finds, in wire form. */
export type SearchIndex = (index: string, body: SearchBody) => readonly Record<string, unknown>[]

/** Adds the fields of the documents that are found to the hits. Documents without any of the fields add nothing. */
export function resolveLookupFields(pending: readonly PendingLookup[], search: SearchIndex): void {
  const known = new Map<string, Record<string, unknown> | undefined>()
  const failures: ApiError[] = []
  for (const { values } of pending) {
    for (const value of values) {
      const key = keyOf(value)
      if (known.has(key)) continue
      try {
        known.set(key, fieldsOf(value, search))
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        failures.push(error)
        known.set(key, undefined)
      }
    }
  }
  if (failures.length > 0) throw lookupFailure(failures)
  for (const { hit, name, values } of pending) {
    const found = values.map((value) => known.get(keyOf(value))).filter((fields) => fields !== undefined)
    if (found.length > 0) hit['fields'] = { ...(hit['fields'] as object | undefined), [name]: found }
  }
}

const keyOf = ({ targetIndex, targetField, value, fetchFields }: LookupValue) =>
  JSON.stringify([targetIndex, targetField, value, fetchFields])

function fieldsOf(value: LookupValue, search: SearchIndex): Record<string, unknown> | undefined {
  const body = parseSearchBody(
    encodeJson({
      query: { term: { [value.targetField]: { value: value.value } } },
      fields: value.fetchFields,
      size: 1,
      _source: false,
      track_total_hits: false,
    }),
  )
  return search(value.targetIndex, body)[0]?.['fields'] as Record<string, unknown> | undefined
}

/** The first failure is the cause. Those of other values are shown beside it. */
function lookupFailure(errors: readonly ApiError[]): ApiError {
  const cause = firstOfErrors(errors)
  return new ApiError(cause.status, 'search_phase_execution_exception', 'failed to fetch lookup fields', {
    details: { phase: 'fetch_lookup_fields', grouped: true, failed_shards: [] },
    causedBy: cause,
    rootCauses: [],
  })
}
