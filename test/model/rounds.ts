/** Rounds of checks: a world and requests about it, all from a seed and the number of the round. */
import { Random } from '../fuzz/random.ts'
import { Checker, runScenario, type Scenario } from './checks.ts'
import type { Difference } from './compare.ts'
import { print } from './json.ts'
import { isKnown } from './known.ts'
import { type Check, randomCheck } from './requests.ts'
import type { Service } from './service.ts'
import { shrunk } from './shrink.ts'
import { randomWorld, setUp } from './world.ts'

const CHECKS_PER_ROUND = 25

export interface Finding {
  readonly scenario: Scenario
  readonly difference: Difference
}

export class Rounds {
  /** The number of checks made. */
  checks = 0
  readonly #service: Service
  readonly #types: readonly string[]
  readonly #prefix: string
  readonly #trials: number

  constructor(service: Service, types: readonly string[], prefix: string, trials = 600) {
    this.#service = service
    this.#types = types
    this.#prefix = prefix
    this.#trials = trials
  }

  async run(seed: number, round: number): Promise<Finding[]> {
    const random = new Random(Math.imul(seed, 0x9e3779b1) + round)
    const world = randomWorld(random, `${this.#prefix}-${seed}-${round}`, this.#types)
    const checks: Check[] = []
    const found: Finding[] = []
    const checker = await Checker.open(this.#service, world)
    for (let i = 0; i < CHECKS_PER_ROUND; i++) {
      const check = randomCheck(random, world)
      if (isKnown(check)) continue
      checks.push(check)
      this.checks++
      const difference = await checker.run(check)
      if (difference !== undefined && !found.some((other) => other.difference.kind === difference.kind))
        found.push({ scenario: { world, checks: [...checks] }, difference })
    }
    await checker.close()
    const smallest: Finding[] = []
    for (const finding of found) smallest.push(await this.#shrunk(finding))
    return smallest
  }

  async #shrunk({ scenario, difference }: Finding): Promise<Finding> {
    const { kind } = difference
    const fails = async (smaller: Scenario) => {
      try {
        return (await runScenario(this.#service, smaller))?.kind === kind
      } catch {
        // A world that cannot be built shows nothing.
        return false
      }
    }
    const last: Scenario = { ...scenario, checks: scenario.checks.slice(-1) }
    const start = (await fails(last)) ? last : scenario
    const best = await shrunk(start, fails, this.#trials)
    return { scenario: best, difference: (await runScenario(this.#service, best)) ?? difference }
  }
}

/** The requests of a scenario as text. */
export function describe({ world, checks }: Scenario): string[] {
  return [
    ...setUp(world).map(({ method, path, body }) => `${method} ${path} ${print(body)}`),
    ...checks.map((check) => `${check.kind} ${print(check as never)}`),
  ]
}
