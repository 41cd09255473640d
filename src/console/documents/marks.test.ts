import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aroundMatch, MARK_END, MARK_START, splitMarks, visible, withoutMarks } from './marks.ts'

const marked = `upstream sent no response header from ${MARK_START}payment${MARK_END} gateway`

test('highlighted text is split into matches and other parts', () => {
  assert.deepEqual(splitMarks(`a ${MARK_START}b${MARK_END}`), [
    { text: 'a ', isMatch: false },
    { text: 'b', isMatch: true },
  ])
  assert.deepEqual(splitMarks('plain'), [{ text: 'plain', isMatch: false }])
  assert.equal(withoutMarks(marked), 'upstream sent no response header from payment gateway')
})

test('an excerpt begins a few words before the first match', () => {
  assert.equal(withoutMarks(aroundMatch(marked)), '…header from payment gateway')
  assert.equal(aroundMatch('short'), 'short')
})

test('control characters are replaced by visible symbols', () => {
  assert.equal(visible('a\u0000b'), 'a␀b')
})
