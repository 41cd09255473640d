import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../base/api-error.ts'
import { TaskRegistry } from './task-registry.ts'

/** A clock that advances by one second per call. */
function ticking() {
  let nowMs = 0
  return { nowMs: () => (nowMs += 1000) }
}

test('a task runs until its work settles, and its response is available afterwards', async () => {
  const tasks = new TaskRegistry(ticking())
  let finish: (value: unknown) => void = () => {}
  const task = tasks.start('indices:data/write/bulk', 'a description', new Promise((resolve) => (finish = resolve)))
  assert.deepEqual(tasks.running(), [task])
  assert.equal(task.finishedAtMs, undefined)
  finish({ took: 1 })
  await task.done
  assert.deepEqual(tasks.running(), [])
  assert.equal(tasks.get(task.id), task)
  assert.deepEqual(task.response, { took: 1 })
  assert.equal(task.startedAtMs, 1000)
  assert.equal(task.finishedAtMs, 2000)
})

test('a task whose work fails stores the error without root causes', async () => {
  const tasks = new TaskRegistry(ticking())
  const refused = tasks.start(
    'a',
    'd',
    Promise.reject(new ApiError(409, 'version_conflict', 'conflict', { details: { index: 'i' } })),
  )
  const broken = tasks.start('a', 'd', Promise.reject(new Error('broken')))
  await Promise.all([refused.done, broken.done])
  assert.deepEqual(refused.error, { type: 'version_conflict', reason: 'conflict', index: 'i' })
  assert.deepEqual(broken.error, { type: 'exception', reason: 'Error: broken' })
})

test('the registry keeps all running tasks and the last thousand finished ones', async () => {
  const tasks = new TaskRegistry(ticking())
  const forever = tasks.start('a', 'd', new Promise(() => {}))
  for (let i = 0; i < 1001; i++) await tasks.start('a', 'd', Promise.resolve(i)).done
  assert.equal(tasks.get(forever.id), forever)
  assert.equal(tasks.get(2), undefined)
  assert.notEqual(tasks.get(3), undefined)
})

test('requests and tasks never share an id', () => {
  const tasks = new TaskRegistry(ticking())
  const task = tasks.start('a', 'd', Promise.resolve())
  void tasks.requests.track(
    {
      action: 'search',
      description: '',
      opaqueId: undefined,
      parts: [{ action: 'query', description: '' }],
      cancel() {},
    },
    new Promise(() => {}),
  )
  const [request] = tasks.requests.list()
  assert.equal(new Set([task.id, request!.id, request!.parts[0]!.id]).size, 3)
})
