// Compares a service with the model of test/model for a while.
//   npm run test:laws -- [--seconds 60] [--rounds N] [--seed 1] [--state FILE] [--url http://127.0.0.1:9210] [--types a,b] [--trials 600] [--keep-going]
// Round N of a seed is always the same world and the same requests. A difference is shrunk, and printed with its seed, its round and
// the requests that show it. With --state a stopped run is continued at its round. --url asks a running service, for example a real
// Elasticsearch, to find out whether the model is right; --types leaves out the field types that it lacks.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { print } from './json.ts'
import { describe, Rounds } from './rounds.ts'
import { serviceAt, serviceInside } from './service.ts'
import { FIELD_TYPES } from './values.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    round: { type: 'string', default: '0' },
    rounds: { type: 'string', default: 'Infinity' },
    state: { type: 'string' },
    url: { type: 'string' },
    types: { type: 'string' },
    trials: { type: 'string', default: '600' },
    'keep-going': { type: 'boolean', default: false },
  },
})

interface State {
  seed: number
  round: number
}

const state: State =
  values.state !== undefined && existsSync(values.state)
    ? (JSON.parse(readFileSync(values.state, 'utf8')) as State)
    : { seed: Number(values.seed), round: Number(values.round) }
const service = values.url === undefined ? await serviceInside() : serviceAt(values.url)
const rounds = new Rounds(service, values.types?.split(',') ?? Object.keys(FIELD_TYPES), 'model', Number(values.trials))
const endsAt = performance.now() + Number(values.seconds) * 1000
const [first, seen] = [state.round, new Map<string, number>()]
while (performance.now() < endsAt && state.round - first < Number(values.rounds)) {
  const found = await rounds.run(state.seed, state.round)
  for (const { difference, scenario } of found) {
    seen.set(difference.kind, (seen.get(difference.kind) ?? 0) + 1)
    console.log(`seed ${state.seed}, round ${state.round}: ${difference.kind}: ${difference.text}`)
    for (const line of describe(scenario)) console.log(`  ${line}`)
  }
  state.round++
  if (values.state !== undefined) writeFileSync(values.state, `${JSON.stringify(state)}\n`)
  if (found.length > 0 && !values['keep-going']) break
}
await service.stop()
console.log(
  `seed ${state.seed}, rounds ${first} to ${state.round - 1}: ${rounds.checks} checks, differences ${print(Object.fromEntries(seen))}`,
)
process.exitCode = seen.size > 0 ? 1 : 0
