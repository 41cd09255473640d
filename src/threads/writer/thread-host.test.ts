import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { takeBodyMemory } from '../../base/memory/body-memory.ts'
import { POISON } from '../../base/memory/poison.ts'
import { Arena } from '../../engine/memory/arena.ts'
import type { BulkRequest, MainCallbacks } from '../../service/shards/shard-host.ts'
import { RestartPolicy } from './restart-policy.ts'
import { ThreadHost } from './thread-host.ts'
import { ownBytes, packError, unpackError } from './thread-messages.ts'

const KEY = { indexUuid: 'uuid', shard: 0 }

interface Fake {
  readonly host: ThreadHost
  readonly failures: string[]
  /** Resolves with each shard that was recovered, or with the reason for which the host gave up. */
  readonly next: () => Promise<string>
}

/** A host with threads that run `scripts` one after another, the last one for ever. */
function hostWith(...scripts: string[]): Fake {
  const failures: string[] = []
  const happened: string[] = []
  let onHappened: (() => void) | undefined
  const note = (what: string) => {
    happened.push(what)
    onHappened?.()
  }
  const callbacks: MainCallbacks = {
    mappingUpdate: () => Promise.reject(new Error('not asked')),
    writeTarget: () => Promise.reject(new Error('not asked')),
    failureTarget: async () => undefined,
    ingestRoutes: () => Promise.reject(new Error('not asked')),
    findScript: async () => undefined,
    shardFailed: (_key, reason) => failures.push(reason),
    shardRecovered: ({ indexUuid, shard }) => note(`${indexUuid}/${shard}`),
    shardConfig: () => CONFIG,
  }
  let started = 0
  const host = new ThreadHost({
    arena: Arena.create(1024 * 1024),
    callbacks,
    startThread: () => new Worker(scripts[Math.min(started++, scripts.length - 1)]!, { eval: true, execArgv: [] }),
    restarts: new RestartPolicy({ pausesMs: [0, 0] }),
    onGivenUp: () => note('given up'),
  })
  const next = async () => {
    while (happened.length === 0) {
      await new Promise<void>((resolve) => {
        onHappened = resolve
      })
    }
    return happened.shift()!
  }
  return { host, failures, next }
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

/** A thread that answers everything. */
const LIVES = `
  const { parentPort } = require('node:worker_threads')
  parentPort.on('message', ({ id, method }) => {
    parentPort.postMessage({ kind: 'answer', id, outcome: { value: undefined } })
    if (method === 'close') parentPort.close()
  })`

/** A thread that dies with the first message. */
const DIES_AT_ONCE = `require('node:worker_threads').parentPort.on('message', () => process.exit(4))`

test('when the writer thread dies, its requests fail, and another thread opens its shards again', async () => {
  const { host, failures, next } = hostWith(DIES, LIVES)
  await host.openShard(CONFIG)
  const stopped = { status: 503, message: 'the writer thread has stopped: it ended with code 3' }
  await assert.rejects(host.refresh(KEY), stopped)
  assert.deepEqual(failures, [stopped.message])
  assert.equal(host.trouble, 'the writer thread was started again and has 1 shard to recover')
  assert.throws(() => host.holdView(KEY), {
    status: 503,
    message: /^\[idx\]\[0\] shard has failed: it is being recovered/,
  })
  assert.equal(await next(), 'uuid/0')
  assert.equal(host.trouble, undefined)
  await host.refresh(KEY)
  await host.close()
})

test('a writer thread that dies whenever it starts is given up, and requests say so', async () => {
  const { host, next } = hostWith(DIES, DIES_AT_ONCE)
  await host.openShard(CONFIG)
  await assert.rejects(host.refresh(KEY), { status: 503 })
  assert.equal(await next(), 'given up')
  const reason = /^the writer thread has stopped: it ended with code 4; it died too often and is not started again$/
  assert.match(host.trouble!, reason)
  await assert.rejects(host.stats(KEY), { status: 503, message: reason })
  await host.close()
})

test('a shard that is closed while its thread dies counts as closed, and is not opened again', async () => {
  const { host } = hostWith(DIES, LIVES)
  await host.openShard(CONFIG)
  await host.closeShard(KEY, true)
  await host.openShard({ ...CONFIG, shard: 1 })
  assert.equal(host.trouble, undefined)
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
  assert.deepEqual([next.length, next[0], next[889_999]], [890_000, POISON, POISON])
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
