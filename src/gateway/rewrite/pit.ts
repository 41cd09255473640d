/** Searches in a point in time: the cluster's id, and the tiebreaker that Elasticsearch adds to every sort. */
import type { JsonObject } from '../../service/metadata/metadata.ts'
import { isObject } from './field-types.ts'
import { decodePitId, encodePitId, type PitId } from './pit-id.ts'
import type { Rewrite, SearchRewrite, SearchScope } from './search-rewrite.ts'
import { planShardDoc } from './shard-doc.ts'
import { ShardPlaces } from './shard-places.ts'
import { planTiebreak, tiebrokenHits } from './tiebreaker.ts'

const DEFAULT_SIZE = 10

/** The point in time of a search request; undefined when it has none or one that no gateway opened. */
export function pitOf(request: JsonObject): PitId | undefined {
  const pit = request['pit']
  return isObject(pit) && typeof pit['id'] === 'string' ? decodePitId(pit['id']) : undefined
}

export interface PitOptions {
  /** The cluster has `_shard_doc` itself. */
  readonly hasShardDoc: boolean
  /** Pages that lost a shard are answered. */
  readonly partialPages: boolean
  /** `from` and `size` of the target, which have precedence over the body. */
  readonly from?: number | undefined
  readonly size?: number | undefined
}

export function pitRewrite(options: PitOptions): Rewrite {
  return (request, scope) => {
    const pit = pitOf(request)
    if (pit === undefined) {
      if (!sortsByShardDoc(request)) return undefined
      return tiebreak(request, new ShardPlaces(scope.spread), scope, options)
    }
    const named = { ...request, pit: { ...(request['pit'] as JsonObject), id: pit.id } }
    const places = new ShardPlaces(pit.spread)
    const ties = options.hasShardDoc ? undefined : tiebreak(named, places, scope, options)
    const amend = (answer: JsonObject): JsonObject => {
      const { pit_id: id, ...rest } = answer
      const own = encodePitId({ ...pit, id: typeof id === 'string' ? id : pit.id })
      return { pit_id: own, ...(ties?.amend?.(rest) ?? rest) }
    }
    return {
      request: ties?.request ?? named,
      ties: ties?.ties,
      // A page without the hits of a lost shard would look like the last one.
      parameters: options.partialPages ? {} : { allow_partial_search_results: 'false' },
      amend,
    }
  }
}

function tiebreak(
  request: JsonObject,
  places: ShardPlaces,
  scope: SearchScope,
  options: PitOptions,
): SearchRewrite | undefined {
  const from = options.from ?? numberIn(request['from']) ?? 0
  const size = options.size ?? numberIn(request['size']) ?? DEFAULT_SIZE
  if (size === 0) return undefined
  const sorts = request['sort']
  const hasSort = sorts !== undefined && !(Array.isArray(sorts) && sorts.length === 0)
  const sort: unknown[] = hasSort ? (Array.isArray(sorts) ? [...sorts] : [sorts]) : ['_score']
  const explicit = sort.findIndex((item) => sortField(item) === '_shard_doc')
  const position = explicit < 0 ? sort.length : explicit
  const after = Array.isArray(request['search_after']) ? (request['search_after'] as unknown[]) : undefined
  // A page after values without the tiebreaker has none either, as in Elasticsearch.
  if (explicit < 0 && after !== undefined && after.length === sort.length && hasSort) return undefined
  const given = {
    sort,
    position,
    isDescending: explicit >= 0 && sortOrder(sort[explicit]) === 'desc',
    searchAfter: after,
    from: Math.max(0, from),
    size,
    places,
    window: scope.maxResultWindow,
  }
  const scored = hasSort ? request : { ...request, track_scores: true }
  if (canReadShards(request, places, scope)) {
    const ties = planShardDoc({ ...given, request: scored })
    return { request: ties.request, ties: places.total > 1 ? ties : undefined }
  }
  const plan = planTiebreak(given)
  return {
    request: {
      ...scored,
      sort: plan.sort,
      ...(plan.searchAfter === undefined ? {} : { search_after: plan.searchAfter }),
      ...(plan.from === 0 ? {} : { from: plan.from }),
      size: plan.size,
    },
    amend(answer) {
      const hits = answer['hits'] as JsonObject
      return { ...answer, hits: { ...hits, hits: tiebrokenHits(hits['hits'] as JsonObject[], plan) } }
    },
  }
}

/** Whether the shards of a point in time can be read one by one, and hits tell their shards. */
function canReadShards(request: JsonObject, { total }: ShardPlaces, scope: SearchScope): boolean {
  if (request['pit'] === undefined) return false
  const { slice, collapse, rescore, stored_fields: stored } = request
  const hasIds = ![scope.parameter('stored_fields'), stored].flat().includes('_none_')
  return total === 1 || (slice === undefined && collapse === undefined && rescore === undefined && hasIds)
}

/** Without a point in time `_shard_doc` is only there when it is asked for. */
function sortsByShardDoc({ sort }: JsonObject): boolean {
  return Array.isArray(sort) ? sort.some((item) => sortField(item) === '_shard_doc') : sortField(sort) === '_shard_doc'
}

export function sortField(item: unknown): string | undefined {
  if (typeof item === 'string') return item
  return isObject(item) ? Object.keys(item)[0] : undefined
}

function sortOrder(item: unknown): string {
  const options = isObject(item) ? Object.values(item)[0] : undefined
  return String(isObject(options) ? (options['order'] ?? 'asc') : (options ?? 'asc')).toLowerCase()
}

function numberIn(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}
