import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inSearch } from '../running/running-search.ts'
import { FieldUsage, USES_DOC_VALUES, USES_STORED_FIELDS, USES_TERMS } from './field-usage.ts'

const counted = (work: () => void) => inSearch({ countsUsage: true }, work)

const moved = (usage: FieldUsage) => {
  const marks = new Map<string, number>()
  usage.moveTo(marks)
  return Object.fromEntries(marks)
}

test('marks of a segment count while a search runs, and at no other time', () => {
  const usage = new FieldUsage()
  usage.mark('a', USES_TERMS)
  usage.markId()
  assert.deepEqual(moved(usage), {})
  counted(() => {
    counted(() => usage.mark('a', USES_TERMS))
    usage.markSource()
  })
  usage.mark('b', USES_TERMS)
  assert.deepEqual(moved(usage), { _source: USES_STORED_FIELDS, a: USES_TERMS })
})

test('a search that fails ends the counting', () => {
  const usage = new FieldUsage()
  assert.throws(() =>
    counted(() => {
      throw new Error('failed')
    }),
  )
  usage.mark('a', USES_TERMS)
  assert.deepEqual(moved(usage), {})
})

test('marks of several segments are joined by field, and start over once they are moved', () => {
  const [one, two] = [new FieldUsage(), new FieldUsage()]
  counted(() => {
    one.mark('a', USES_TERMS)
    one.mark('a', USES_DOC_VALUES)
    one.mark('a', USES_TERMS)
    two.mark('a', USES_TERMS)
    two.mark('b', USES_TERMS)
  })
  const marks = new Map<string, number>()
  one.moveTo(marks)
  two.moveTo(marks)
  assert.deepEqual(Object.fromEntries(marks), { a: USES_TERMS | USES_DOC_VALUES, b: USES_TERMS })
  assert.deepEqual(moved(one), {})
  counted(() => one.mark('a', USES_TERMS))
  assert.deepEqual(moved(one), { a: USES_TERMS })
})
