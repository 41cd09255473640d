import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { JobThread } from './job-thread.ts'

// Threads that seal and merge do not keep a process alive. This test waits for them.
const alive = setInterval(() => {}, 1_000)
after(() => clearInterval(alive))

/** A thread that answers a job with the job, unless it has to end. */
const SCRIPT = `
  const { parentPort } = require('node:worker_threads')
  parentPort.on('message', (job) => {
    if (job === 'exit') process.exit(3)
    if (job === 'throw') throw new Error('thrown')
    parentPort.postMessage({ result: job })
  })`

function threads(): { jobs: JobThread<string, string>; workers: Worker[] } {
  const workers: Worker[] = []
  const jobs = new JobThread<string, string>('testing', () => {
    const worker = new Worker(SCRIPT, { eval: true, execArgv: [] })
    workers.push(worker)
    return worker
  })
  return { jobs, workers }
}

test('a thread that ends during a job fails it, and runs the queued jobs in another thread', async () => {
  for (const [ending, reason] of [
    ['exit', /the testing thread stopped/],
    ['throw', /thrown/],
  ] as const) {
    const { jobs, workers } = threads()
    const first = jobs.run('a')
    const failing = assert.rejects(jobs.run(ending), reason)
    const last = jobs.run('b')
    assert.equal(await first, 'a')
    await failing
    assert.equal(await last, 'b')
    assert.equal(workers.length, 2)
    await jobs.close()
  }
})

test('a thread that was ended between two jobs is replaced', async () => {
  const { jobs, workers } = threads()
  assert.equal(await jobs.run('a'), 'a')
  const ended = once(workers[0]!, 'exit')
  await workers[0]!.terminate()
  await ended
  assert.equal(await jobs.run('b'), 'b')
  assert.equal(workers.length, 2)
  await jobs.close()
})
