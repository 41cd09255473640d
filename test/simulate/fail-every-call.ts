/** Fails every single disk call of a run, one call per run, in each possible way. */
import type { Fault } from './simulated-disk.ts'
import { simulate } from './simulation.ts'

export const FAULTS: readonly Fault[] = ['EIO', 'short', 'EMFILE']

/** The number of disk calls of a run in which none fails. */
export async function countCalls(seed: number): Promise<number> {
  // A call that no run makes.
  const { calls } = await simulate({ seed, faultAt: { call: -1, fault: 'EIO' } })
  return calls
}

export async function failCall(seed: number, faultAt: { readonly call: number; readonly fault: Fault }): Promise<void> {
  await simulate({ seed, faultAt })
}

/** Fails every nth call and returns the failures. */
export async function failEveryCall(seed: number, everyNth = 1): Promise<string[]> {
  const calls = await countCalls(seed)
  const failures: string[] = []
  for (let call = 1; call <= calls; call += everyNth) {
    for (const fault of FAULTS) {
      try {
        await failCall(seed, { call, fault })
      } catch (error) {
        failures.push(`seed ${seed}, ${fault} at call ${call}: ${(error as Error).stack}`)
      }
    }
  }
  return failures
}
