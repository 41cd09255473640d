/**
 * Points in time: `POST /{index}/_pit` opens one, `DELETE /_pit` closes it. OpenSearch has the same under
 * `/_search/point_in_time`, with other member names.
 */
import { parseFailure } from '../../../base/api-error.ts'
import { parseDuration } from '../../../base/duration.ts'
import {
  parseClosePointInTimeBody,
  parseDeletePitsBody,
  parseOpenPointInTimeBody,
} from '../../../service/contexts/context-bodies.ts'
import type { SearchContext } from '../../../service/contexts/search-context.ts'
import type { SandpiperNode } from '../../../service/sandpiper-node.ts'
import type { HttpRequest } from '../../request.ts'
import type { Routes } from '../../router.ts'
import { contextOrigin } from './context-origin.ts'
import { searchScope } from './search-parameters.ts'

export function pointInTimeRoutes(routes: Routes, node: Pick<SandpiperNode, 'contexts'>): void {
  for (const path of ['/_pit', '/{index}/_pit']) {
    routes.add('POST', path, (request) => {
      const open = readOpening(request)
      return async () => {
        const { context, shards } = await open(node)
        return { status: 200, body: { id: context.id, _shards: shards } }
      }
    })
  }
  // Closing a context that no longer exists is not an error, because callers close in `finally`.
  routes.add('DELETE', '/_pit', (request) => {
    if (!request.hasBody) throw parseFailure('request body or source parameter is required')
    const id = parseClosePointInTimeBody(request.body)
    return async () => {
      const { found, ...freed } = node.contexts.closePointInTime(id)
      return { status: found ? 200 : 404, body: freed }
    }
  })
  openSearchRoutes(routes, node)
}

function openSearchRoutes(routes: Routes, node: Pick<SandpiperNode, 'contexts'>): void {
  routes.add('POST', '/{index}/_search/point_in_time', (request) => {
    request.query.boolean('allow_partial_pit_creation')
    const open = readOpening(request)
    return async () => {
      const { context, shards } = await open(node)
      return { status: 200, body: { pit_id: context.id, _shards: shards, creation_time: context.openedAtMs } }
    }
  })
  routes.add('DELETE', '/_search/point_in_time', (request) => {
    const ids = request.hasBody ? parseDeletePitsBody(request.body) : []
    return async () => ({ status: 200, body: { pits: ids.map((id) => deleted(node, id)) } })
  })
  routes.add('DELETE', '/_search/point_in_time/_all', () => async () => {
    const open = node.contexts.list('pit').map(({ id }) => id)
    return { status: 200, body: { pits: open.map((id) => deleted(node, id)) } }
  })
  routes.add('GET', '/_search/point_in_time/_all', () => async () => ({
    status: 200,
    body: { pits: node.contexts.list('pit').map(listed) },
  }))
}

function deleted(node: Pick<SandpiperNode, 'contexts'>, id: string) {
  return { successful: node.contexts.closePointInTime(id).succeeded, pit_id: id }
}

function listed({ id, openedAtMs, keepAliveMs }: SearchContext) {
  return { pit_id: id, creation_time: openedAtMs, keep_alive: keepAliveMs }
}

function readOpening(request: HttpRequest) {
  const text = request.query.string('keep_alive')
  const keepAliveMs = text === undefined ? undefined : parseDuration(text, 'keep_alive')
  request.query.boolean('allow_partial_search_results')
  request.query.integer('max_concurrent_shard_requests')
  const scope = searchScope(request, true)
  const indexFilter = request.hasBody ? parseOpenPointInTimeBody(request.body) : undefined
  const origin = contextOrigin(request)
  return (node: Pick<SandpiperNode, 'contexts'>) =>
    node.contexts.openPointInTime(scope, keepAliveMs, origin, indexFilter)
}
