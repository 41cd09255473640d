/** `_security/role_mapping`. */
import { printMapping } from '../../../security/accounts/role-mapping-service.ts'
import type { Security } from '../../../security/security.ts'
import type { Routes } from '../../router.ts'
import { acceptRefresh, namesOf, requiredBody } from './security-request.ts'

export function roleMappingRoutes(routes: Routes, { roleMappings }: Security): void {
  routes.add(['PUT', 'POST'], '/_security/role_mapping/{name}', (request) => {
    acceptRefresh(request)
    const body = requiredBody(request)
    return async () => ({
      status: 200,
      body: { role_mapping: { created: await roleMappings.put(request.params['name']!, body) } },
    })
  })
  for (const path of ['/_security/role_mapping', '/_security/role_mapping/{name}']) {
    routes.add('GET', path, (request) => {
      const names = namesOf(request, 'name')
      return () => {
        const found = roleMappings.all().filter(([name]) => names === undefined || names.includes(name))
        const body = Object.fromEntries(found.map(([name, mapping]) => [name, printMapping(mapping)]))
        return { status: names !== undefined && found.length === 0 ? 404 : 200, body }
      }
    })
  }
  routes.add('DELETE', '/_security/role_mapping/{name}', (request) => {
    acceptRefresh(request)
    return async () => {
      const found = await roleMappings.remove(request.params['name']!)
      return { status: found ? 200 : 404, body: { found } }
    }
  })
}
