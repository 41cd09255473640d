/** `_reload_search_analyzers`: reads the files of updateable synonyms again. */
import { reloadSearchAnalyzers } from '../../../service/indices/reload-analyzers.ts'
import type { SandpiperNode } from '../../../service/sandpiper-node.ts'
import type { Routes } from '../../router.ts'
import { indexExpressions, indicesParameters } from '../indices-parameters.ts'

export function reloadAnalyzersRoutes(routes: Routes, node: SandpiperNode): void {
  routes.add(['GET', 'POST'], '/{index}/_reload_search_analyzers', (request) => {
    const expressions = indexExpressions(request)
    const parameters = indicesParameters(request)
    request.query.accept('resource')
    return async () => ({
      status: 200,
      body: await reloadSearchAnalyzers(node.context, expressions, parameters, node.id),
    })
  })
}
