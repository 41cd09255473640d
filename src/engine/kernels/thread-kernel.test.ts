import assert from 'node:assert/strict'
import { test } from 'node:test'
import { threadKernel } from './thread-kernel.ts'

test('a kernel is created once, when loops have had as many values as creating it is worth', () => {
  let created = 0
  const kernel = threadKernel(() => ++created)
  assert.equal(kernel(1 << 15), undefined)
  assert.equal(kernel(1), undefined)
  assert.equal(kernel((1 << 15) - 1), 1)
  assert.equal(kernel(1), 1)
  assert.equal(kernel(1 << 20), 1)
})
