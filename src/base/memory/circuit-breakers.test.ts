import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { ApiError, errorBody } from '../api-error.ts'
import { Breaker, CircuitBreakers } from './circuit-breakers.ts'
import { availableMemoryBytes, memoryPlan } from './memory-plan.ts'

const MB = 1024 * 1024

function refusalOf(work: () => void): ApiError {
  try {
    work()
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error))
    return error
  }
  throw new Error('nothing was refused')
}

test("available memory is the container's limit if it has one, and the machine's memory otherwise", () => {
  assert.equal(availableMemoryBytes(512 * MB, 8192 * MB), 512 * MB)
  assert.equal(availableMemoryBytes(0, 8192 * MB), 8192 * MB, 'no limit is known')
  assert.equal(availableMemoryBytes(2 ** 64, 8192 * MB), 8192 * MB, 'what systems say without a limit')
  assert.equal(availableMemoryBytes(2 ** 63 - 4096, 8192 * MB), 8192 * MB)
})

test('the parts of a memory plan never exceed the total', () => {
  for (const total of [192, 256, 512, 1024, 2048, 8192, 262_144]) {
    const plan = memoryPlan(total * MB)
    const parts = plan.arenaBytes + plan.inFlightBytes + plan.indexBufferBytes + plan.mergeBytes
    assert.ok(parts < plan.parentBytes, `${total} MB`)
    assert.ok(plan.parentBytes < total * MB)
    assert.ok(plan.heapMegabytes <= Math.max(64, total))
  }
})

test("a claim beyond the limit is rejected with Elasticsearch's error and keeps what it already held", () => {
  const breaker = new Breaker({ name: 'request', limitBytes: 10 * MB, overhead: 1, durability: 'TRANSIENT' })
  const claim = breaker.claim('<agg>')
  claim.resize(4 * MB)
  const error = refusalOf(() => claim.resize(12 * MB))
  assert.deepEqual(errorBody(error), {
    error: {
      root_cause: [
        {
          type: 'circuit_breaking_exception',
          reason:
            '[request] Data too large, data for [<agg>] would be [12582912/12mb], which is larger than the limit of [10485760/10mb]',
          bytes_wanted: 12582912,
          bytes_limit: 10485760,
          durability: 'TRANSIENT',
        },
      ],
      type: 'circuit_breaking_exception',
      reason:
        '[request] Data too large, data for [<agg>] would be [12582912/12mb], which is larger than the limit of [10485760/10mb]',
      bytes_wanted: 12582912,
      bytes_limit: 10485760,
      durability: 'TRANSIENT',
    },
    status: 429,
  })
  assert.equal(breaker.usedBytes, 4 * MB)
  assert.equal(breaker.tripped, 1)
  claim.resize(9 * MB)
  claim.release()
  assert.equal(breaker.usedBytes, 0)
})

test('a claim is rejected when the process as a whole is over its limit, and the error lists the usage', () => {
  const plan = { ...memoryPlan(1024 * MB), parentBytes: 10 * MB, aloneBytes: 10 * MB }
  const breakers = new CircuitBreakers(plan)
  const error = refusalOf(() => breakers.inFlightRequests.claim('<http_request>').resize(MB))
  assert.match(
    error.message,
    /^\[parent\] Data too large, data for \[<http_request>\] would be \[\d+\/[\d.]+mb\], which is larger than the limit of \[10485760\/10mb\], real usage: \[\d+\/[\d.]+mb\], new bytes reserved: \[2097152\/2mb\], usages \[fielddata=0\/0b, inflight_requests=2097152\/2mb, request=0\/0b\]$/,
  )
  assert.equal(error.details['bytes_limit'], 10 * MB)
  assert.equal(breakers.parent.tripped, 1)
  assert.equal(breakers.inFlightRequests.usedBytes, 0, 'what was refused is not held')
})

test('claims of other threads count towards the limit', async () => {
  const breakers = new CircuitBreakers(memoryPlan(4096 * MB))
  const { words } = breakers.share()
  const script = `const { words, at } = require('node:worker_threads').workerData; Atomics.add(words, at, 2048)`
  // The offset of the request breaker's counters: after the header and two other breakers.
  const worker = new Worker(script, { eval: true, workerData: { words, at: 8 + 2 * 8 } })
  await new Promise((resolve) => worker.once('exit', resolve))
  assert.equal(breakers.request.usedBytes, 2 * MB)
})

test('what a thread held is free when it has ended, and nothing else', () => {
  const own = new CircuitBreakers(memoryPlan(1024 * MB))
  const { plan, words, held } = own.share()
  const other = new CircuitBreakers(plan, words, held)
  const mine = own.request.claim('mine')
  mine.resize(3 * MB)
  other.request.claim('lost').resize(5 * MB)
  other.fielddata.claim('lost').resize(MB)
  const returned = other.request.claim('returned')
  returned.resize(MB)
  returned.release()
  assert.equal(own.request.usedBytes, 8 * MB)
  own.releaseThread({ plan, words, held })
  own.releaseThread({ plan, words, held })
  assert.deepEqual([own.request.usedBytes, own.fielddata.usedBytes], [3 * MB, 0])
})
