import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { differencesOfLongPages } from '../../fixtures/long-pages-fixture.ts'

// Goal: pages of several megabytes are complete, although their memory is used again for later pages. Method: the same pages as bytes
// and as objects, and a page from the request cache after another page was written.

test('long pages in the memory of the main thread have the hits of pages made of objects', async () => {
  assert.deepEqual(await differencesOfLongPages(), [])
})

test('long pages in memory shared with the main thread have the hits of pages made of objects', async () => {
  const module = JSON.stringify(new URL('../../fixtures/long-pages-fixture.js', import.meta.url).href)
  const script = `const { parentPort } = require('node:worker_threads')
    import(${module}).then((fixture) => fixture.differencesOfLongPages()).then((found) => parentPort.postMessage(found))`
  const worker = new Worker(script, { eval: true })
  const [differences] = await once(worker, 'message')
  await worker.terminate()
  assert.deepEqual(differences, [])
})
