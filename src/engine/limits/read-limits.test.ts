import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isReached, type LimitEntry, limitsKey, limitsOf } from './read-limits.ts'

const entry = (names: string[], query?: string, grant?: string[]): LimitEntry => ({
  names,
  query,
  fields: grant === undefined ? undefined : { grant, except: undefined },
})

test('the entries of a side that cover a name are alternatives', () => {
  const limits = { sides: [[entry(['logs-*'], '{"b":1}', ['x']), entry(['logs-1'], '{"a":1}', ['y'])]] }
  assert.deepEqual(limitsOf(limits, ['logs-1']), {
    queries: [['{"a":1}', '{"b":1}']],
    fields: [
      [
        { grant: ['x'], except: undefined },
        { grant: ['y'], except: undefined },
      ],
    ],
  })
  assert.deepEqual(limitsOf(limits, ['logs-2'])!.queries, [['{"b":1}']])
})

test('an entry without a query opens all documents, and one without field security opens all fields', () => {
  const open = { sides: [[entry(['a'], '{"q":1}', ['x']), entry(['a'])]] }
  assert.equal(limitsOf(open, ['a']), undefined)
  const allFields = { sides: [[entry(['a'], '{"q":1}', ['x']), entry(['a'], '{"q":2}')]] }
  assert.deepEqual(limitsOf(allFields, ['a']), { queries: [['{"q":1}', '{"q":2}']], fields: [] })
})

test('all sides apply, and a side without an entry for the names grants nothing', () => {
  const limits = { sides: [[entry(['a'], '{"q":1}')], [entry(['b'])]] }
  assert.deepEqual(limitsOf(limits, ['a']), { queries: [['{"q":1}'], []], fields: [[]] })
  assert.deepEqual(limitsOf(limits, ['a', 'b'])!.queries, [['{"q":1}']])
  assert.equal(isReached(limits, 'a'), false)
  assert.equal(isReached({ sides: [[entry(['a*'])], [entry(['*b'])]] }, 'ab'), true)
})

test('without limits everything may be read, and equal limits have equal keys', () => {
  assert.equal(limitsOf(undefined, ['a']), undefined)
  assert.equal(limitsKey(undefined), '')
  const one = limitsOf({ sides: [[entry(['a'], '{"x":1}'), entry(['a'], '{"y":1}')]] }, ['a'])
  const other = limitsOf({ sides: [[entry(['a'], '{"y":1}'), entry(['a'], '{"x":1}')]] }, ['a'])
  assert.equal(limitsKey(one), limitsKey(other))
})
