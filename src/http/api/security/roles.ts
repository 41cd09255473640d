/** `_security/role`. */
import { printRole } from '../../../security/model/role-descriptor.ts'
import type { Security } from '../../../security/security.ts'
import type { Routes } from '../../router.ts'
import { acceptRefresh, namesOf, requiredBody } from './security-request.ts'

export function roleRoutes(routes: Routes, { roles }: Security): void {
  routes.add(['PUT', 'POST'], '/_security/role/{name}', (request) => {
    acceptRefresh(request)
    const body = requiredBody(request)
    return async () => ({ status: 200, body: { role: { created: await roles.put(request.params['name']!, body) } } })
  })
  for (const path of ['/_security/role', '/_security/role/{name}']) {
    routes.add('GET', path, (request) => {
      const names = namesOf(request, 'name')
      return () => {
        const all = new Map(roles.all())
        const found = [...(names ?? all.keys())].filter((name) => all.has(name))
        const body = Object.fromEntries(found.map((name) => [name, printRole(all.get(name)!)]))
        return { status: found.length === 0 ? 404 : 200, body }
      }
    })
  }
  routes.add('DELETE', '/_security/role/{name}', (request) => {
    acceptRefresh(request)
    return async () => {
      const found = await roles.remove(request.params['name']!)
      return { status: found ? 200 : 404, body: { found } }
    }
  })
}
