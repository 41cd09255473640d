/** `/_sandpiper/contexts`: which points in time and scrolls are open, what they pin, and a way to end them. Elasticsearch has none. */
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
