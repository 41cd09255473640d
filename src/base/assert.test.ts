import { deepEqual, doesNotThrow, ok, throws } from 'node:assert/strict'
import { test } from 'node:test'
import { ASSERTIONS, assert, assertAscending, broken, ensure, ensureOrdered } from './assert.ts'

test('assertions are enabled while tests run', () => {
  throws(() => assert(false, 'nothing is wrong'), /broken assumption: nothing is wrong/)
  doesNotThrow(() => assert(ASSERTIONS, 'assertions are on'))
})

test('assertAscending fails for a list whose first entries repeat or decrease', () => {
  doesNotThrow(() => assertAscending([1, 2, 9, 3], 3, 'documents'))
  throws(() => assertAscending([1, 2, 2], 3, 'documents'), /documents ascend, but 2 comes before 2/)
  throws(() => assertAscending(Int32Array.of(5, 4), 2, 'documents'), /documents ascend, but 5 comes before 4/)
})

test('ensure and broken name the assumption that does not hold', () => {
  doesNotThrow(() => ensure(true, 'it holds'))
  for (const fail of [() => ensure(false, 'it holds'), () => broken('it holds')]) {
    throws(fail, { name: 'AssertionFailure', message: 'broken assumption: it holds' })
  }
})

test('ensureOrdered compares all pairs of a short list, and of a long one some, with those at both ends', () => {
  for (const length of [0, 1, 2, 3, 100, 101, 102, 500, 10_000]) {
    const compared: number[] = []
    ensureOrdered(length, (i) => compared.push(i) > 0, 'it is in order')
    const positions = new Set(compared)
    if (length <= 101)
      deepEqual(
        [...positions].sort((a, b) => a - b),
        Array.from({ length: Math.max(0, length - 1) }, (_, i) => i + 1),
      )
    else
      ok(positions.has(1) && positions.has(length - 1) && positions.size >= 99 && positions.size <= 101, String(length))
    for (const wrong of length < 2 ? [] : [1, length - 1]) {
      throws(() => ensureOrdered(length, (i) => i !== wrong, 'it is in order'), /broken assumption: it is in order/)
    }
  }
})
