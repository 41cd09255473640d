/** `_security/service`: service accounts and their tokens. */
import { resourceNotFound } from '../../../base/api-error.ts'
import { printRole } from '../../../security/model/role-descriptor.ts'
import { SERVICE_ACCOUNTS } from '../../../security/model/service-token.ts'
import type { Security } from '../../../security/security.ts'
import type { SandpiperNode } from '../../../service/sandpiper-node.ts'
import type { HttpRequest } from '../../request.ts'
import type { Routes } from '../../router.ts'
import { acceptRefresh } from './security-request.ts'

const ACCOUNT = '/_security/service/{namespace}/{service}'

export function serviceAccountRoutes(routes: Routes, { serviceTokens }: Security, node: SandpiperNode): void {
  for (const path of ['/_security/service', '/_security/service/{namespace}', ACCOUNT]) {
    routes.add('GET', path, ({ params }) => {
      const prefix = [params['namespace'], params['service']].filter((part) => part !== undefined).join('/')
      return () => {
        const found = [...SERVICE_ACCOUNTS].filter(
          ([name]) => prefix === '' || name === prefix || name.startsWith(`${prefix}/`),
        )
        return {
          status: 200,
          body: Object.fromEntries(found.map(([name, role]) => [name, { role_descriptor: printRole(role) }])),
        }
      }
    })
  }

  const create = (request: HttpRequest) => {
    acceptRefresh(request)
    return async () => ({
      status: 200,
      body: { created: true, token: await serviceTokens.create(accountOf(request), request.params['name']) },
    })
  }
  routes.add('POST', `${ACCOUNT}/credential/token`, create)
  routes.add(['PUT', 'POST'], `${ACCOUNT}/credential/token/{name}`, create)

  routes.add('DELETE', `${ACCOUNT}/credential/token/{name}`, (request) => {
    acceptRefresh(request)
    return async () => {
      const found = await serviceTokens.remove(accountOf(request), request.params['name']!)
      return { status: found ? 200 : 404, body: { found } }
    }
  })

  routes.add('GET', `${ACCOUNT}/credential`, (request) => {
    const account = accountOf(request)
    return () => {
      if (!SERVICE_ACCOUNTS.has(account)) throw resourceNotFound(`service account [${account}] does not exist`)
      const names = serviceTokens.names(account)
      return {
        status: 200,
        body: {
          service_account: account,
          count: names.length,
          tokens: Object.fromEntries(names.sort().map((name) => [name, {}])),
          nodes_credentials: {
            _nodes: { total: 1, successful: 1, failed: 0 },
            cluster_name: node.clusterName,
            file_tokens: {},
          },
        },
      }
    }
  })
}

const accountOf = ({ params }: HttpRequest) => `${params['namespace']}/${params['service']}`
