/**
 * Runs the simulation for many seeds, or fails every call of one run once.
 *
 *   npm run test:simulate -- [--seeds N] [--seed S] [--every-call] [--trace]
 *
 * A failing seed is printed with the command that repeats it.
 */

import { failEveryCall } from './fail-every-call.ts'
import { simulate } from './simulation.ts'

const [seeds, first, everyCall] = [
  numberOf('--seeds') ?? (numberOf('--seed') === undefined ? 2000 : 1),
  numberOf('--seed') ?? 1,
  process.argv.includes('--every-call'),
]

const isTraced = process.argv.includes('--trace')

if (everyCall) {
  const started = performance.now()
  const { runs, calls, failures } = await failEveryCall(first)
  for (const failure of failures) process.stdout.write(`${failure}\n`)
  process.stdout.write(
    `seed ${first}: ${calls} calls, ${runs} runs with one failed call each, ${failures.length} failures, ${seconds(started)}\n`,
  )
  process.exitCode = failures.length === 0 ? 0 : 1
} else {
  const started = performance.now()
  let failures = 0
  const totals = { calls: 0, faults: 0, crashes: 0, requests: 0 }
  for (let seed = first; seed < first + seeds; seed++) {
    try {
      const { calls, faults, crashes, requests } = await simulate({
        seed,
        ...(isTraced ? { onEvent: (event) => void process.stdout.write(`${event}\n`) } : {}),
      })
      totals.calls += calls
      totals.faults += faults.length
      totals.crashes += crashes
      totals.requests += requests
    } catch (error) {
      failures++
      process.stdout.write(
        `seed ${seed}: ${(error as Error).stack}\n  again: npm run test:simulate -- --seed ${seed}\n`,
      )
    }
    if (seeds > 500 && (seed - first) % 500 === 499) {
      process.stdout.write(`${seed - first + 1} of ${seeds} seeds, ${failures} failures, ${seconds(started)}\n`)
    }
  }
  const { calls, faults, crashes, requests } = totals
  process.stdout.write(
    `${seeds} seeds, ${failures} failures, ${seconds(started)}: ${requests} requests, ${calls} calls to the disk, ${faults} of them failed, ${crashes} crashes\n`,
  )
  process.exitCode = failures === 0 ? 0 : 1
}
// Requests of killed nodes never end.
process.exit()

function numberOf(flag: string): number | undefined {
  const at = process.argv.indexOf(flag)
  return at < 0 ? undefined : Number(process.argv[at + 1])
}

function seconds(sinceMs: number): string {
  return `${((performance.now() - sinceMs) / 1000).toFixed(1)} s`
}
