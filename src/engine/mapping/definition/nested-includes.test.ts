import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testMapping } from '../mapping-fixture.ts'

const BOTH = { type: 'nested', include_in_parent: true, include_in_root: true }

test('include_in_root is dropped if include_in_parent brings the values to the root already', () => {
  const shown = { type: 'nested', include_in_parent: true }
  assert.deepEqual(testMapping({ n: BOTH }).toJson(), { properties: { n: shown } })
  const inside = testMapping({ n: { type: 'nested', include_in_root: true, properties: { m: BOTH } } })
  assert.deepEqual(inside.toJson(), {
    properties: { n: { type: 'nested', include_in_root: true, properties: { m: shown } } },
  })
})

test('include_in_root is kept in a nested object whose parent is not part of the root', () => {
  const mapping = { properties: { n: { type: 'nested', properties: { m: BOTH } } } }
  assert.deepEqual(testMapping(mapping.properties).toJson(), mapping)
})
