/** `GET|POST /{index}/_count`. */
import type { SandpiperNode } from '../../../service/sandpiper-node.ts'
import { parseQueryOnly } from '../../../service/search/request/query-only-body.ts'
import { checkTerminateAfter } from '../../../service/search/request/search-body.ts'
import type { Routes } from '../../router.ts'
import { HttpSearchOrigin } from './search-origin.ts'
import { queryParameter, searchScope } from './search-parameters.ts'

export function countRoutes(routes: Routes, node: Pick<SandpiperNode, 'search'>): void {
  for (const path of ['/_count', '/{index}/_count']) {
    routes.add(['GET', 'POST'], path, (request) => {
      const { query } = request
      const scope = searchScope(request, true)
      // With a body, parameters of the query string are unknown ones.
      const body = request.hasBody ? request.body : undefined
      const wanted = body === undefined ? queryParameter(request) : parseQueryOnly(body)
      const minScore = query.float('min_score')
      const terminateAfter = query.integer('terminate_after')
      if (terminateAfter !== undefined) checkTerminateAfter(terminateAfter)
      const origin = new HttpSearchOrigin(body, request)
      return async () => ({
        status: 200,
        body: await node.search.count(scope, wanted, minScore, terminateAfter, origin),
      })
    })
  }
}
