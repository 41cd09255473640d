import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startSearch } from '../../../../testing/index.ts'
import type { TestSearch } from '../../../../testing/types.ts'

let search: TestSearch

before(async () => {
  search = await startSearch({ listen: false })
  await search.request('PUT', '/n', {
    mappings: { properties: { l: { type: 'long' }, i: { type: 'long' }, d: { type: 'double' } } },
  })
  const docs = [
    '{"l":-9223372036854775808,"i":-2,"d":-1.5}',
    '{"l":9007199254740992,"i":-1,"d":0}',
    '{"l":9007199254740993,"i":0,"d":2}',
    '{"l":9223372036854775807,"i":3,"d":7}',
  ]
  await search.request('POST', '/n/_bulk?refresh=true', docs.map((doc) => `{"index":{}}\n${doc}\n`).join(''))
})
after(() => search.stop())

async function keysAfter(field: string, value: unknown, order = 'asc'): Promise<number> {
  const sources = [{ k: { terms: { field, order } } }]
  const { status, body } = await search.request('POST', '/n/_search', {
    size: 0,
    aggs: { c: { composite: { sources, after: { k: value } } } },
  })
  assert.equal(status, 200, JSON.stringify(body))
  return body.aggregations.c.buckets.length
}

test('texts of numbers that are no keys of a field have the places that Java gives them', async () => {
  assert.equal(await keysAfter('d', 'NaN'), 0)
  assert.equal(await keysAfter('d', 'NaN', 'desc'), 4)
  assert.equal(await keysAfter('d', '-Infinity'), 4)
  assert.equal(await keysAfter('i', 'NaN'), 1)
  assert.equal(await keysAfter('i', '-1.5'), 3)
  assert.equal(await keysAfter('i', '1e400'), 0)
})

test('texts of integers beyond 2^53 are read exactly, and those beyond 64 bits are the ends of the range', async () => {
  assert.equal(await keysAfter('l', '9007199254740992'), 2)
  assert.equal(await keysAfter('l', '9007199254740993'), 1)
  assert.equal(await keysAfter('l', 'Infinity'), 0)
  assert.equal(await keysAfter('l', '-1e30'), 3)
})
