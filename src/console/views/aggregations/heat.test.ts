import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gridOf, heatStep } from './heat.ts'

test('a count of zero has its own colour step, and the highest count has the last one', () => {
  assert.deepEqual(
    [0, 1, 50, 100].map((value) => heatStep(value, 100)),
    [0, 1, 3, 6],
  )
  assert.equal(heatStep(5, 0), 0)
})

test('buckets of two sources become a grid with sorted columns', () => {
  const bucket = (row: string, column: string, count: number) => ({
    keys: [row, column],
    names: [row, column],
    count,
    metrics: [],
  })
  const grid = gridOf([bucket('b', '2', 3), bucket('b', '1', 5), bucket('a', '1', 1)])
  assert.deepEqual([grid.rows, grid.columns, grid.most], [['b', 'a'], ['1', '2'], 5])
  assert.equal(grid.cells.get('a 1')?.count, 1)
})
