import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DocumentHistory, type Outcome, type Write } from './document-history.ts'

function history() {
  const document = new DocumentHistory('x')
  const write = (kind: Write['kind'], value: number, [startedAt, endedAt]: [number, number], told: Partial<Write>) => {
    const outcome: Outcome = told.outcome ?? 'done'
    return Object.assign(document.begin(kind, value, startedAt, told.ifSeqNo), { endedAt, ...told, outcome })
  }
  const read = (value: number | undefined, [startedAt, endedAt]: [number, number], seqNo = -1, version = -1) =>
    document.read({ value, startedAt, endedAt, seqNo, version, isSearch: false })
  return { document, write, read }
}

test('a history that can be explained by one order is accepted', () => {
  const { document, write, read } = history()
  write('index', 1, [0, 5], { seqNo: 0, version: 1 })
  write('index', 2, [3, 9], { seqNo: 1, version: 2 })
  read(1, [4, 6], 0, 1)
  read(2, [10, 11], 1, 2)
  write('delete', 3, [12, 13], { seqNo: 2, version: 3 })
  read(undefined, [14, 15])
  write('create', 4, [16, 17], { seqNo: 3, version: 4 })
  assert.doesNotThrow(() => document.check())
})

test('reading a rejected write is detected', () => {
  const { document, write, read } = history()
  read(1, [0, 9], 0, 1)
  write('index', 1, [0, 5], { outcome: 'none', error: '429' })
  assert.throws(() => document.check(), /which was answered with 429/)
})

test('not reading an acknowledged write is detected', () => {
  const { document, write, read } = history()
  write('index', 1, [0, 5], { seqNo: 0, version: 1 })
  read(undefined, [6, 7])
  assert.throws(() => document.check(), /saw undefined, although .* was over/)
})

test('reading an overwritten state is detected', () => {
  const { document, write, read } = history()
  write('index', 1, [0, 5], { seqNo: 0, version: 1 })
  write('index', 2, [6, 7], { seqNo: 1, version: 2 })
  read(1, [8, 9], 0, 1)
  assert.throws(() => document.check(), /although \[index 2/)
})

test('conditions and versions that contradict the order are detected', () => {
  const compared = history()
  compared.write('index', 1, [0, 1], { seqNo: 0, version: 1 })
  compared.write('index', 2, [2, 3], { seqNo: 1, version: 2 })
  compared.write('compare', 3, [4, 5], { seqNo: 2, version: 3, ifSeqNo: 0 })
  assert.throws(() => compared.document.check(), /if_seq_no 0 was not the newest/)
  const versioned = history()
  versioned.write('index', 1, [0, 1], { seqNo: 0, version: 1 })
  versioned.write('index', 2, [2, 3], { seqNo: 1, version: 3 })
  assert.throws(() => versioned.document.check(), /versions do not follow/)
})

test('a write in flight when the process ended may be present or not, but stays present once it was read', () => {
  const { document, write, read } = history()
  write('index', 1, [0, Number.POSITIVE_INFINITY], { outcome: 'unknown' })
  read(undefined, [1, 2])
  assert.doesNotThrow(() => document.check())
  read(1, [5, 6], 0, 1)
  read(undefined, [7, 8])
  assert.throws(() => document.check(), /saw undefined, although \[index 1/)
})
