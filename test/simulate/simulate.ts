/**
 * Runs the simulation for many seeds, or fails every call of one run once.
 *
 *   npm run test:simulate -- [--seeds N] [--from S] [--state FILE]
 *   npm run test:simulate -- --every-call [--seed S] [--state FILE]
 *   npm run test:simulate -- --seed S [--trace]
 *
 * A failing seed is printed with the command that repeats it. With a state file a stopped series can be continued.
 */
import { parseArgs } from 'node:util'
import { countCalls, FAULTS, failCall } from './fail-every-call.ts'
import { runSeries } from './numbered-runs.ts'
import { simulate } from './simulation.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    'every-call': { type: 'boolean', default: false },
    state: { type: 'string' },
    trace: { type: 'boolean', default: false },
  },
})
const print = (line: string) => void process.stdout.write(`${line}\n`)
// The first run of a process differs from later ones: modules and kernels that are loaded on first use take real time.
await simulate({ seed: 0 })
const failures = values['every-call'] ? await everyCall(Number(values.seed ?? 1)) : await manySeeds()
// Requests of killed nodes never end.
process.exit(failures === 0 ? 0 : 1)

async function manySeeds(): Promise<number> {
  const isSingle = values.seed !== undefined
  const { state, seeds } = {
    seeds: isSingle ? 1 : Number(values.seeds ?? 2000),
    state: isSingle ? undefined : values.state,
  }
  const result = await runSeries({
    first: Number(values.seed ?? values.from),
    count: seeds,
    stateFile: state,
    nameOf: (seed) => `seed ${seed}`,
    print,
    run: async (seed) => {
      const { calls, faults, crashes, requests, timers } = await simulate({
        seed,
        ...(values.trace ? { onEvent: print } : {}),
      })
      return { calls, faults: faults.length, crashes, requests, timers }
    },
  })
  for (const { number } of result.failures) print(`again: npm run test:simulate -- --seed ${number}`)
  const { requests = 0, calls = 0, faults = 0, crashes = 0, timers = 0 } = result.figures ?? {}
  print(
    `${seeds} seeds, ${result.failures.length} failures, ${timesOf(result)}: ${requests} requests, ${calls} calls to the disk, ` +
      `${faults} of them failed, ${timers} timers, ${crashes} crashes`,
  )
  return result.failures.length
}

async function everyCall(seed: number): Promise<number> {
  const calls = await countCalls(seed)
  const count = calls * FAULTS.length
  const result = await runSeries({
    first: 0,
    count,
    stateFile: values.state,
    nameOf: (number) => {
      const { call, fault } = callOf(number)
      return `seed ${seed}, ${fault} at call ${call}`
    },
    print,
    run: async (number) => {
      await failCall(seed, callOf(number))
      return {}
    },
  })
  print(
    `seed ${seed}: ${calls} calls, ${count} runs with one failed call each, ${result.failures.length} failures, ${timesOf(result)}`,
  )
  return result.failures.length
}

function callOf(number: number) {
  return { call: Math.floor(number / FAULTS.length) + 1, fault: FAULTS[number % FAULTS.length]! }
}

function timesOf({ seconds, cpuSeconds }: { readonly seconds: number; readonly cpuSeconds: number }): string {
  return `${seconds.toFixed(1)} s (${cpuSeconds.toFixed(1)} s CPU)`
}
