/** Goal: every route declares its action and the source of its index names, and nothing else is declared. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Security } from '../../security/security.ts'
import { SandpiperNode } from '../../service/sandpiper-node.ts'
import { LocalApi } from '../local-api.ts'
import { accessByRoute, accessLookup } from '../route-access.ts'
import type { Routes } from '../router.ts'
import { apiRoutes, searchApiRoutes } from './index.ts'
import { ROUTE_DECLARATIONS } from './route-actions.ts'

let node: SandpiperNode
let routes: Routes

before(async () => {
  node = await SandpiperNode.open({})
  const security = new Security({ isEncrypted: false })
  routes = apiRoutes(node, { address: undefined, maxContentBytes: 1 }, undefined, new LocalApi(), security)
})

after(() => node.close())

test('every declared route exists', () => {
  const declared = [...accessByRoute(ROUTE_DECLARATIONS).keys()]
  assert.deepEqual(
    declared.filter((route) => !routes.added.has(route)),
    [],
  )
  assert.equal(routes.added.size, declared.length)
})

test('a route without a declaration prevents startup', () => {
  assert.throws(
    () => routes.add('GET', '/_undeclared', () => () => ({ status: 200 })),
    /GET \/_undeclared has no line in src\/http\/api\/route-actions\.ts/,
  )
})

test('a duplicate declaration of a route is rejected', () => {
  assert.throws(
    () =>
      accessLookup(
        [
          ['GET', '[/{index}]/_search', 'indices:data/read/search', ['{index}']],
          ['GET POST', '/_search', 'indices:data/read/search', ['all']],
        ],
        'a table',
      ),
    /GET \/_search is declared twice/,
  )
})

test("actions have Elasticsearch's names, and name sources are parameters of the path", () => {
  for (const [route, { actions, names }] of accessByRoute(ROUTE_DECLARATIONS)) {
    for (const action of actions) assert.match(action, /^(cluster|indices):(admin|monitor|data)\/[a-z_/]+$/, route)
    for (const source of names) if (source.startsWith('{')) assert.ok(route.includes(source), `${route}: ${source}`)
    if (actions.length > 0 && actions.every((action) => action.startsWith('cluster:')))
      assert.deepEqual(names, [], route)
  }
})

test('a path without an index parameter applies to all indices', () => {
  const access = accessByRoute(ROUTE_DECLARATIONS)
  const search = ['indices:data/read/search']
  assert.deepEqual(access.get('GET /{index}/_search'), { actions: search, names: ['{index}', 'context'] })
  assert.deepEqual(access.get('GET /_search'), { actions: search, names: ['all', 'context'] })
  assert.deepEqual(access.get('POST /_bulk'), { actions: ['indices:data/write/bulk'], names: ['body'] })
  assert.deepEqual(access.get('GET /_cluster/health'), { actions: ['cluster:monitor/health'], names: [] })
})

test('a matched route carries its declaration, in a searcher thread too', () => {
  for (const table of [routes, searchApiRoutes(node)]) {
    const { route } = table.find('POST', '/books/_search')
    assert.deepEqual(route?.access.actions, ['indices:data/read/search'])
  }
})
