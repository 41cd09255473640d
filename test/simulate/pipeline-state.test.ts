import { test } from 'node:test'
import type { Fault } from '../../src/base/disk/simulated-disk.ts'
import { deadLetterRun, positionRun, queueRun, type Run } from './pipeline-state.ts'

const IS_LONG = process.env['SANDPIPER_SLOW_TESTS'] === '1'
const SEEDS = Number(process.env['SANDPIPER_SIMULATE_SEEDS'] ?? (IS_LONG ? 10_000 : 25))
/** A failure names its seed: with it as the first and one seed the run is repeated. */
const FIRST_SEED = Number(process.env['SANDPIPER_SIMULATE_FIRST_SEED'] ?? 1)
const FAULTS: readonly Fault[] = ['EIO', 'ENOSPC', 'EMFILE', 'short', 'kill', 'power']

const RUNS: readonly [string, Run][] = [
  ['the persisted queue delivers every event it has acknowledged', queueRun],
  ['positions never pass a line that was not delivered', positionRun],
  ['dead letters that were written can be read', deadLetterRun],
]

for (const [name, run] of RUNS) {
  // Goal: no single failing call, whichever it is and however it fails, loses anything.
  // Method: the same run again and again, with each of its calls failing once in each of the ways.
  test(`${name}: every call of the disk failed in turn`, async () => {
    const calls = await run({ seed: FIRST_SEED, faultAt: () => undefined })
    const step = IS_LONG ? 1 : Math.ceil(calls / 12)
    for (let failing = 1; failing <= calls; failing += step) {
      for (const fault of FAULTS) {
        await run({ seed: FIRST_SEED, faultAt: (call) => (call === failing ? fault : undefined) })
      }
    }
  })

  // Goal: the same holds for faults in any combination.
  test(`${name}: random faults, kills and power failures`, async () => {
    for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
      await run({
        seed,
        faultAt(call, random) {
          const rate = seed % 3 === 0 ? 0.1 : 0.02
          if (random() >= rate) return undefined
          const fault = FAULTS[Math.floor(random() * FAULTS.length)]!
          // The end of the process is rare, or nothing else would be seen.
          return (fault === 'kill' || fault === 'power') && call % 3 !== 0 ? 'EIO' : fault
        },
      })
    }
  })
}
