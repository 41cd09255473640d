/**
 * The `help` member of an error response: what to do instead, for errors that users meet often. It stands beside `error`
 * and `status`, whose content is Elasticsearch's.
 */
import type { ApiError, ErrorHelp } from '../base/api-error.ts'
import { JsonReader } from '../base/json/json-reader.ts'
import type { JsonValue } from '../base/json/json-writer.ts'
import { plainValue } from '../base/json/plain-value.ts'

export interface FailedRequest {
  /** Path and query string. */
  readonly uri: string
  /** The body as JSON. */
  readonly body: Uint8Array
}

/** Returns undefined for an error without help. */
export function errorHelp(error: ApiError, request: FailedRequest): Record<string, JsonValue> | undefined {
  const help = helpOf(error)
  if (help === undefined) return undefined
  const { topic, ...facts } = help
  return topic === 'result_window' ? { ...facts, ...pagingInstead(request) } : facts
}

/** A search failure has its help in one of the causes. */
function helpOf(error: ApiError): ErrorHelp | undefined {
  if (error.help !== undefined) return error.help
  for (const cause of error.rootCauses ?? []) if (cause !== error && cause.help !== undefined) return cause.help
  return error.causedBy === undefined ? undefined : helpOf(error.causedBy)
}

const PAGE_SIZE_MAX = 1000

/** The requests that page through the same hits with a point in time and `search_after`. */
function pagingInstead({ uri, body }: FailedRequest): Record<string, JsonValue> {
  const path = uri.split('?', 1)[0]!
  const index = /^\/([^/]+)\/_search/.exec(path)?.[1] ?? '_all'
  const { from: _, size, pit: __, search_after: ___, ...search } = searchOf(body)
  const pit = { id: '<id of the first response>', keep_alive: '1m' }
  const pageSize = typeof size === 'number' ? Math.min(size, PAGE_SIZE_MAX) : PAGE_SIZE_MAX
  const sort = search['sort'] ?? [{ _shard_doc: 'asc' }]
  const first = { ...search, size: pageSize, sort, pit }
  return {
    instead: [
      { method: 'POST', path: `/${index}/_pit?keep_alive=1m` },
      { method: 'POST', path: '/_search', body: first },
      {
        method: 'POST',
        path: '/_search',
        body: { ...first, search_after: '<sort of the last hit of the previous page>' },
        repeat: 'until a page has no hits',
      },
      { method: 'DELETE', path: '/_pit', body: { id: pit.id } },
    ],
  }
}

function searchOf(body: Uint8Array): Record<string, JsonValue> {
  if (body.length === 0) return {}
  try {
    const reader = new JsonReader().reset(Uint8Array.from(body))
    reader.next()
    return plainValue(reader, true) as Record<string, JsonValue>
  } catch {
    return {}
  }
}
