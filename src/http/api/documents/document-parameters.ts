/** Query parameters shared by document endpoints. */
import { unknownRefreshPolicy, unknownVersionType } from '../../../base/errors/document-errors.ts'
import { negativeShardCount } from '../../../base/errors/http-errors.ts'
import { badActiveShardCount } from '../../../base/errors/value-errors.ts'
import type { ActiveShards, RefreshPolicy, VersionType } from '../../../service/shards/shard-host.ts'
import { knownPrimaryTerm, knownSeqNo, parseVersionType } from '../../../service/shards/write/write-rules.ts'
import type { QueryParameters } from '../../query-parameters.ts'

const TIMEOUT_MS = 60_000

/** The `refresh` parameter of a write. An empty value means `true`. */
export function refreshPolicy(query: QueryParameters): RefreshPolicy {
  const text = query.string('refresh', 'false')
  if (text === '') return 'true'
  if (text === 'true' || text === 'false' || text === 'wait_for') return text
  throw unknownRefreshPolicy(text)
}

export function versionType(query: QueryParameters): VersionType {
  const text = query.string('version_type', 'internal')
  const type = parseVersionType(text)
  if (type === undefined) throw unknownVersionType(text)
  return type
}

export function ifSeqNo(query: QueryParameters): number | undefined {
  const seqNo = query.long('if_seq_no')
  return seqNo === undefined ? undefined : knownSeqNo(seqNo)
}

export function ifPrimaryTerm(query: QueryParameters): number | undefined {
  const term = query.long('if_primary_term')
  return term === undefined ? undefined : knownPrimaryTerm(term)
}

/** The `timeout` of a write, in milliseconds. */
export const writeTimeout = (query: QueryParameters): number => query.duration('timeout', TIMEOUT_MS)

/** The number of `wait_for_active_shards`; undefined if not given. */
export function shardCount(query: QueryParameters): ActiveShards['count'] | undefined {
  const text = query.string('wait_for_active_shards')
  if (text === undefined || text === 'all') return text
  if (!/^[+-]?\d+$/.test(text)) throw badActiveShardCount(text)
  const count = Number(text)
  if (count < 0) throw negativeShardCount()
  return count
}

export function activeShards(count: ActiveShards['count'] | undefined, timeoutMs: number): ActiveShards | undefined {
  return count === undefined ? undefined : { count, timeoutMs }
}
