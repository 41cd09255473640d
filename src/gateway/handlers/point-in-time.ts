/** Opening and closing points in time, which OpenSearch has at another path and with other members. */
import { encodeJson } from '../../base/json/json-writer.ts'
import type { Answer } from '../../http/dispatcher.ts'
import type { Bridge } from '../exchange/bridge.ts'
import { type Exchange, isObject, type JsonObject, parseJson } from '../exchange/exchange.ts'
import { decodePitId, encodePitId, type PitId } from '../rewrite/pit-id.ts'
import { spreadOf } from './search-scope.ts'

interface Opened {
  readonly pit_id: string
  readonly _shards: { readonly total: number }
}

/** `POST /{index}/_pit` */
export async function openPointInTime(exchange: Exchange, bridge: Bridge): Promise<Answer> {
  const shadowed = await bridge.shadow.judge(() => exchange.forShadow(), false)
  if (shadowed !== undefined && shadowed.status >= 400) return shadowed
  if (shadowed !== undefined) await bridge.shadow.closeContext(shadowed)
  const { indices, isFiltered } = await searchedIndices(exchange, bridge)
  if (indices.length === 0) {
    const _shards = { total: 0, successful: 0, skipped: 0, failed: 0 }
    return exchange.answer(200, { id: encodePitId({ shards: 0, spread: [], id: '' }), _shards })
  }
  // An alias may have a filter, so that the names stay those of the request.
  const names = isFiltered
    ? indices.map(encodeURIComponent).join(',')
    : encodeURIComponent(exchange.params['index'] ?? '')
  const path = `/${names}/_search/point_in_time`
  const partial = exchange.query.string('allow_partial_search_results') === 'true'
  const uri = exchange.uriFor(path, {
    max_concurrent_shard_requests: undefined,
    allow_partial_search_results: undefined,
    allow_partial_pit_creation: String(partial),
  })
  const upstream = await bridge.send(exchange, { uri, body: EMPTY })
  if (upstream.status >= 400) return bridge.refused(exchange, upstream)
  const { pit_id: id, _shards } = parseJson(upstream.body) as Opened
  const spread = spreadOf(bridge.shadow.node, indices)
  return exchange.answer(200, { id: encodePitId({ shards: _shards.total, spread, id }), _shards })
}

/** `DELETE /_pit`. OpenSearch closes a point in time that is gone with success, so that it is looked for first. */
export async function closePointInTime(exchange: Exchange, bridge: Bridge): Promise<Answer> {
  const body = exchange.readBodyQuietly() as JsonObject | undefined
  const pit =
    isObject(body) && Object.keys(body).length === 1 && typeof body['id'] === 'string'
      ? decodePitId(body['id'])
      : undefined
  if (pit === undefined) return bridge.shadow.read(exchange.forShadow())
  if (pit.id === '') return exchange.answer(200, { succeeded: true, num_freed: 0 })
  if (!(await isOpen(exchange, bridge, pit))) return exchange.answer(404, { succeeded: false, num_freed: 0 })
  const upstream = await bridge.send(exchange, {
    uri: '/_search/point_in_time',
    body: encodeJson({ pit_id: [pit.id] }),
  })
  if (upstream.status >= 400) return bridge.refused(exchange, upstream)
  const { pits } = parseJson(upstream.body) as { pits: readonly { successful: boolean }[] }
  const succeeded = pits.every(({ successful }) => successful)
  return exchange.answer(succeeded ? 200 : 404, { succeeded, num_freed: succeeded ? pit.shards : 0 })
}

async function isOpen(exchange: Exchange, bridge: Bridge, { id }: PitId): Promise<boolean> {
  const body = encodeJson({ size: 0, track_total_hits: false, pit: { id } })
  const { status } = await bridge.send(exchange, {
    method: 'POST',
    uri: '/_search?allow_partial_search_results=true',
    body,
  })
  return status < 400
}

/** Names of the indices that a search with the names of this request reaches, without those that `index_filter` excludes. */
async function searchedIndices(
  exchange: Exchange,
  bridge: Bridge,
): Promise<{ readonly indices: readonly string[]; readonly isFiltered: boolean }> {
  const names = bridge.shadow.searchedIndices(exchange.params['index'] ?? '', exchange.query)
  const body = exchange.readBody()
  const filter = isObject(body) ? body['index_filter'] : undefined
  if (filter === undefined || names.length === 0) return { indices: names, isFiltered: false }
  const search = { size: 0, query: filter, aggs: { names: { terms: { field: '_index', size: names.length } } } }
  const uri = `/${names.map(encodeURIComponent).join(',')}/_search?ignore_unavailable=true`
  const { status, body: answer } = await bridge.send(exchange, { uri, body: encodeJson(search) })
  if (status >= 400) return { indices: names, isFiltered: false }
  const { aggregations } = parseJson(answer) as { aggregations: { names: { buckets: readonly { key: string }[] } } }
  return { indices: aggregations.names.buckets.map(({ key }) => key).sort(), isFiltered: true }
}

const EMPTY = Buffer.alloc(0)
