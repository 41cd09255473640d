import assert from 'node:assert/strict'
import { test } from 'node:test'
import { valueAt } from './export.ts'

test('the value of a dotted name is found in objects, in arrays and under a key with dots', () => {
  assert.equal(valueAt({ a: { b: 1 } }, 'a.b'), 1)
  assert.equal(valueAt({ 'a.b': 2 }, 'a.b'), 2)
  assert.equal(valueAt({ 'a.b': { c: 3 } }, 'a.b.c'), 3)
  assert.deepEqual(valueAt({ spans: [{ ms: 1 }, { ms: 2 }, {}] }, 'spans.ms'), [1, 2])
  assert.equal(valueAt({ a: 1 }, 'b'), undefined)
  assert.equal(valueAt({ a: 1 }, 'a.b'), undefined)
})
