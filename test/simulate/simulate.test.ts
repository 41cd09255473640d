/**
 * Goal: whatever a disk does, every acknowledged operation is there, no rejected one is, and what each client sees of a document fits
 * one order of its operations; damage is reported, never answered with wrong data. Method: the service on a simulated disk, with
 * clients on the same documents, failing calls, kills and power cuts, all decided by a seed. `npm run test:simulate` runs thousands.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failEveryCall } from './fail-every-call.ts'
import { simulate } from './simulation.ts'

const SEEDS = 6

test(`acknowledged operations are kept and rejected ones leave no trace, in ${SEEDS} simulated lives`, async () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    try {
      await simulate({ seed })
    } catch (error) {
      throw new Error(`npm run test:simulate -- --seed ${seed}: ${(error as Error).message}`, { cause: error })
    }
  }
})

test('a seed does the same again, call by call', async () => {
  const eventsOf = async (seed: number) => {
    const events: string[] = []
    // Folders of indices have random names.
    const onEvent = (event: string) => void events.push(event.replace(/[\w-]{22}/, 'x'))
    const { trace } = await simulate({ seed, onEvent })
    return { trace, events }
  }
  for (const seed of [11]) assert.deepEqual(await eventsOf(seed), await eventsOf(seed))
})

test('a single failing call to the disk costs nothing that was acknowledged', async () => {
  const { failures } = await failEveryCall(1, 251)
  assert.deepEqual(failures, [])
})
