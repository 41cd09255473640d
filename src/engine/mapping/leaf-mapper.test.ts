import assert from 'node:assert/strict'
import { test } from 'node:test'
import { flag, parameter } from './definition/parameter.ts'
import { type LeafDefinition, LeafMapper } from './leaf-mapper.ts'

const definition: LeafDefinition = {
  type: 'example',
  traits: { family: 'keyword' },
  parameters: [flag('index', true), parameter('null_value', null, (value) => value), parameter('depth', 20, Number)],
  mayHaveSubFields: false,
  build: () => {
    throw new Error('not built in this test')
  },
}

const leaf = (given: Record<string, unknown> = {}) =>
  new LeafMapper({
    definition,
    name: 'f',
    path: 'a.f',
    given: new Map(Object.entries(given)),
    subFields: new Map(),
    copyTo: [],
  })

test('a parameter has its given value or its default', () => {
  assert.equal(leaf().flag('index'), true)
  assert.equal(leaf({ index: false }).flag('index'), false)
  assert.equal(leaf({ depth: 3 }).number('depth'), 3)
  assert.equal(leaf().textOrNull('null_value'), null)
  assert.equal(leaf({ null_value: 'none' }).textOrNull('null_value'), 'none')
})

test('reading a parameter that the type does not have throws', () => {
  assert.equal(leaf().hasParameter('norms'), false)
  assert.throws(() => leaf().flag('norms'), /fields of type \[example\] have no parameter \[norms\]/)
})

test('reading a parameter as another type throws', () => {
  assert.throws(() => leaf({ index: 'yes' }).flag('index'), /parameter \[index\] of the field \[a\.f\].* value \[yes\]/)
  assert.throws(() => leaf().text('depth'), /parameter \[depth\]/)
  assert.throws(() => leaf({ null_value: 1 }).textOrNull('null_value'), /parameter \[null_value\]/)
})
