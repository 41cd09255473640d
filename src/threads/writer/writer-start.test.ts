import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { breakers } from '../../base/memory/process-memory.ts'
import { Arena } from '../../engine/memory/arena.ts'
import type { WriterStart } from './thread-messages.ts'
import { EarlyWriter } from './writer-start.ts'

const REPEATS_FIRST_MESSAGE = `
  const { parentPort } = require('node:worker_threads')
  parentPort.once('message', ({ arenaBytes }) => parentPort.postMessage(arenaBytes))`

function startupData(): WriterStart {
  const { memory, limitBytes } = Arena.create(1024 * 1024)
  return { memory, arenaBytes: limitBytes, lastGeneration: 0, breakers: breakers().share() }
}

test('an early writer gets its startup data as its first message', async () => {
  const thread = new Worker(REPEATS_FIRST_MESSAGE, { eval: true, execArgv: [] })
  const start = startupData()
  const worker = new EarlyWriter(thread).start(start)
  assert.equal(worker, thread)
  assert.deepEqual(await once(worker, 'message'), [start.arenaBytes])
})

test('an early writer that failed to launch is replaced by a thread that answers', async () => {
  const thread = new Worker('throw new Error("not launched")', { eval: true, execArgv: [] })
  const writer = new EarlyWriter(thread)
  // The test waits for the thread, unlike the process.
  thread.ref()
  thread.on('error', () => undefined)
  await new Promise((resolve) => thread.once('exit', resolve))
  const worker = writer.start(startupData())
  assert.notEqual(worker, thread)
  worker.postMessage({ kind: 'call', id: 7, method: 'close', args: [] })
  const [answer] = await once(worker, 'message')
  assert.deepEqual(answer, { kind: 'answer', id: 7, outcome: { value: undefined } })
  await once(worker, 'exit')
})
