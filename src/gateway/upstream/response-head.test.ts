import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CHUNKED, MalformedResponse, readHead, UNTIL_END } from './response-head.ts'

const head = (...lines: string[]) => readHead(['HTTP/1.1 200 OK', ...lines].join('\r\n'))

test('heads that differ in their length only share their headers', () => {
  const one = head('content-type: application/json', 'content-length: 10', 'x-a: b')
  const other = head('content-type: application/json', 'content-length: 1234', 'x-a: b')
  assert.deepEqual([one?.length, other?.length], [10, 1234])
  assert.equal(one?.headers, other?.headers)
  assert.deepEqual({ ...other?.headers }, { 'content-type': 'application/json', 'x-a': 'b' })
  assert.equal(head('content-type: application/json', 'content-length: 10', 'x-a: c')?.headers['x-a'], 'c')
})

test('a head that resembles the last one is read on its own', () => {
  const read = (...lines: string[]) => {
    const { status, length, headers } = head('x-a: b', ...lines, 'x-b: c')!
    return [status, length, { ...headers }]
  }
  const expected = (length: number, more = {}) => [200, length, { 'x-a': 'b', ...more, 'x-b': 'c' }]
  for (let round = 0; round < 2; round++) {
    assert.deepEqual(read('content-length: 7'), expected(7))
    assert.deepEqual(read('content-length: 77', 'x-c: d'), expected(77, { 'x-c': 'd' }))
    assert.deepEqual(read('x-c: d', 'content-length: 7'), expected(7, { 'x-c': 'd' }))
    assert.equal(readHead('HTTP/1.1 404 No\r\nx-a: b\r\ncontent-length: 7\r\nx-b: c')?.status, 404)
  }
})

test('a Content-Length is found in any letter case, and a body in chunks takes precedence over it', () => {
  assert.equal(head('Content-Length: 7')?.length, 7)
  assert.equal(head('content-length: 7', 'transfer-encoding: chunked')?.length, CHUNKED)
  assert.equal(head('x-a: content-length: 7')?.length, UNTIL_END)
  assert.equal(head()?.length, UNTIL_END)
})

test('a head with two lengths, or with a length that is no number, is refused', () => {
  for (const lines of [['content-length: 7', 'Content-Length: 8'], ['content-length: 7x'], ['content-length: -1']])
    assert.throws(() => head(...lines), MalformedResponse)
})

test('a connection is kept open unless the head closes it', () => {
  assert.equal(head('content-length: 1')?.canKeepAlive, true)
  assert.equal(head('connection: Close', 'content-length: 1')?.canKeepAlive, false)
  assert.equal(readHead('HTTP/1.0 200 OK\r\ncontent-length: 1')?.canKeepAlive, false)
  assert.equal(readHead('HTTP/1.0 200 OK\r\nconnection: keep-alive\r\ncontent-length: 1')?.canKeepAlive, true)
})

test('an interim response yields no head', () => {
  assert.equal(readHead('HTTP/1.1 100 Continue'), undefined)
  assert.throws(() => readHead('SSH-2.0'), MalformedResponse)
})
