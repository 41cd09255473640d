import { test } from 'node:test'
import type { Fault } from '../../src/base/disk/simulated-disk.ts'
import { deadLetterRun, positionRun, queueRun, type Run } from './pipeline-state.ts'

const IS_LONG = process.env['SANDPIPER_SLOW_TESTS'] === '1'
const SEEDS = Number(process.env['SANDPIPER_SIMULATE_SEEDS'] ?? (IS_LONG ? 10_000 : 25))
/** A failure prints its seed. Setting it as the first seed, with one seed in total, repeats the run. */
const FIRST_SEED = Number(process.env['SANDPIPER_SIMULATE_FIRST_SEED'] ?? 1)
const FAULTS: readonly Fault[] = ['EIO', 'ENOSPC', 'EMFILE', 'short', 'kill', 'power']

const RUNS: readonly [string, Run][] = [
  ['the persisted queue delivers every event it has acknowledged', queueRun],
  ['positions never pass a line that was not delivered', positionRun],
  ['dead letters that were written can be read', deadLetterRun],
]

for (const [name, run] of RUNS) {
  // Goal: no single failing call loses anything. Method: the same run is repeated, with each of its calls failing once
  // in each way.
  test(`${name}: nothing is lost if any single disk call fails`, async () => {
    const calls = await run({ seed: FIRST_SEED, faultAt: () => undefined })
    const step = IS_LONG ? 1 : Math.ceil(calls / 12)
    for (let failing = 1; failing <= calls; failing += step) {
      for (const fault of FAULTS) {
        await run({ seed: FIRST_SEED, faultAt: (call) => (call === failing ? fault : undefined) })
      }
    }
  })

  // Goal: faults in any combination lose nothing.
  test(`${name}: nothing is lost through random faults, kills and power failures`, async () => {
    for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
      await run({
        seed,
        faultAt(call, random) {
          const rate = seed % 3 === 0 ? 0.1 : 0.02
          if (random() >= rate) return undefined
          const fault = FAULTS[Math.floor(random() * FAULTS.length)]!
          // The end of the process is rare; otherwise runs would be too short to reach other faults.
          return (fault === 'kill' || fault === 'power') && call % 3 !== 0 ? 'EIO' : fault
        },
      })
    }
  })
}
