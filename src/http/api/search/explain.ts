/** `GET|POST /{index}/_explain/{id}`. */
import type { SandpiperNode } from '../../../service/sandpiper-node.ts'
import { parseQueryOnly } from '../../../service/search/request/query-only-body.ts'
import type { Routes } from '../../router.ts'
import { checkDocumentPreference, queryParameter, sourceParameter } from './search-parameters.ts'

export function explainRoutes(routes: Routes, node: Pick<SandpiperNode, 'search'>): void {
  routes.add(['GET', 'POST'], '/{index}/_explain/{id}', (request) => {
    const { query, params } = request
    const inBody = parseQueryOnly(request.body)
    const wanted = {
      index: params['index']!,
      id: params['id']!,
      routing: query.string('routing'),
      query: queryParameter(request) ?? inBody,
      source: sourceParameter(request),
      storedFields: query.list('stored_fields'),
      limits: request.carriedAccess?.limits,
      lookupLimits: request.carriedAccess?.lookupLimits,
    }
    checkDocumentPreference(request)
    return () => node.search.explain(wanted)
  })
}
