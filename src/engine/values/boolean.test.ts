import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseBoolean } from './boolean.ts'

test('only true and false are booleans', () => {
  assert.equal(parseBoolean('true'), true)
  assert.equal(parseBoolean('false'), false)
  for (const text of ['', 'True', ' true', 'yes', '1']) {
    assert.throws(() => parseBoolean(text), {
      message: `Failed to parse value [${text}] as only [true] or [false] are allowed.`,
    })
  }
})
