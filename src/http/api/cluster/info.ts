/** `_info/{target}`: statistics over all nodes of the cluster, which are those of this node. */
import { illegalArgument } from '../../../base/api-error.ts'
import { unrecognized } from '../../../base/errors/http-errors.ts'
import { nodeStats } from '../../../service/cluster/node-stats.ts'
import type { SandpiperNode } from '../../../service/sandpiper-node.ts'
import type { Routes } from '../../router.ts'

/** In print order. */
const TARGETS = ['thread_pool', 'http', 'ingest', 'script']

export function infoRoutes(routes: Routes, node: SandpiperNode): void {
  routes.add('GET', '/_info/{target}', (request) => {
    const names = request.params['target']!.split(',')
    const all = names.includes('_all')
    if (all && names.length > 1) {
      throw illegalArgument(`request [${request.path}] contains _all and individual target [${names.join(',')}]`)
    }
    const unknown = all ? [] : names.filter((name) => !TARGETS.includes(name)).sort()
    if (unknown.length > 0) {
      throw unrecognized(
        request.path,
        'target',
        unknown.map((name) => `[${name}]`),
      )
    }
    const wanted = all ? TARGETS : TARGETS.filter((target) => names.includes(target))
    return async () => {
      const stats = await nodeStats(node, wanted, {})
      const shown = Object.fromEntries(wanted.map((target) => [target, stats[target]]))
      return { status: 200, body: { cluster_name: node.clusterName, ...shown } }
    }
  })
}
