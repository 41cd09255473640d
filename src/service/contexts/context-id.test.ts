import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decodeContextId, encodeContextId, newContextKey } from './context-id.ts'

const id = fc.record({
  kind: fc.constantFrom<'pit' | 'scroll'>('pit', 'scroll'),
  shards: fc.integer({ min: 0, max: 0xffff }),
  page: fc.integer({ min: 0, max: 0xffffffff }),
})

test('an id decodes to its parts, and has the same length for any number of shards', () => {
  fc.assert(
    fc.property(id, (parts) => {
      const whole = { ...parts, key: newContextKey() }
      const text = encodeContextId(whole)
      assert.equal(text.length, 31)
      assert.match(text, /^[\w-]+$/)
      assert.deepEqual(decodeContextId(text, parts.kind), whole)
      assert.equal(decodeContextId(text, parts.kind === 'pit' ? 'scroll' : 'pit'), undefined)
    }),
  )
})

test('an id with one wrong character is rejected', () => {
  fc.assert(
    fc.property(id, fc.integer({ min: 0, max: 29 }), (parts, at) => {
      const text = encodeContextId({ ...parts, key: newContextKey() })
      const other = text[at] === 'A' ? 'B' : 'A'
      assert.equal(decodeContextId(text.slice(0, at) + other + text.slice(at + 1), parts.kind), undefined)
    }),
  )
  assert.equal(decodeContextId('', 'pit'), undefined)
  assert.equal(decodeContextId('garbage', 'scroll'), undefined)
})
