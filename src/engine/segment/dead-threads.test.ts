/**
 * Goal: a thread that ends while it holds the arena lock, loads a section, has a segment pinned or drops its sections
 * blocks no other thread and leaks no memory. Method: worker threads attach to the arena, enter each of these states
 * with the calls that searchers use, and end there: by `process.exit` in the middle of the call, or by `terminate` from
 * outside while they are blocked.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { Arena } from '../memory/arena.ts'
import { dropLeastUsed, releaseOwner, SectionTable } from './section-table.ts'

const LIMIT = 64 * 65536
const OTHER = 3
const modules = {
  arena: new URL('../memory/arena.js', import.meta.url).href,
  table: new URL('./section-table.js', import.meta.url).href,
}

/** Runs `script` in a thread with `arena`, `table` and `stop()`, which ends or blocks it forever. */
async function endIn(arena: Arena, table: SectionTable, how: 'exits' | 'is terminated', script: string): Promise<void> {
  const stop = how === 'exits' ? 'process.exit(1)' : `parentPort.postMessage('there'); Atomics.wait(sleep, 0, 0)`
  const source = `
    const { parentPort, workerData } = require('node:worker_threads')
    const sleep = new Int32Array(new SharedArrayBuffer(4))
    const stop = () => { ${stop} }
    Promise.all([import(workerData.arena), import(workerData.table)]).then(([{ Arena }, { SectionTable }]) => {
      const arena = Arena.attach(workerData.memory, ${LIMIT}, ${OTHER})
      const table = SectionTable.attach(arena, workerData.address)
      ${script}
    })`
  const { memory } = arena
  const worker = new Worker(source, { eval: true, workerData: { ...modules, memory, address: table.address } })
  if (how === 'is terminated') {
    await once(worker, 'message')
    await worker.terminate()
  } else await once(worker, 'exit')
}

const fresh = () => {
  const arena = Arena.create(LIMIT)
  return { arena, table: SectionTable.create(arena, 4) }
}

for (const how of ['exits', 'is terminated'] as const) {
  test(`the arena lock of a thread that ${how} is taken over by the next thread without notification`, async () => {
    const { arena, table } = fresh()
    await endIn(arena, table, how, 'arena.exclusive(stop)')
    arena.free(arena.allocate(1000))
  })

  test(`a section whose thread ${how} while loading it is loaded by the next thread without notification`, async () => {
    const { arena, table } = fresh()
    await endIn(arena, table, how, 'table.claim(2); stop()')
    assert.equal(table.claim(2), -1, 'this thread is to load it')
    table.publish(2, arena.allocate(100))
    assert.ok(table.claim(2) > 0)
  })

  test(`segments pinned by a thread that ${how} can be dropped, and stay pinned for others`, async () => {
    const { arena, table } = fresh()
    assert.equal(table.claim(0), -1)
    table.publish(0, arena.allocate(100_000))
    const used = arena.usedBytes
    table.pin()
    await endIn(arena, table, how, 'table.pin(); table.pin(); stop()')
    releaseOwner(arena, OTHER)
    assert.equal(dropLeastUsed(arena), false, 'this thread has it pinned')
    table.unpin()
    assert.equal(dropLeastUsed(arena), true)
    assert.ok(arena.usedBytes < used)
  })

  test(`a drop whose thread ${how} in the middle is finished by the thread that needs the segment`, async () => {
    const { arena, table } = fresh()
    for (const section of [0, 1]) {
      assert.equal(table.claim(section), -1)
      table.publish(section, arena.allocate(100_000))
    }
    await endIn(arena, table, how, 'arena.free = stop; table.drop()')
    table.pin()
    assert.equal(table.claim(0), -1, 'it is no longer there')
    assert.equal(table.claim(1), -1)
    table.giveUp(0)
    table.giveUp(1)
    table.unpin()
    assert.equal(table.drop(), true)
  })
}

test('the number of a thread can be reused once its first owner is released', async () => {
  const { arena, table } = fresh()
  await endIn(arena, table, 'exits', 'table.claim(1); arena.exclusive(stop)')
  releaseOwner(arena, OTHER)
  Arena.attach(arena.memory, LIMIT, OTHER)
  assert.equal(table.claim(1), -1)
  arena.allocate(10)
})
