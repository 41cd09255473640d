/** `GET|POST /_mget` and `/{index}/_mget`: several documents at once. */
import { requestBodyOrSourceRequired } from '../../../base/errors/document-errors.ts'
import { parseMultiGet } from '../../../service/documents/multi-get-request.ts'
import type { SandpiperNode } from '../../../service/sandpiper-node.ts'
import type { Routes } from '../../router.ts'
import { checkDocumentPreference, sourceParameter } from '../search/search-parameters.ts'

export function mgetRoutes(routes: Routes, node: SandpiperNode): void {
  for (const path of ['/_mget', '/{index}/_mget']) {
    routes.add(['GET', 'POST'], path, (request) => {
      const { query } = request
      checkDocumentPreference(request)
      const refresh = query.boolean('refresh', false)
      const realtime = query.boolean('realtime', true)
      query.boolean('force_synthetic_source')
      const storedFields = query.list('stored_fields')
      const filter = sourceParameter(request)
      const routing = query.string('routing')
      if (!request.hasBody) throw requestBodyOrSourceRequired()
      const index = request.params['index']
      const items = parseMultiGet(request.body, {
        index,
        routing,
        realtime,
        refresh,
        sourceFilter: filter,
        storedFields,
        limits: request.carriedAccess?.limits,
      })
      return async () => ({ status: 200, body: await node.documents.multiGet(items, request.access?.refuseItem) })
    })
  }
}
