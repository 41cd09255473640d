/** `_security/user` and `_security/_authenticate`. */
import type { Caller } from '../../../security/authorization/caller.ts'
import { printUser } from '../../../security/model/user.ts'
import type { Security } from '../../../security/security.ts'
import type { HttpRequest } from '../../request.ts'
import type { Routes } from '../../router.ts'
import { acceptRefresh, callerOf, namesOf, requiredBody } from './security-request.ts'
import { selectPage } from './select-page.ts'

export function userRoutes(routes: Routes, security: Security): void {
  const { users } = security
  routes.add('GET', '/_security/_authenticate', (request) => {
    const caller = callerOf(request)
    return () => ({ status: 200, body: printCaller(caller) })
  })

  routes.add(['PUT', 'POST'], '/_security/user/{username}', (request) => {
    acceptRefresh(request)
    const body = requiredBody(request)
    return async () => ({
      status: 200,
      body: { created: await users.put(request.params['username']!, body, callerOf(request)) },
    })
  })

  for (const path of ['/_security/user', '/_security/user/{username}']) {
    routes.add('GET', path, (request) => {
      request.query.boolean('with_profile_uid')
      const names = namesOf(request, 'username')
      return () => {
        const found =
          names === undefined ? users.all() : names.map((name) => users.find(name)).filter((user) => user !== undefined)
        const body = Object.fromEntries(found.map((user) => [user.username, printUser(user)]))
        return { status: found.length === 0 ? 404 : 200, body }
      }
    })
  }

  routes.add('DELETE', '/_security/user/{username}', (request) => {
    acceptRefresh(request)
    return async () => {
      const found = await users.remove(request.params['username']!, security.nowMs())
      return { status: found ? 200 : 404, body: { found } }
    }
  })

  for (const path of ['/_security/user/_password', '/_security/user/{username}/_password']) {
    routes.add(['PUT', 'POST'], path, (request) => {
      acceptRefresh(request)
      const body = requiredBody(request)
      const username = request.params['username'] ?? callerOf(request).username
      return async () => {
        await users.changePassword(username, body)
        return { status: 200, body: {} }
      }
    })
  }

  for (const enabled of [true, false]) {
    const path = `/_security/user/{username}/${enabled ? '_enable' : '_disable'}`
    routes.add(['PUT', 'POST'], path, (request) => {
      acceptRefresh(request)
      return async () => {
        await users.setEnabled(request.params['username']!, enabled, callerOf(request))
        return { status: 200, body: {} }
      }
    })
  }

  routes.add(['GET', 'POST'], '/_security/_query/user', (request: HttpRequest) => {
    request.query.boolean('with_profile_uid')
    const body = request.json()
    return () => {
      const page = selectPage(users.all().map(printUser), body, USER_FIELDS, 'username')
      return { status: 200, body: { total: page.total, count: page.items.length, users: page.items } }
    }
  })
}

const USER_FIELDS = ['username', 'roles', 'full_name', 'email', 'enabled']

function printCaller(caller: Caller): Record<string, unknown> {
  const { authenticationRealm, lookupRealm, apiKey, token } = caller
  return {
    username: caller.username,
    roles: caller.roles.length + caller.missingRoles.length === 0 ? [] : [...caller.roles, ...caller.missingRoles],
    full_name: caller.fullName,
    email: caller.email,
    ...(token === undefined ? {} : { token }),
    metadata: caller.metadata,
    enabled: true,
    authentication_realm: { name: authenticationRealm.name, type: authenticationRealm.type },
    lookup_realm: { name: lookupRealm.name, type: lookupRealm.type },
    authentication_type: caller.authenticationType,
    ...(apiKey === undefined ? {} : { api_key: apiKey }),
  }
}
