import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Arena, ArenaFullError, arenaLayout } from './arena.ts'

test('arena blocks never overlap and keep their contents through any allocations and frees', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.integer({ min: 1, max: 70000 }), fc.constant(-1)), { maxLength: 60 }), (steps) => {
      const arena = Arena.create(64 << 20)
      const blocks: { address: number; length: number; mark: number }[] = []
      let mark = 1
      for (const step of steps) {
        if (step === -1) {
          const gone = blocks.splice(Math.floor(blocks.length / 2), 1)[0]
          if (gone !== undefined) arena.free(gone.address)
          continue
        }
        const block = { address: arena.allocate(step), length: step, mark: mark++ & 255 }
        assert.equal(block.address % 16, 0)
        arena.bytes(block.address, step).fill(block.mark)
        blocks.push(block)
      }
      for (const { address, length, mark: value } of blocks) {
        assert.ok(arena.bytes(address, length).every((byte) => byte === value))
      }
      for (const { address } of blocks) arena.free(address)
      assert.equal(arena.usedBytes, 0)
    }),
    { numRuns: 40 },
  )
})

test('a request beyond the budget is rejected and the arena stays usable', () => {
  const arena = Arena.create(2 << 20)
  assert.throws(() => arena.allocate(3 << 20), ArenaFullError)
  const address = arena.allocate(1 << 20)
  arena.free(address)
  assert.equal(arena.allocate(1 << 20), address)
})

test('adjacent freed blocks are reused for a larger one', () => {
  const arena = Arena.create(4 << 20)
  const blocks: number[] = []
  try {
    for (;;) blocks.push(arena.allocate(100_000))
  } catch (error) {
    assert.ok(error instanceof ArenaFullError)
  }
  for (const address of blocks) arena.free(address)
  arena.allocate(3 << 20)
})

test('every size class has a list', () => {
  assert.ok(arenaLayout.classesNeeded <= arenaLayout.classesReserved)
})

test('another thread of the process sees blocks allocated after it attached', () => {
  const arena = Arena.create(64 << 20)
  const other = Arena.attach(arena.memory, arena.limitBytes, 2)
  const address = arena.allocate(20 << 20)
  arena.bytes(address, 1)[0] = 7
  assert.equal(other.bytes(address, 1)[0], 7)
})
