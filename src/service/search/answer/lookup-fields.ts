/** Values of `lookup` fields: one search in another index for each different value of the page. */
import { ApiError } from '../../../base/api-error.ts'
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
  for (const { hit, name, values } of pending) {
    const found: Record<string, unknown>[] = []
    for (const value of values) {
      const key = JSON.stringify([value.targetIndex, value.targetField, value.value, value.fetchFields])
      if (!known.has(key)) known.set(key, fieldsOf(value, search))
      const fields = known.get(key)
      if (fields !== undefined) found.push(fields)
    }
    if (found.length > 0) hit['fields'] = { ...(hit['fields'] as object | undefined), [name]: found }
  }
}

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
  try {
    return search(value.targetIndex, body)[0]?.['fields'] as Record<string, unknown> | undefined
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw new ApiError(error.status, 'search_phase_execution_exception', 'failed to fetch lookup fields', {
      details: { phase: 'fetch_lookup_fields', grouped: true, failed_shards: [] },
      causedBy: error,
      rootCauses: [],
    })
  }
}
