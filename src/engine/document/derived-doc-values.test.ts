import assert from 'node:assert/strict'
import { test } from 'node:test'
import { derivedDocValues, fielddataName, keyedName, runtimeName, withShownNames } from './derived-doc-values.ts'

test('the name of derived doc values states what they are derived from', () => {
  assert.deepEqual(derivedDocValues(fielddataName('body')), { kind: 'fielddata', field: 'body' })
  assert.deepEqual(derivedDocValues(keyedName('labels', 'a.b')), { kind: 'keyed', field: 'labels', key: 'a.b' })
  assert.deepEqual(derivedDocValues(runtimeName('day', 'ab+/=')), { kind: 'runtime', field: 'day', key: 'ab+/=' })
})

test('names of mapped fields are not names of derived doc values', () => {
  for (const name of ['', 'fielddata', 'keyed.a', 'runtime']) assert.equal(derivedDocValues(name), undefined)
})

test('a text shows runtime fields by their own names', () => {
  const name = runtimeName('day', 'ab+/cd==')
  assert.equal(withShownNames(`${name}:[1 TO 2] OR ${runtimeName('x.y', 'A')}:3`), 'day:[1 TO 2] OR x.y:3')
  assert.equal(withShownNames('day:1'), 'day:1')
})
