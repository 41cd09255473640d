import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freeMemory } from './free-memory.ts'

test('freed memory is gone before the next garbage collection', () => {
  const buffers = Array.from({ length: 20 }, () => new ArrayBuffer(1_000_000))
  const before = process.memoryUsage()
  freeMemory(buffers)
  const { arrayBuffers, external } = process.memoryUsage()
  assert.ok(before.arrayBuffers - arrayBuffers > 19_000_000)
  assert.ok(before.external - external > 19_000_000)
  assert.deepEqual(new Set(buffers.map(({ byteLength }) => byteLength)), new Set([0]))
})

test('memory is freed by every call, also after the port was closed', async () => {
  for (let i = 0; i < 3; i++) {
    const buffer = new ArrayBuffer(100_000)
    freeMemory([buffer])
    assert.equal(buffer.byteLength, 0)
    await new Promise((resolve) => setImmediate(resolve))
  }
})
