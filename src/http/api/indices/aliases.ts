/**
 * `_alias` and `_aliases`. The supported combinations of word and method are historical; clients depend on exactly
 * these.
 */
import { illegalArgument, parseFailure } from '../../../base/api-error.ts'
import { type AliasAction, parseAliasActions, parsePutAlias } from '../../../service/aliases/alias-actions.ts'
import type { SandpiperNode } from '../../../service/sandpiper-node.ts'
import type { HttpRequest } from '../../request.ts'
import type { Handler, Routes } from '../../router.ts'
import { indexExpressions, indicesParameters } from '../indices-parameters.ts'
import { acceptTimeouts, listParameter } from './indices.ts'

export function aliasRoutes(routes: Routes, node: SandpiperNode): void {
  routes.add('POST', '/_aliases', (request) => {
    acceptTimeouts(request)
    if (!request.hasBody) throw parseFailure('request body is required')
    const actions = parseAliasActions(request.body)
    return async () => ({ status: 200, body: await node.aliases.apply(actions) })
  })

  const putAlias: Handler = (request) => {
    const action = readPutAlias(request)
    acceptTimeouts(request)
    return async () => ({ status: 200, body: await node.aliases.apply([action]) })
  }
  for (const path of ['/_alias', '/{index}/_alias', '/{index}/_aliases']) routes.add('PUT', path, putAlias)
  for (const path of bothWords('/_alias/{name}', '/{index}/_alias/{name}')) routes.add(['PUT', 'POST'], path, putAlias)

  for (const path of bothWords('/{index}/_alias/{name}')) {
    routes.add('DELETE', path, (request) => {
      acceptTimeouts(request)
      const action: AliasAction = {
        kind: 'remove',
        indices: indexExpressions(request),
        aliases: listParameter(request, 'name'),
        alias: {},
        mustExist: undefined,
      }
      return async () => ({ status: 200, body: await node.aliases.apply([action]) })
    })
  }

  const singular = ['/_alias', '/_alias/{name}', '/{index}/_alias', '/{index}/_alias/{name}']
  for (const path of [...singular, '/_aliases']) {
    routes.add('GET', path, (request) => {
      const { expressions, names, parameters } = readGet(request)
      return () => node.aliases.get(expressions, names, parameters)
    })
  }
  for (const path of singular.filter((path) => path !== '/_alias')) {
    routes.add('HEAD', path, (request) => {
      const { expressions, names, parameters } = readGet(request)
      return () => ({ status: node.aliases.exists(expressions, names, parameters) ? 200 : 404 })
    })
  }
}

const bothWords = (...paths: string[]) => paths.flatMap((path) => [path, path.replace('_alias', '_aliases')])

function readGet(request: HttpRequest) {
  request.query.accept('local', 'master_timeout')
  return {
    expressions: indexExpressions(request),
    names: listParameter(request, 'name'),
    parameters: indicesParameters(request),
  }
}

/** Index and name come from the path or the body; the body takes precedence. */
function readPutAlias(request: HttpRequest): AliasAction {
  const body = request.hasBody ? parsePutAlias(request.body) : undefined
  const indices = body?.index === undefined ? indexExpressions(request) : body.index.split(',')
  const name = body?.name ?? request.params['name'] ?? ''
  if (indices.length === 0) throw illegalArgument("[indices] can't be empty")
  if (name === '') throw illegalArgument("[alias] can't be empty string")
  return { kind: 'add', indices, aliases: [name], alias: body?.alias ?? {}, mustExist: undefined }
}
