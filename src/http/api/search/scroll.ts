/** `/_search/scroll`: returns the next page of a scroll, and closes scrolls. */
import { validationFailed } from '../../../base/api-error.ts'
import { parseClearScrollBody, parseScrollBody } from '../../../service/contexts/context-bodies.ts'
import type { SandpiperNode } from '../../../service/sandpiper-node.ts'
import type { HttpRequest } from '../../request.ts'
import type { Routes } from '../../router.ts'
import { readStoredSearch } from './search.ts'
import { HttpSearchOrigin } from './search-origin.ts'

export function scrollRoutes(routes: Routes, node: Pick<SandpiperNode, 'search'>): void {
  for (const path of ['/_search/scroll', '/_search/scroll/{scroll_id}']) {
    routes.add(['GET', 'POST'], path, (request) => {
      const page = readPage(request)
      return async () => {
        const { contexts } = node.search
        const body = await contexts.scrollPage(page)
        const id = body['_scroll_id']
        return { status: 200, body, ...(typeof id === 'string' ? { onSent: () => contexts.answered(id) } : {}) }
      }
    })
  }
}

export function clearScrollRoutes(routes: Routes, node: Pick<SandpiperNode, 'contexts'>): void {
  for (const path of ['/_search/scroll', '/_search/scroll/{scroll_id}']) {
    routes.add('DELETE', path, (request) => {
      const named = request.param('scroll_id')?.split(',') ?? []
      const inBody = request.hasBody ? parseClearScrollBody(request.body) : undefined
      return async () => {
        const ids = inBody ?? named
        const freed = node.contexts.clearScrolls(ids)
        const isFound = freed.num_freed > 0 || (ids.length === 1 && ids[0] === '_all')
        return { status: isFound ? 200 : 404, body: freed }
      }
    })
  }
}

/** The body takes precedence over path and query string. */
function readPage(request: HttpRequest) {
  const { query } = request
  const id = request.param('scroll_id')
  const keepAliveMs = query.duration('scroll')
  const totalAsInteger = query.boolean('rest_total_hits_as_int', false)
  const body = request.hasBody ? parseScrollBody(request.body) : undefined
  const scrollId = body?.scrollId ?? id
  if (scrollId === undefined) throw validationFailed('scrollId is missing')
  return {
    id: scrollId,
    keepAliveMs: body?.keepAliveMs ?? keepAliveMs,
    totalAsInteger,
    readStored: readStoredSearch,
    originOf: (search: Uint8Array | undefined) => new HttpSearchOrigin(search, request),
  }
}
