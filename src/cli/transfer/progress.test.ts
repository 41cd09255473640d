import assert from 'node:assert/strict'
import { test } from 'node:test'
import { progressLine } from './progress.ts'

const position = { verb: 'exported', done: 1_234_567, total: 64_250_000, rate: 84_900, isLast: false }

test('a progress line fits terminals of any width and keeps the counts longest', () => {
  for (let columns = 10; columns < 140; columns++) {
    assert.ok(progressLine(position, columns).length <= columns, `${columns} columns`)
  }
  assert.equal(
    progressLine(position, 120),
    'exported 1234567 of 64250000 [....................] 1 % documents, 84900 a second, 12 min left',
  )
  assert.equal(progressLine(position, 79), 'exported 1234567 of 64250000 1 % documents, 84900 a second, 12 min left')
  assert.equal(progressLine(position, 40), 'exported 1234567 of 64250000 1 %')
  assert.equal(progressLine({ ...position, total: undefined }, 79), 'exported 1234567 documents, 84900 a second')
})
