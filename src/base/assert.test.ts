import { doesNotThrow, throws } from 'node:assert/strict'
import { test } from 'node:test'
import { ASSERTIONS, assert, assertAscending } from './assert.ts'

test('assertions are enabled while tests run', () => {
  throws(() => assert(false, 'nothing is wrong'), /broken assumption: nothing is wrong/)
  doesNotThrow(() => assert(ASSERTIONS, 'assertions are on'))
})

test('assertAscending fails for a list whose first entries repeat or decrease', () => {
  doesNotThrow(() => assertAscending([1, 2, 9, 3], 3, 'documents'))
  throws(() => assertAscending([1, 2, 2], 3, 'documents'), /documents ascend, but 2 comes before 2/)
  throws(() => assertAscending(Int32Array.of(5, 4), 2, 'documents'), /documents ascend, but 5 comes before 4/)
})
