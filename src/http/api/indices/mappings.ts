/** `_mapping`: shows mappings and single fields, and adds fields. */
import type { SandpiperNode } from '../../../service/sandpiper-node.ts'
import type { Routes } from '../../router.ts'
import { indexExpressions, indicesParameters } from '../indices-parameters.ts'
import { acceptTimeouts, listParameter } from './indices.ts'

export function mappingRoutes(routes: Routes, node: SandpiperNode): void {
  for (const path of ['/_mapping', '/_mappings', '/{index}/_mapping', '/{index}/_mappings']) {
    routes.add('GET', path, (request) => {
      const expressions = indexExpressions(request)
      const parameters = indicesParameters(request)
      request.query.accept('local', 'master_timeout')
      return () => ({ status: 200, body: node.mappings.get(expressions, parameters) })
    })
  }

  for (const path of ['/_mapping/field/{fields}', '/{index}/_mapping/field/{fields}']) {
    routes.add('GET', path, (request) => {
      const expressions = indexExpressions(request)
      const parameters = indicesParameters(request)
      const fields = listParameter(request, 'fields')
      const includeDefaults = request.query.boolean('include_defaults', false)
      request.query.accept('local')
      return () => {
        const body = node.mappings.getFields(expressions, fields, parameters, includeDefaults)
        // No matching index is a 404 without an error, as clients of this endpoint expect.
        return { status: Object.keys(body).length === 0 && expressions.length > 0 ? 404 : 200, body }
      }
    })
  }

  for (const path of ['/{index}/_mapping', '/{index}/_mappings']) {
    routes.add(['PUT', 'POST'], path, (request) => {
      const expressions = indexExpressions(request)
      const parameters = indicesParameters(request)
      const writeIndexOnly = request.query.boolean('write_index_only', false)
      acceptTimeouts(request)
      const body = request.json()
      return async () => ({
        status: 200,
        body: await node.mappings.put(expressions, body, parameters, { writeIndexOnly }),
      })
    })
  }
}
