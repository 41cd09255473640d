/** `GET /{index}/_field_usage_stats`: how many searches read which structures of the fields. */
import type { SandpiperNode } from '../../../service/sandpiper-node.ts'
import type { Routes } from '../../router.ts'
import { indexExpressions, indicesParameters } from '../indices-parameters.ts'

export function fieldUsageStatsRoutes(routes: Routes, node: SandpiperNode): void {
  routes.add('GET', '/{index}/_field_usage_stats', (request) => {
    const expressions = indexExpressions(request)
    const parameters = indicesParameters(request)
    const fields = request.query.list('fields', [])
    const { human } = request
    return () => ({ status: 200, body: node.fieldUsage.get(expressions, parameters, { fields, human }) })
  })
}
