/**
 * `/_sandpiper/contexts`: lists open points in time and scrolls with the resources they pin, and closes them.
 * Elasticsearch has no equivalent.
 */
import { resourceNotFound } from '../../../base/api-error.ts'
import type { SandpiperNode } from '../../../service/sandpiper-node.ts'
import type { Routes } from '../../router.ts'

export function contextRoutes(routes: Routes, node: Pick<SandpiperNode, 'contexts'>): void {
  routes.add('GET', '/_sandpiper/contexts', () => async () => ({ status: 200, body: node.contexts.describe() }))
  routes.add('DELETE', '/_sandpiper/contexts/{id}', (request) => {
    const id = request.params['id']!
    return async () => {
      if (!node.contexts.closeByOperator(id)) {
        throw resourceNotFound(`there is no open context [${id}]`)
      }
      return { status: 200, body: { acknowledged: true } }
    }
  })
}
