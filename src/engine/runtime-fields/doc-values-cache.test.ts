import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { breakers } from '../../base/memory/process-memory.ts'
import type { SegmentReader } from '../segment/segment-reader-api.ts'
import type { ComputedDocValues } from './computed-doc-values.ts'
import { keepDocValues, keptDocValues, keptDocValuesBytes, setDocValuesBudget } from './doc-values-cache.ts'

const MB = 1 << 20
const values = (bytes: number) => ({ byteLength: bytes }) as ComputedDocValues
const reader = () => ({}) as SegmentReader

afterEach(() => {
  setDocValuesBudget(0)
  breakers().fielddata.configure({})
  setDocValuesBudget(64 * MB)
})

test('computed doc values count in the fielddata breaker until they are dropped', () => {
  const before = breakers().fielddata.usedBytes
  const segment = reader()
  keepDocValues(segment, 'f', values(8 * MB))
  assert.ok(breakers().fielddata.usedBytes - before >= 8 * MB)
  assert.equal(keptDocValuesBytes(), 8 * MB)
  setDocValuesBudget(0)
  assert.equal(breakers().fielddata.usedBytes, before)
  assert.equal(keptDocValues(segment, 'f'), undefined)
})

test('the least recently used values are dropped beyond the budget', () => {
  setDocValuesBudget(10 * MB)
  const segment = reader()
  for (const name of ['a', 'b']) keepDocValues(segment, name, values(4 * MB))
  keptDocValues(segment, 'a')
  keepDocValues(segment, 'c', values(4 * MB))
  assert.deepEqual(
    ['a', 'b', 'c'].map((name) => keptDocValues(segment, name) !== undefined),
    [true, false, true],
  )
})

test('values that replace others of the same field count once', () => {
  setDocValuesBudget(64 * MB)
  const segment = reader()
  const newer = values(4 * MB)
  for (const kept of [values(8 * MB), newer]) keepDocValues(segment, 'a', kept)
  assert.equal(keptDocValues(segment, 'a'), newer)
  assert.equal(keptDocValuesBytes(), 4 * MB)
})

test('values are dropped, or not kept, when the fielddata breaker has no room', () => {
  setDocValuesBudget(64 * MB)
  const segment = reader()
  keepDocValues(segment, 'a', values(4 * MB))
  breakers().fielddata.configure({ limitBytes: 6 * MB })
  keepDocValues(segment, 'b', values(4 * MB))
  assert.equal(keptDocValues(segment, 'a'), undefined)
  assert.notEqual(keptDocValues(segment, 'b'), undefined)
  keepDocValues(segment, 'c', values(32 * MB))
  assert.equal(keptDocValues(segment, 'c'), undefined)
})
