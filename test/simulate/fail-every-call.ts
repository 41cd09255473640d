/** Fails every single disk call of a run, one call per run, in each possible way. */
import type { Fault } from './simulated-disk.ts'
import { simulate } from './simulation.ts'

const FAULTS: readonly Fault[] = ['EIO', 'short', 'EMFILE']

export async function failEveryCall(seed: number, everyNth = 1) {
  // A call that no run makes. The run without a fault returns the number of calls.
  const { calls } = await simulate({ seed, faultAt: { call: -1, fault: 'EIO' } })
  const failures: string[] = []
  let runs = 0
  for (let call = 1; call <= calls; call += everyNth) {
    for (const fault of FAULTS) {
      runs++
      try {
        await simulate({ seed, faultAt: { call, fault } })
      } catch (error) {
        failures.push(`seed ${seed}, ${fault} at call ${call}: ${(error as Error).stack}`)
      }
    }
  }
  return { calls, runs, failures }
}
