/** The security API. Its routes exist only with security enabled, as in Elasticsearch. */
import type { Security } from '../../../security/security.ts'
import type { SandpiperNode } from '../../../service/sandpiper-node.ts'
import type { Routes } from '../../router.ts'
import { apiKeyRoutes } from './api-keys.ts'
import { privilegeRoutes } from './privileges.ts'
import { roleMappingRoutes } from './role-mappings.ts'
import { roleRoutes } from './roles.ts'
import { serviceAccountRoutes } from './service-accounts.ts'
import { userRoutes } from './users.ts'

export function securityRoutes(routes: Routes, security: Security, node: SandpiperNode): void {
  userRoutes(routes, security)
  roleRoutes(routes, security)
  apiKeyRoutes(routes, security)
  privilegeRoutes(routes)
  roleMappingRoutes(routes, security)
  serviceAccountRoutes(routes, security, node)
  // Caches notice changes immediately, so there is nothing to clear. Tools call these routes after changes.
  for (const path of [
    '/realm/{realms}',
    '/role/{name}',
    '/api_key/{ids}',
    '/privilege/{application}',
    '/service/{namespace}/{service}/credential/token/{name}',
  ]) {
    routes.add('POST', `/_security${path}/_clear_cache`, () => () => ({
      status: 200,
      body: {
        _nodes: { total: 1, successful: 1, failed: 0 },
        cluster_name: node.clusterName,
        nodes: { [node.id]: { name: node.name } },
      },
    }))
  }
}
