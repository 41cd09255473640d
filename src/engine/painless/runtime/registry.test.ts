import assert from 'node:assert/strict'
import { test } from 'node:test'
import { provideStatics, registerStatics, staticMethod } from './registry.ts'

test('static methods that a module provides are made once, with the first use of their class', () => {
  let calls = 0
  provideStatics('test.Provided', () => {
    calls += 1
    return { twice_1: (value: number) => value * 2 }
  })
  registerStatics('test.Other', { one_0: () => 1 })
  assert.equal(staticMethod('test.Other', 'one', 0)!(), 1)
  assert.equal(calls, 0)
  assert.equal(staticMethod('test.Provided', 'twice', 1)!(21), 42)
  assert.equal(staticMethod('test.Provided', 'thrice', 1), undefined)
  assert.equal(calls, 1)
})
