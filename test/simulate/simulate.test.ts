/**
 * Goal: with any disk faults, every acknowledged operation is present, no rejected one is, and the reads of each client
 * fit one order of operations. Damage is reported and never causes wrong data. Method: the service on a simulated disk,
 * with clients on the same documents, failing calls, kills and power failures, all determined by a seed. `npm run
 * test:simulate` runs thousands of seeds.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failEveryCall } from './fail-every-call.ts'
import { simulate } from './simulation.ts'

const SEEDS = 6

test(`acknowledged operations are kept and rejected ones leave no trace in ${SEEDS} simulated runs`, async () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    try {
      await simulate({ seed })
    } catch (error) {
      throw new Error(`npm run test:simulate -- --seed ${seed}: ${(error as Error).message}`, { cause: error })
    }
  }
})

test('a seed repeats a run call by call', async () => {
  const eventsOf = async (seed: number) => {
    const events: string[] = []
    // Folders of indices have random names.
    const onEvent = (event: string) => void events.push(event.replace(/[\w-]{22}/, 'x'))
    const { trace } = await simulate({ seed, onEvent })
    return { trace, events }
  }
  for (const seed of [11]) assert.deepEqual(await eventsOf(seed), await eventsOf(seed))
})

test('a single failing disk call loses no acknowledged operation', async () => {
  assert.deepEqual(await failEveryCall(1, 251), [])
})
