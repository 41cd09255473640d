/** The requests to use instead of a page beyond the result window: a point in time and a search with `search_after`. */
import type { ApiRequest } from '../../api/client.ts'
import { isObject, type Json, parseJson } from '../../api/lossless-json.ts'

export function goOnRequests({ path, body }: ApiRequest): ApiRequest[] {
  const target = path.split('?')[0]!.replace(/\/_search$/, '')
  let search: Record<string, Json> = {}
  try {
    const parsed = typeof body === 'string' ? parseJson(body) : body
    if (isObject(parsed)) search = parsed
  } catch {
    // The search is a new request.
  }
  const { from: _from, ...rest } = search
  return [
    { method: 'POST', path: `${target === '' ? '/_all' : target}/_pit?keep_alive=5m` },
    {
      method: 'POST',
      path: '/_search',
      body: {
        size: 1000,
        ...rest,
        pit: { id: 'the id of the answer above', keep_alive: '5m' },
        sort: rest['sort'] ?? [{ _shard_doc: 'asc' }],
        search_after: ['the sort values of the last hit; leave this out for the first page'],
      },
    },
  ]
}
