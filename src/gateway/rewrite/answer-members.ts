/** Members of answers that only Elasticsearch or only OpenSearch has. */
import type { JsonObject } from '../../service/metadata/metadata.ts'
import { aggregationsOf } from './agg-tree.ts'
import { isObject } from './field-types.ts'
import type { Rewrite } from './search-rewrite.ts'

/** Elasticsearch adds `terminated_early: false` to searches that only count exactly. */
export const terminatedEarly: Rewrite = (request, scope) => {
  const size = scope.parameter('size') ?? request['size']
  const ends = request['terminate_after'] ?? scope.parameter('terminate_after')
  const tracked = String(scope.parameter('track_total_hits') ?? request['track_total_hits'])
  const asInteger = ['true', ''].includes(scope.parameter('rest_total_hits_as_int') ?? 'false')
  const isExact = tracked === 'true' || (asInteger && tracked === 'undefined')
  if (Number(size) !== 0 || size === undefined || !isExact || ends !== undefined) return undefined
  if (aggregationsOf(request) !== undefined) return undefined
  return {
    request,
    amend({ took, timed_out, ...rest }) {
      return { took, timed_out, terminated_early: false, ...rest }
    },
  }
}

const EMPTY_META = '"meta":{}'

/** Results without documents have an empty `meta` in OpenSearch. */
export const emptyMeta: Rewrite = (request) => {
  if (aggregationsOf(request) === undefined) return undefined
  return {
    request,
    isNeeded: (body) => body.includes(EMPTY_META),
    amend(answer) {
      if (isObject(answer['aggregations'])) removeEmptyMeta(answer['aggregations'])
      return answer
    },
  }
}

function removeEmptyMeta(value: unknown): void {
  if (Array.isArray(value)) for (const item of value) removeEmptyMeta(item)
  if (!isObject(value)) return
  for (const [name, inner] of Object.entries(value)) {
    if (name === 'meta' && isObject(inner) && Object.keys(inner).length === 0) delete value[name]
    else if (name !== 'hits') removeEmptyMeta(inner)
  }
}

/** The shards of a slice: Elasticsearch counts those that the slice cannot reach as successful. */
export const shardsOfSlice: Rewrite = (request, scope) => {
  if (request['slice'] === undefined || scope.shards === 0) return undefined
  return {
    request,
    amend(answer) {
      const shards = answer['_shards']
      if (!isObject(shards)) return answer
      const total = scope.shards
      return { ...answer, _shards: { ...shards, total, successful: total - Number(shards['failed']) } }
    },
  }
}

/** `unassigned_primary_shards` in a health answer, at every level; `discovered_master` is not Elasticsearch's. */
export function withPrimaries(health: JsonObject, unassigned: (index?: string, shard?: string) => number): JsonObject {
  const counted = (level: JsonObject, index?: string, shard?: string): JsonObject => {
    const out: JsonObject = {}
    for (const [name, value] of Object.entries(level)) {
      if (name.startsWith('discovered_')) continue
      if (name === 'indices' && isObject(value)) {
        out[name] = Object.fromEntries(
          Object.entries(value).map(([key, inner]) => [key, counted(inner as JsonObject, key)]),
        )
      } else if (name === 'shards' && isObject(value)) {
        out[name] = Object.fromEntries(
          Object.entries(value).map(([key, inner]) => [key, counted(inner as JsonObject, index, key)]),
        )
      } else out[name] = value
      if (name === 'unassigned_shards') out['unassigned_primary_shards'] = unassigned(index, shard)
    }
    return out
  }
  return counted(health)
}
