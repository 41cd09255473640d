import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CollectedBody } from './collected-body.ts'

const chunkOf = (bytes: number, value: number) => Buffer.from(new ArrayBuffer(bytes)).fill(value)

test('a body in chunks is one buffer of the announced length', () => {
  const body = new CollectedBody(300_000)
  for (let i = 0; i < 3; i++) body.add(chunkOf(100_000, i))
  assert.deepEqual(body.bytes, Buffer.concat([0, 1, 2].map((value) => Buffer.alloc(100_000, value))))
})

test('the memory of copied chunks is freed when they have 256 kB, and when the body is complete', () => {
  const body = new CollectedBody(500_000)
  const chunks = Array.from({ length: 5 }, (_, i) => chunkOf(100_000, i))
  const lengths = () => chunks.map(({ length }) => length)
  for (const chunk of chunks.slice(0, 2)) body.add(chunk)
  assert.deepEqual(lengths(), [100_000, 100_000, 100_000, 100_000, 100_000])
  body.add(chunks[2]!)
  assert.deepEqual(lengths(), [0, 0, 0, 100_000, 100_000])
  body.add(chunks[3]!)
  body.add(chunks[4]!)
  assert.deepEqual(lengths(), [0, 0, 0, 0, 0])
})

test('chunks that are short, or a part of a buffer, keep their memory', () => {
  const body = new CollectedBody(21_000)
  const short = chunkOf(1000, 1)
  const whole = chunkOf(50_000, 2)
  body.add(short)
  body.add(whole.subarray(0, 20_000))
  assert.equal(short.length, 1000)
  assert.equal(whole.length, 50_000)
  assert.equal(body.bytes[20_999], 2)
})
