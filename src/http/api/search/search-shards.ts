/** `GET|POST /{index}/_search_shards`. */

import { searchShards } from '../../../service/cluster/shard-routing.ts'
import { EXPAND_OPEN_LENIENT, withParameters } from '../../../service/names/indices-options.ts'
import type { SandpiperNode } from '../../../service/sandpiper-node.ts'
import type { Routes } from '../../router.ts'
import { indexExpressions, indicesParameters } from '../indices-parameters.ts'
import { preferenceParameter } from './search-parameters.ts'

export function searchShardsRoutes(routes: Routes, node: SandpiperNode): void {
  for (const path of ['/_search_shards', '/{index}/_search_shards']) {
    routes.add(['GET', 'POST'], path, (request) => {
      const scope = {
        expressions: indexExpressions(request),
        options: withParameters(EXPAND_OPEN_LENIENT, indicesParameters(request)),
        routing: request.query.list('routing'),
        preference: preferenceParameter(request),
        // The response has no documents.
        limits: undefined,
      }
      request.query.boolean('local')
      request.query.accept('master_timeout')
      return () => ({ status: 200, body: searchShards(node, scope) })
    })
  }
}
