import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { IncomingRequest } from '../../http/dispatcher.ts'
import { RememberedRequests } from './remembered-requests.ts'

const request = (body: string, uri = '/a/_search') => ({ uri, body: Buffer.from(body) }) as unknown as IncomingRequest

test('an added request is remembered for good, other requests are not', () => {
  let nowMs = 0
  const remembered = new RememberedRequests(() => nowMs)
  remembered.add(request('{"query":1}'))
  nowMs = 1e9
  assert.ok(remembered.has(request('{"query":1}')))
  assert.ok(!remembered.has(request('{"query":2}')))
  assert.ok(!remembered.has(request('{"query":1}', '/b/_search')))
})

test('a suspected request is remembered from the second time on, and longer each time', () => {
  let nowMs = 0
  const remembered = new RememberedRequests(() => nowMs)
  const slow = request('{}')
  const memoryMs = () => {
    remembered.suspect(slow)
    const fromMs = nowMs
    while (remembered.has(slow)) nowMs += 1_000
    return nowMs - fromMs
  }
  assert.deepEqual([memoryMs(), memoryMs(), memoryMs(), memoryMs()], [0, 5_000, 10_000, 20_000])
})

test('pages of a composite aggregation are the same request', () => {
  const remembered = new RememberedRequests()
  remembered.add(request('{"composite":{"after":{"k":"a"}}}'))
  assert.ok(remembered.has(request('{"composite":{"after":{"k":"b"}}}')))
})

test('a forgotten request is new', () => {
  const remembered = new RememberedRequests()
  remembered.add(request('{}'))
  remembered.forget(request('{}'))
  assert.ok(!remembered.has(request('{}')))
})
