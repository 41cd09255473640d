/** Parses the filter of an alias when the alias is created, so that later searches cannot fail on it. */
import { ApiError, illegalArgument } from '../../base/api-error.ts'
import { encodeJson } from '../../base/json/json-writer.ts'
import { parseQueryBody } from '../../engine/query/parse-query.ts'
import type { Query } from '../../engine/scoring/query.ts'
import type { ShardView } from '../../engine/segment/segment-reader-api.ts'
import type { IndexMappings } from '../catalog/index-mappings.ts'
import type { AliasMetadata, IndexMetadata } from '../metadata/metadata.ts'
import { shardQueryContext } from '../search/shards/index-search-context.ts'

export function checkAliasFilter(name: string, alias: AliasMetadata): void {
  check(name, alias, () => {})
}

/** Also binds the filter to the fields of the index: a value that its field cannot have is refused. */
export function checkAliasFilterOf(
  index: IndexMetadata,
  name: string,
  alias: AliasMetadata,
  mappings: IndexMappings,
  nowMs: number,
): void {
  check(name, alias, (query) => {
    query.plan({ isCheck: true, ...shardQueryContext(index, 0, NO_DOCUMENTS, mappings, nowMs) }, false, 1)
  })
}

const NO_DOCUMENTS: ShardView = { generation: 0, segments: [], liveRoots: 0 }

function check(name: string, { filter }: AliasMetadata, use: (query: Query) => void): void {
  if (filter === undefined) return
  try {
    use(parseQueryBody(encodeJson(filter)))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw illegalArgument(`failed to parse filter for alias [${name}]`, error)
  }
}
