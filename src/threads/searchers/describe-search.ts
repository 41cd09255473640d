/** The description of a search in another thread for the task list. */

import type { IncomingRequest } from '../../http/dispatcher.ts'
import type { NewRequest } from '../../service/tasks/running-requests.ts'

/** Long bodies are truncated. */
const SOURCE_CHARACTERS_MAX = 4_096

export function describeSearch(
  { uri, body, headers }: IncomingRequest,
  shards: readonly { readonly index: string; readonly shard: number }[],
  cancel: () => void,
): NewRequest {
  const opaqueId = headers['x-opaque-id']
  const part = (action: string, { index, shard }: { index: string; shard: number }) => ({
    action,
    description: `shardId[[${index}][${shard}]]`,
  })
  const common = { opaqueId: typeof opaqueId === 'string' ? opaqueId : undefined, cancel }
  if (uri.startsWith('/_search/scroll')) {
    const parts = shards.map((shard) => part('indices:data/read/search[phase/query+fetch/scroll]', shard))
    return { action: 'indices:data/read/scroll', description: 'scrollId[]', parts, ...common }
  }
  if (/\/_msearch\b/.test(uri)) {
    const parts = shards.map((shard) => part('indices:data/read/search[phase/query]', shard))
    return { action: 'indices:data/read/msearch', description: '', parts, ...common }
  }
  const indices = [...new Set(shards.map(({ index }) => index))].join(',')
  const source = body.toString('utf8', 0, SOURCE_CHARACTERS_MAX)
  const description = `indices[${indices}], search_type[QUERY_THEN_FETCH], source[${source}]`
  const parts = shards.map((shard) => part('indices:data/read/search[phase/query]', shard))
  return { action: 'indices:data/read/search', description, parts, ...common }
}
