/** `_scripts`: stored scripts, `_scripts/painless/_execute`, and the script contexts. */

import { parseFailure } from '../../../base/api-error.ts'
import type { SandpiperNode } from '../../../service/sandpiper-node.ts'
import { painlessContexts, scriptContexts, scriptLanguages } from '../../../service/scripts/script-contexts.ts'
import { parseStoredScript } from '../../../service/scripts/stored-scripts.ts'
import { parseExecuteRequest } from '../../../service/search/request/execute-request.ts'
import type { Routes } from '../../router.ts'
import { requireBody } from '../required-body.ts'

const ACKNOWLEDGED = { status: 200, body: { acknowledged: true } }

/** Scripts that are tried; searcher threads answer this too, because a script may take long. */
export function scriptTrialRoutes(routes: Routes, node: Pick<SandpiperNode, 'scriptTrials'>): void {
  routes.add(['GET', 'POST'], '/_scripts/painless/_execute', (request) => {
    if (!request.hasBody) throw parseFailure('request body or source parameter is required')
    const execution = parseExecuteRequest(request.body)
    return () => ({ status: 200, body: { result: node.scriptTrials.execute(execution) } })
  })
}

export function scriptRoutes(routes: Routes, node: SandpiperNode): void {
  scriptTrialRoutes(routes, node)
  routes.add('GET', '/_scripts/painless/_context', (request) => {
    const context = request.query.string('context')
    return () => ({ status: 200, body: painlessContexts(context) })
  })
  routes.add('GET', '/_script_context', () => () => ({ status: 200, body: scriptContexts() }))
  routes.add('GET', '/_script_language', () => () => ({ status: 200, body: scriptLanguages() }))

  for (const path of ['/_scripts/{id}', '/_scripts/{id}/{context}']) {
    routes.add(['PUT', 'POST'], path, (request) => {
      const id = request.params['id']!
      const context = request.param('context')
      request.query.accept('master_timeout', 'timeout')
      const body = requireBody(request)
      const script = parseStoredScript(body)
      return async () => {
        await node.scripts.put(id, script, context, body.length)
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
