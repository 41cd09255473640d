import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { takeBodyMemory } from '../../base/memory/body-memory.ts'
import { Arena } from '../../engine/memory/arena.ts'
import type { BulkRequest, HostCallbacks } from '../../service/shards/shard-host.ts'
import { ThreadHost } from './thread-host.ts'
import { ownBytes, packError, unpackError } from './thread-messages.ts'

const KEY = { indexUuid: 'uuid', shard: 0 }

function hostWith(script: string): { host: ThreadHost; failures: string[] } {
  const failures: string[] = []
  const callbacks: HostCallbacks = {
    mappingUpdate: () => Promise.reject(new Error('not asked')),
    writeTarget: () => Promise.reject(new Error('not asked')),
    failureTarget: async () => undefined,
    ingestRoutes: () => Promise.reject(new Error('not asked')),
    findScript: async () => undefined,
    shardFailed: (_key, reason) => failures.push(reason),
  }
  const startThread = () => new Worker(script, { eval: true, execArgv: [] })
  return { host: new ThreadHost({ arena: Arena.create(1024 * 1024), callbacks, startThread }), failures }
}

const CONFIG = {
  ...KEY,
  indexName: 'idx',
  folder: undefined,
  settings: {},
  mapping: {},
  mappingVersion: 1,
  shardCount: 1,
}

/** A thread that answers the first call and dies at the second. */
const DIES = `
  const { parentPort } = require('node:worker_threads')
  let calls = 0
  parentPort.on('message', ({ id }) => {
    if (++calls === 2) process.exit(3)
    parentPort.postMessage({ kind: 'answer', id, outcome: { value: undefined } })
  })`

test('when the writer thread dies, its requests fail, its shards are marked as failed, and later requests report it', async () => {
  const { host, failures } = hostWith(DIES)
  await host.openShard(CONFIG)
  const stopped = { status: 503, message: 'the writer thread has stopped: it ended with code 3' }
  await assert.rejects(host.refresh(KEY), stopped)
  assert.deepEqual(failures, [stopped.message])
  await assert.rejects(host.stats(KEY), stopped)
  assert.throws(() => host.holdView(KEY), stopped)
  await host.close()
})

test('no writer thread is started before it is needed', async () => {
  const { host } = hostWith('throw new Error("started")')
  await assert.doesNotReject(async () => {
    await host.setMapping('uuid', {}, 2)
    await host.setSettings('uuid', {})
    await host.close()
  })
})

/** A thread that answers a bulk request and returns the memory of its body. */
const RETURNS_BODY = `
  const { parentPort } = require('node:worker_threads')
  parentPort.on('message', ({ id, args: [request] }) => {
    const body = request?.body?.buffer
    parentPort.postMessage({ kind: 'answer', id, outcome: { value: { body: null } }, body }, body ? [body] : [])
    if (body === undefined) parentPort.close()
  })`

test('the memory of a bulk body that the writer thread returns is used for the next body', async () => {
  const { host } = hostWith(RETURNS_BODY)
  const body = takeBodyMemory(900_000).fill(7)
  await host.bulk({ body } as unknown as BulkRequest)
  assert.equal(body.length, 0)
  const next = takeBodyMemory(890_000)
  assert.deepEqual([next.length, next[0], next[889_999]], [890_000, 7, 7])
  await host.close()
})

test('transferred bytes have a buffer of their own', () => {
  const pooled = Buffer.from('small')
  assert.notEqual(ownBytes(pooled).buffer, pooled.buffer)
  const whole = new Uint8Array(100_000)
  assert.equal(ownBytes(whole).buffer, whole.buffer)
  assert.equal(ownBytes(whole.subarray(10, 20)).buffer.byteLength, 10)
})

// Goal: creating an index on a full disk reports a full disk, even if the writer thread detects it.
test('a system error keeps its code across threads', () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, open'), { code: 'ENOSPC' })
  const arrived = unpackError(structuredClone(packError(full))) as NodeJS.ErrnoException
  assert.equal(arrived.code, 'ENOSPC')
  assert.equal(arrived.message, full.message)
  assert.equal('code' in unpackError(structuredClone(packError(new Error('a mistake')))), false)
})
