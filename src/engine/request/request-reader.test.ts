import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ACCEPTS_STRING, RequestReader } from './request-reader.ts'

test('an object parsed with several tables of members uses the last table that has a name, and suggests names of all', () => {
  const read: string[] = []
  const member = (text: string) => ({ accepts: ACCEPTS_STRING, parse: () => void read.push(text) })
  const tables = [{ field: member('first'), format: member('format') }, { field: member('second') }]
  const reader = (text: string) => new RequestReader(Buffer.from(text))
  reader('{"format":"a","field":"b"}').parseObject('terms', tables)
  assert.deepEqual(read, ['format', 'second'])
  assert.throws(
    () => reader('{"formt":"a"}').parseObject('terms', tables),
    /unknown field \[formt\] did you mean \[format\]\?/,
  )
  assert.throws(() => reader('{"toString":"a"}').parseObject('terms', tables), /unknown field \[toString\]/)
})

test('a number may be a string that contains one', () => {
  const floatOf = (json: string) => {
    const reader = new RequestReader(Buffer.from(`{"a":${json}}`))
    let read: number | undefined
    reader.parseObject('terms', [{ a: { accepts: ACCEPTS_STRING, parse: () => void (read = reader.float()) } }])
    return read
  }
  assert.equal(floatOf('"2.5"'), 2.5)
})
