import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LogBatch } from './log-batch.ts'
import { OP_INDEX } from './log-format.ts'

test('a batch takes no operation out of order, and none after a gap', () => {
  const batch = new LogBatch()
  const append = (seqNo: number) => batch.append(OP_INDEX, seqNo, 1, 1, Buffer.from('a'), undefined)
  append(7)
  append(8)
  for (const seqNo of [8, 7, 10]) assert.throws(() => append(seqNo), { name: 'AssertionFailure' })
  append(9)
  assert.deepEqual([batch.recordCount, batch.minSeqNo, batch.maxSeqNo], [3, 7, 9])
  batch.reset()
  append(3)
  assert.equal(batch.recordCount, 1)
})
