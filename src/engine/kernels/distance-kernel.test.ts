import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Arena } from '../memory/arena.ts'
import { distanceKernel, plainSum, type VectorSum } from './distance-kernel.ts'

const arena = Arena.create(4 << 20)
const kernel = distanceKernel(arena)!

/** Stores vectors side by side, and returns the sums with each of them. */
function sums(
  sum: VectorSum,
  query: Float32Array | Int8Array,
  stored: readonly (Float32Array | Int8Array)[],
  gap: number,
) {
  const stride = query.byteLength + gap
  const address = arena.allocate(stride * stored.length)
  const pool = arena.bytes(address, stride * stored.length).fill(0xff)
  for (const [i, { buffer }] of stored.entries()) pool.set(new Uint8Array(buffer), i * stride)
  for (let i = 0; i < stored.length; i++) kernel.list[i] = stored.length - 1 - i
  kernel.run(sum, new Uint8Array(query.buffer), { address, stride }, stored.length)
  const results = query instanceof Float32Array ? kernel.floats : kernel.integers
  const found = Array.from(results.subarray(0, stored.length)).reverse()
  arena.free(address)
  return found
}

test('the distance kernel has the sums of plain loops, for every number of elements', () => {
  const float = fc.oneof(
    fc.float({ noNaN: true, noDefaultInfinity: true, min: -9, max: 9 }),
    fc.integer({ min: -3, max: 3 }),
  )
  const byte = fc.integer({ min: -128, max: 127 })
  const kinds = [
    ['products', float], ['squares', float], ['byteProducts', byte], ['byteSquares', byte], ['bits', byte],
  ] as const // biome-ignore format: a list
  fc.assert(
    fc.property(
      fc.constantFrom(...kinds),
      fc.integer({ min: 1, max: 150 }),
      fc.nat(2),
      fc.gen(),
      ([sum, element], dims, gap, gen) => {
        const vector = () => {
          const items = gen(fc.array, element, { minLength: dims, maxLength: dims })
          return element === float ? Float32Array.from(items) : Int8Array.from(items)
        }
        const query = vector()
        const stored = [vector(), vector(), vector()]
        assert.deepEqual(
          sums(sum, query, stored, element === float ? gap * 4 : gap),
          stored.map((one) => plainSum(sum, query, one)),
        )
      },
    ),
  )
})

test('the sums of the largest vectors are exact for bytes', () => {
  const query = new Int8Array(4096).fill(-128)
  const stored = [new Int8Array(4096).fill(127), query]
  assert.deepEqual(sums('byteSquares', query, stored, 0), [4096 * 255 ** 2, 0])
  assert.deepEqual(sums('byteProducts', query, stored, 0), [-4096 * 128 * 127, 4096 * 128 ** 2])
  assert.deepEqual(sums('bits', query, stored, 0), [4096 * 8, 0])
})
