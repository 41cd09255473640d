/** `_shard_stores`: the copies of shards on disk. */
import { readStatuses, shardStores } from '../../../service/cluster/shard-stores.ts'
import type { SandpiperNode } from '../../../service/sandpiper-node.ts'
import type { Routes } from '../../router.ts'
import { indexExpressions, indicesParameters } from '../indices-parameters.ts'

export function shardStoresRoutes(routes: Routes, node: SandpiperNode): void {
  for (const path of ['/_shard_stores', '/{index}/_shard_stores']) {
    routes.add('GET', path, (request) => {
      const expressions = indexExpressions(request)
      const parameters = indicesParameters(request)
      const statuses = readStatuses(request.query.list('status'))
      return () => ({ status: 200, body: shardStores(node, expressions, parameters, statuses) })
    })
  }
}
