import type { ApiError } from '../../base/api-error.ts'

/**
 * Errors that are reported as they are, without "failed to create query": Elasticsearch detects them while it rewrites
 * a query for a shard, before it creates the query itself.
 */
export const unwrappedErrors = new WeakSet<ApiError>()
