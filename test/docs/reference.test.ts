/**
 * Goal: the endpoint reference is complete. Every route of the service has a section with a description and an example, and every
 * aggregation has one. `commands-of-reference.test.ts` sends the examples.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aggregationNames, pipelineNames } from '../../src/engine/aggregations/aggregation-kinds.ts'
import { ROUTE_DECLARATIONS } from '../../src/http/api/route-actions.ts'
import { isOfRoute, referencePages } from './reference-pages.ts'

const pages = referencePages()
const sections = pages.flatMap((page) => page.sections)
const declared = ROUTE_DECLARATIONS.map(([methods, path]) => `${methods} ${path}`)

test('every route of the service is listed in one section of the reference, and nothing else is', () => {
  const listed = sections.flatMap(({ routes }) => routes)
  assert.deepEqual(declared.filter((route) => !listed.includes(route)).sort(), [], 'routes without a section')
  assert.deepEqual(
    listed.filter((route) => !declared.includes(route)).sort(),
    [],
    'sections of routes that do not exist',
  )
  assert.deepEqual(
    listed.filter((route, i) => listed.indexOf(route) !== i),
    [],
    'routes that are listed twice',
  )
})

test('every route of the reference has an example in its section', () => {
  const missing = sections.flatMap(({ place, routes, examples }) =>
    routes
      .filter((route) => !examples.some((example) => isOfRoute(example, route)))
      .map((route) => `${place}: ${route}`),
  )
  assert.deepEqual(missing, [])
})

test('every section of the reference has a description', () => {
  const undescribed = sections.filter(({ description }) => description === '').map(({ place }) => place)
  assert.deepEqual(undescribed, [])
})

test('every kind of aggregation has an example', () => {
  const bodies = pages
    .find(({ name }) => name === 'aggregations.md')!
    .examples.map(({ body }) => body ?? '')
    .join('\n')
  const kinds = [...aggregationNames(), ...pipelineNames()]
  assert.deepEqual(
    kinds.filter((kind) => !bodies.includes(`": { "${kind}": {`) && !bodies.includes(`"${kind}": {`)),
    [],
  )
})
