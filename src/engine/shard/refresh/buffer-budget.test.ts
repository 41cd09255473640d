import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BufferBudget } from './buffer-budget.ts'

class Owner {
  sealed = 0
  seal(): void {
    this.sealed++
  }
  async settled(): Promise<void> {}
}

test('the largest buffer is sealed when all buffers exceed the budget, whichever shard was written to', () => {
  const budget = new BufferBudget(100)
  const [small, large] = [new Owner(), new Owner()]
  budget.grown(large, 70)
  budget.grown(small, 20)
  assert.equal(large.sealed + small.sealed, 0)
  budget.grown(small, 40)
  assert.deepEqual([large.sealed, small.sealed], [1, 0])
  budget.note(large, 0)
  assert.equal(budget.usedBytes, 40)
})

test('writes wait only while buffers far exceed the budget', () => {
  const budget = new BufferBudget(100)
  const owner = new Owner()
  budget.grown(owner, 140)
  assert.equal(budget.room(), undefined)
  budget.grown(owner, 160)
  assert.ok(budget.room() instanceof Promise)
})
