import type { ApiError } from '../../base/api-error.ts'

/**
 * Errors that are answered as they are, not as "failed to create query": Elasticsearch finds them while it rewrites a
 * query for a shard, before it makes the query itself.
 */
export const unwrappedErrors = new WeakSet<ApiError>()
