import assert from 'node:assert/strict'
import { test } from 'node:test'
import { STRUCTURES, USES_DOC_VALUES, USES_POSTINGS, USES_TERMS } from '../../engine/segment/field-usage.ts'
import { ANY, FieldUsageCounters } from './field-usage-counters.ts'

test('each search counts once for every structure of a field that it has read, and once for the field', () => {
  const counters = new FieldUsageCounters()
  counters.add(new Map([['tag', USES_TERMS | USES_POSTINGS]]))
  counters.add(
    new Map([
      ['tag', USES_TERMS],
      ['n', USES_DOC_VALUES],
    ]),
  )
  const counts = (field: string) => {
    const numbers = counters.fields.get(field)!
    const read = STRUCTURES.flatMap((name, i) => (numbers[i] === 0 ? [] : [`${name} ${numbers[i]}`]))
    return [...read, `any ${numbers[ANY]}`]
  }
  assert.deepEqual(counts('tag'), ['terms 2', 'postings 1', 'any 2'])
  assert.deepEqual(counts('n'), ['doc_values 1', 'any 1'])
  assert.deepEqual([...counters.fields.keys()], ['tag', 'n'])
})
