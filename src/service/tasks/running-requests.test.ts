import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RunningRequests } from './running-requests.ts'

function track(work: Promise<unknown>, cancel: () => void = () => {}) {
  let lastId = 0
  const requests = new RunningRequests({ nowMs: () => 42 }, () => ++lastId)
  const parts = [{ action: 'indices:data/read/search[phase/query]', description: 'shardId[[books][0]]' }]
  const request = { action: 'indices:data/read/search', description: 'd', opaqueId: 'me', parts, cancel }
  return { requests, answered: requests.track(request, work) }
}

test('a request is listed with its child tasks until it is answered', async () => {
  let answer: (value: string) => void = () => {}
  const { requests, answered } = track(new Promise<string>((resolve) => (answer = resolve)))
  const [listed] = requests.list()
  assert.equal(listed!.startedAtMs, 42)
  assert.equal(listed!.opaqueId, 'me')
  assert.deepEqual(listed!.parts, [
    { id: 2, action: 'indices:data/read/search[phase/query]', description: 'shardId[[books][0]]' },
  ])
  answer('done')
  assert.equal(await answered, 'done')
  assert.deepEqual(requests.list(), [])
})

test('a failed request is no longer listed, and its failure reaches the caller', async () => {
  const { requests, answered } = track(Promise.reject(new Error('no')))
  const { done } = requests.list()[0]!
  await assert.rejects(answered, /no/)
  await done
  assert.deepEqual(requests.list(), [])
})

test('a request can be cancelled only once', () => {
  let cancelled = 0
  const { requests } = track(new Promise(() => {}), () => cancelled++)
  assert.equal(requests.cancel(1)?.isCancelled, true)
  assert.equal(requests.cancel(1), undefined)
  assert.equal(requests.cancel(99), undefined)
  assert.equal(cancelled, 1)
})
