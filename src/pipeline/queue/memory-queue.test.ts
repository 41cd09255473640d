import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Event } from '../event/event.ts'
import { Timestamp } from '../event/timestamp.ts'
import { MemoryQueue } from './memory-queue.ts'

const eventOf = (i: number) => Event.ofMessage(String(i), new Timestamp(0))

// Goal: nothing is lost, duplicated or reordered, and an input is notified exactly when all its events are
// acknowledged. Method: random lists, taken in batches of random sizes that are acknowledged in any order.
test('events leave the queue in order, and a list is acknowledged with its last event', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(20), { maxLength: 30 }),
      fc.array(fc.integer({ min: 1, max: 15 }), { minLength: 1 }),
      async (sizes, takes) => {
        const queue = new MemoryQueue(1_000_000)
        const done: number[] = []
        let next = 0
        sizes.forEach((size, list) => {
          const events = Array.from({ length: size }, () => eventOf(next++))
          queue.push(events, () => done.push(list))
        })
        queue.close()
        const batches = []
        for (let i = 0; ; i++) {
          const batch = await queue.take(takes[i % takes.length]!, 0)
          if (batch === undefined) break
          batches.push(batch)
        }
        const messages = batches.flatMap(({ events }) => events.map((event) => Number(event.get('message'))))
        assert.deepEqual(
          messages,
          Array.from({ length: next }, (_, i) => i),
        )
        for (const batch of batches.reverse()) batch.acknowledge()
        assert.deepEqual(
          done.sort((a, b) => a - b),
          sizes.map((_, list) => list),
        )
      },
    ),
  )
})

test('a full queue blocks the input until a batch is taken', async () => {
  const queue = new MemoryQueue(2)
  assert.equal(queue.push([eventOf(1)]), undefined)
  const waiting = queue.push([eventOf(2)])
  assert.ok(waiting instanceof Promise)
  await queue.take(1, 0)
  await waiting
})
