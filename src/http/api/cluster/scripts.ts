/** `_scripts`: scripts kept under a name. */
import type { SandpiperNode } from '../../../service/sandpiper-node.ts'
import { parseStoredScript } from '../../../service/scripts/stored-scripts.ts'
import type { Routes } from '../../router.ts'
import { requireBody } from '../required-body.ts'

const ACKNOWLEDGED = { status: 200, body: { acknowledged: true } }

export function scriptRoutes(routes: Routes, node: SandpiperNode): void {
  for (const path of ['/_scripts/{id}', '/_scripts/{id}/{context}']) {
    routes.add(['PUT', 'POST'], path, (request) => {
      const id = request.params['id']!
      request.param('context')
      request.query.accept('master_timeout', 'timeout')
      const script = parseStoredScript(requireBody(request))
      return async () => {
        await node.scripts.put(id, script)
        return ACKNOWLEDGED
      }
    })
  }

  routes.add('GET', '/_scripts/{id}', (request) => {
    const id = request.params['id']!
    request.query.accept('master_timeout')
    return () => {
      const script = node.scripts.get(id)
      const found = script !== undefined
      return { status: found ? 200 : 404, body: { _id: id, found, script } }
    }
  })

  routes.add('DELETE', '/_scripts/{id}', (request) => {
    const id = request.params['id']!
    request.query.accept('master_timeout', 'timeout')
    return async () => {
      await node.scripts.delete(id)
      return ACKNOWLEDGED
    }
  })
}
