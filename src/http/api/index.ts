/** The list of endpoint families: the whole public surface on one screen. */
import type { HttpAddress } from '../../service/cluster/node-info.ts'
import type { SandpiperNode } from '../../service/sandpiper-node.ts'
import { Routes } from '../router.ts'
import { catRoutes } from './cat.ts'
import { clusterRoutes } from './cluster.ts'
import { ilmRoutes } from './ilm.ts'
import { licenseRoutes } from './license.ts'
import { nodesRoutes } from './nodes.ts'
import { rootRoutes } from './root.ts'
import { tasksRoutes } from './tasks.ts'

export function apiRoutes(node: SandpiperNode, http: HttpAddress): Routes {
  const routes = new Routes()
  rootRoutes(routes, node)
  clusterRoutes(routes, node)
  nodesRoutes(routes, node, http)
  catRoutes(routes, node)
  tasksRoutes(routes, node)
  licenseRoutes(routes, node)
  ilmRoutes(routes, node)
  // Typed indexing of the past: its methods are still listed, and no longer answered.
  routes.reserve('POST', '/{index}/{type}')
  return routes
}
