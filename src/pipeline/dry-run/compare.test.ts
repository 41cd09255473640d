import assert from 'node:assert/strict'
import { test } from 'node:test'
import { differences, kindOf, missingFrom } from './compare.ts'
import { runFilters } from './run-filters.ts'

test('an expectation checks only the fields it mentions, and null means absent', () => {
  const event = { a: { b: 1, c: [1, { x: 1, y: 2 }] }, tags: ['t'] }
  assert.deepEqual(missingFrom({ a: { c: [1, { y: 2, x: 1 }] }, other: null }, event), [])
  assert.deepEqual(missingFrom({ a: { b: 2 }, tags: null, z: 1 }, event), [
    '[a][b]: expected 2, got 1',
    '[tags]: expected null, got ["t"]',
    '[z]: missing, expected 1',
  ])
})

test('a difference shows both sides of every changed field', async () => {
  const [before] = await runFilters('filter { mutate { add_field => { "a" => "1" } } }', [{ k: 1 }], {
    clock: { nowMs: () => 0 },
  })
  const [after] = await runFilters(
    'filter { mutate { add_field => { "b" => "1" } replace => { "k" => "2" } } }',
    [{ k: 1 }],
    {
      clock: { nowMs: () => 0 },
    },
  )
  const found = differences(before, after)
  assert.deepEqual(
    found.map(({ sign, path, value }) => `${sign} ${path} ${value}`),
    ['- [k] 1', '+ [k] "2"', '- [a] "1"', '+ [b] "1"'],
  )
  assert.equal(kindOf(found), '-[k] +[k] -[a] +[b]')
})
