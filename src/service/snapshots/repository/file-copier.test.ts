import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import type { StoreJob } from './copy-file.ts'
import { FileCopier } from './file-copier.ts'

/** A thread that answers with the number of its job, and ends without an answer when the job says so. */
const SCRIPT = `
  const { parentPort } = require('node:worker_threads')
  parentPort.on('message', ({ id, job }) => {
    if (job === 'end') process.exit(3)
    if (job !== 'wait') parentPort.postMessage({ id, value: id })
  })`

const job = (name: string) => name as unknown as StoreJob

function copier(): { copier: FileCopier; workers: Worker[] } {
  const workers: Worker[] = []
  const start = () => {
    workers.push(new Worker(SCRIPT, { eval: true, execArgv: [] }))
    return workers.at(-1)!
  }
  return { copier: new FileCopier(start), workers }
}

test('a copying thread that ends fails its jobs, and the next job gets another thread', async () => {
  const { copier: files, workers } = copier()
  await assert.rejects(Promise.all([files.store(job('wait')), files.store(job('end'))]), /has ended/)
  assert.equal(await files.store(job('copy')), 3)
  assert.equal(workers.length, 2)
  await files.close()
})

test('a copying thread that ends late does not end the jobs of the next one', async () => {
  const { copier: files, workers } = copier()
  assert.equal(await files.store(job('copy')), 1)
  const closed = files.close()
  const next = files.store(job('copy'))
  await closed
  assert.equal(await next, 2)
  assert.equal(workers.length, 2)
  await files.close()
})
