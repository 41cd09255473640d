import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Handler, Routes } from './router.ts'

const answer =
  (name: string): Handler =>
  () =>
  () => ({ status: 200, body: name })

function example(): Routes {
  const routes = new Routes(() => ({ actions: [], names: [] }))
  routes.add(['GET', 'HEAD'], '/', answer('root'))
  routes.add(['GET', 'PUT', 'DELETE', 'HEAD'], '/{index}', answer('index'))
  routes.add(['GET', 'POST'], '/{index}/_search', answer('search'))
  routes.add('GET', '/_cat/indices', answer('cat'))
  routes.add(['PUT', 'GET'], '/{index}/_doc/{id}', answer('doc'))
  routes.add('PUT', '/{index}/_block/{block}', answer('block'))
  routes.reserve('POST', '/{index}/{type}')
  return routes
}

function found(method: string, path: string): string[] | undefined {
  const match = example().find(method, path)
  return match.route === undefined ? undefined : [...match.values]
}

function allowed(method: string, path: string): readonly string[] {
  const match = example().find(method, path)
  return match.route === undefined ? match.allowed : ['found']
}

test('a path parameter matches segments that no literal segment matches', () => {
  assert.deepEqual(found('GET', '/'), [])
  assert.deepEqual(found('GET', '/logs'), ['logs'])
  assert.deepEqual(found('POST', '/logs/_search'), ['logs'])
  assert.deepEqual(found('PUT', '/logs/_doc/a%20b'), ['logs', 'a%20b'])
  assert.deepEqual(found('PUT', '/logs/_block/write'), ['logs', 'write'])
})

test('trailing slashes are ignored, and empty segments match nothing', () => {
  assert.deepEqual(found('GET', '/logs/_search//'), ['logs'])
  assert.deepEqual(allowed('GET', '//logs/_search'), [])
  assert.deepEqual(allowed('GET', '/logs//_search'), [])
})

test('a path with handlers for other methods only lists them in a fixed order', () => {
  assert.deepEqual(allowed('PATCH', '/logs'), ['GET', 'PUT', 'DELETE', 'HEAD'])
  assert.deepEqual(allowed('PUT', '/logs/_search'), ['GET', 'POST'])
  assert.deepEqual(allowed('DELETE', '/logs/_doc/1'), ['GET', 'PUT'])
})

test('a literal route takes precedence over a route with parameters, even for methods it lacks', () => {
  assert.deepEqual(found('GET', '/_cat/indices'), [])
  assert.deepEqual(allowed('PUT', '/_cat/indices'), ['GET'])
  assert.deepEqual(allowed('POST', '/_cat/indices'), ['GET'])
})

test('a reserved method is listed as allowed but has no route', () => {
  assert.deepEqual(allowed('GET', '/logs/_nope'), ['POST'])
  assert.deepEqual(allowed('POST', '/logs/_nope'), [])
})

test('an unknown path has no methods', () => {
  assert.deepEqual(allowed('GET', '/a/b/c/d/e'), [])
})

test('adding two handlers for the same route throws', () => {
  assert.throws(() => example().add('GET', '/{name}', answer('again')), /two handlers for GET/)
})
