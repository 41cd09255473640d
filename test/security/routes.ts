/**
 * Goal: no route is open by mistake, and none is closed to those who hold its privilege.
 * Method: requests made from the table of routes, without credentials, by a user without roles, with a key that grants exactly the declared
 * actions, and on a node without security.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ROUTE_DECLARATIONS } from '../../src/http/api/route-actions.ts'
import { accessByRoute, type RouteAccess } from '../../src/http/route-access.ts'
import { isClusterLevel } from '../../src/security/privileges/cluster-privileges.ts'
import { SecuredNode } from './secured-node.ts'

const ROUTES = [...accessByRoute(ROUTE_DECLARATIONS)].map(([route, access]) => {
  const [method, path] = route.split(' ') as [string, string]
  return { route, method, uri: path.replace(/\{[^}]+\}/g, 'target'), path, access }
})

const SECURITY = 'cluster:admin/xpack/security/'
/** What being known to the node is enough for. */
const LOGIN_ONLY: ReadonlySet<string> = new Set([
  ...['indices:data/read/close_point_in_time', 'indices:data/read/scroll/clear'],
  ...[`${SECURITY}user/authenticate`, `${SECURITY}user/list_privileges`],
])
/** Routes about the caller's own account and contexts. */
const OWN_ACCOUNT = ['/_security/user/_password', '/_security/user/_has_privileges', '/_sandpiper/contexts']

const isForEverybody = (path: string, { actions }: RouteAccess) =>
  actions.length === 0 || actions.every((action) => LOGIN_ONLY.has(action)) || OWN_ACCOUNT.includes(path)

/** Actions that a composite request performs beside its own. */
const INNER: Readonly<Record<string, readonly string[]>> = {
  'indices:data/read/async_search/submit': ['indices:data/read/search'],
  'indices:data/write/index': ['indices:data/write/bulk', 'indices:admin/auto_create'],
  'indices:data/write/delete': ['indices:data/write/bulk'],
  'indices:data/write/update': ['indices:data/write/bulk', 'indices:admin/auto_create'],
  'indices:data/write/update/byquery': [
    'indices:data/read/scroll',
    'indices:data/write/bulk',
    'indices:data/write/index',
  ],
  'indices:data/write/delete/byquery': [
    'indices:data/read/scroll',
    'indices:data/write/bulk',
    'indices:data/write/delete',
  ],
  'indices:data/write/reindex': ['indices:data/read/search', 'indices:data/write/bulk', 'indices:data/write/index'],
  'indices:data/read/search/template': ['indices:data/read/search'],
  'indices:data/read/msearch/template': ['indices:data/read/search'],
  'indices:data/read/msearch': ['indices:data/read/search'],
}

let secured: SecuredNode
let open: SecuredNode

before(async () => {
  secured = await SecuredNode.open()
  open = await SecuredNode.open({ isSecured: false })
  await secured.user('nobody', [])
  for (const node of [secured, open]) await node.send(node.elastic, 'PUT', '/target/_doc/target?refresh=true', { a: 1 })
})

after(async () => {
  await secured.close()
  await open.close()
})

test('every route except the probes refuses a request without credentials with 401', async () => {
  const openRoutes = ROUTES.filter(({ access }) => access.isOpen === true)
  assert.deepEqual(
    openRoutes.map(({ route }) => route).sort(),
    ['GET', 'HEAD'].flatMap((method) => [`${method} /_sandpiper/live`, `${method} /_sandpiper/ready`]),
  )
  for (const { route, method, uri, access } of ROUTES) {
    const { status, headers } = await secured.send(undefined, method, uri)
    if (access.isOpen === true) {
      assert.equal(status, 200, route)
      continue
    }
    assert.equal(status, 401, route)
    assert.ok(headers['WWW-Authenticate'] !== undefined, route)
  }
})

test('every route refuses a user without roles with 403, except those about the own account and contexts', async () => {
  const wrong: string[] = []
  for (const { route, method, uri, path, access } of ROUTES) {
    const { status, body, text } = await secured.send(secured.login('nobody'), method, uri)
    const isRefused =
      status === 403 &&
      (method === 'HEAD' ||
        access.actions.some((action) =>
          body.error.reason.startsWith(`action [${action}] is unauthorized for user [nobody] with effective roles []`),
        ))
    const isRight = isForEverybody(path, access) ? status !== 401 && status !== 403 : isRefused
    if (!isRight) wrong.push(`${route}: ${status} ${text}`)
  }
  assert.deepEqual(wrong, [])
})

test('every route admits an API key with exactly its actions', async () => {
  const wrong: string[] = []
  const keys = new Map<string, string>()
  for (const { route, method, uri, access } of ROUTES) {
    const actions = [...new Set(access.actions.flatMap((action) => [action, ...(INNER[action] ?? [])]))]
    const cluster = actions.filter(isClusterLevel)
    const indices = actions.filter((action) => !isClusterLevel(action))
    const name = actions.join(' ').slice(0, 250) || 'nothing'
    let authorization = keys.get(name)
    if (authorization === undefined) {
      const role = { cluster, indices: indices.length === 0 ? [] : [{ names: ['*'], privileges: indices }] }
      authorization = (await secured.keyWith(name, role)).authorization
      keys.set(name, authorization)
    }
    const { status, text } = await secured.send(authorization, method, uri)
    if (status === 401 || status === 403) wrong.push(`${route}: ${status} ${text}`)
  }
  assert.deepEqual(wrong, [])
})

test('a node without security requires no credentials on any route and has no security API', async () => {
  for (const { route, method, uri, path } of ROUTES) {
    const { status, body } = await open.send(undefined, method, uri)
    if (!path.startsWith('/_security')) assert.ok(status !== 401 && status !== 403, `${route}: ${status}`)
    else if (status !== 405) assert.equal(body.error, `no handler found for uri [${uri}] and method [${method}]`, route)
  }
})
