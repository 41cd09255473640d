// Runs cases against the two servers.

import { compareAnswers, isFailure, worst } from './compare.mjs'
import { Rng } from './rng.mjs'
import { shrink } from './shrink.mjs'
import { stepKind } from './steps/index.mjs'
import { buildWorld, dropWorld, makeWorld } from './world.mjs'

/** For areas whose cases bring a world of their own. */
const NO_WORLD = { target: '', indices: [], fields: [], ids: [], nestedPaths: [], keepsHoles: false }

/** The oracle hung up, timed out or was too busy. */
const isTrouble = (answer) => Boolean(answer.broken) || [429, 503, 504].includes(answer.status)

export class Runner {
  constructor({ oracle, subject, seed, prefix, strict = false, shrinkBudget = 60, ignore = [] }) {
    Object.assign(this, { oracle, subject, seed, prefix, strict, shrinkBudget, ignore: new Set(ignore) })
    this.current = new Map() // area name -> { number, world, setup }
    this.scratch = 0
  }

  both(action) {
    return Promise.all([action(this.oracle), action(this.subject)])
  }

  // ---- worlds ----

  worldOf(area, number) {
    if (area.wish === null) return NO_WORLD
    const rng = new Rng(`${this.seed}/${area.name}/world/${number}`)
    const name = `${this.prefix}-${area.name}-${number}`
    if (area.makeWorld) return area.makeWorld(rng, name)
    return makeWorld(rng, name, typeof area.wish === 'function' ? area.wish(rng) : area.wish)
  }

  /** Builds a world on both servers and says how the answers differ. A busy oracle gets more tries. */
  async build(world, triesLeft = 3) {
    const [a, b] = await this.both((server) => buildWorld(server, world))
    if (a.some(isTrouble)) {
      if (triesLeft > 1) return this.build(world, triesLeft - 1)
      return { differences: [], unusable: false, trouble: true }
    }
    // A refused index ends the building, so one list may be shorter; the last pair then tells why.
    const pairs = a.slice(0, b.length).map((answer, i) => [answer, b[i]])
    const differences = pairs.flatMap(([mine, other], i) =>
      compareAnswers(mine, other, 'plain', { strict: this.strict }).map((d) => ({
        ...d,
        path: `setup call ${i}: ${d.path}`,
      })),
    )
    const unusable = pairs.some(([mine, other]) => mine.status < 300 !== other.status < 300)
    if (unusable)
      return { unusable, differences: differences.map((d) => (d.class === 'crash' ? d : { ...d, class: 'setup' })) }
    await this.dropDisputed(world, a, b)
    return { differences, unusable }
  }

  /** Documents that only one server took are removed from both, so that one bad value does not spoil every case. */
  async dropDisputed(_world, a, b) {
    const disputed = new Map()
    for (const [i, answer] of a.entries()) {
      for (const [j, item] of (answer.json?.items ?? []).entries()) {
        const mine = Object.values(item)[0]
        const other = Object.values(b[i].json?.items?.[j] ?? { none: {} })[0]
        if (Boolean(mine.error) !== Boolean(other.error))
          disputed.set(`${mine._index}/${mine._id}`, { delete: { _index: mine._index, _id: mine._id } })
      }
    }
    if (disputed.size === 0) return
    await this.both((server) =>
      server.send({ method: 'POST', path: '/_bulk?refresh=true', ndjson: [...disputed.values()] }),
    )
  }

  drop(world) {
    return this.both((server) => dropWorld(server, world))
  }

  /** The world the case lives in, built once for all cases that share it. */
  async enterWorld(area, caseNumber) {
    const number = Math.floor(caseNumber / area.casesPerWorld)
    const current = this.current.get(area.name)
    if (current?.number === number) return { ...current, setup: { ...current.setup, differences: [] } }
    if (current) await this.drop(current.world)
    const world = this.worldOf(area, number)
    const entry = { number, world, setup: await this.build(world) }
    this.current.set(area.name, entry)
    return entry
  }

  async leaveWorlds() {
    for (const { world } of this.current.values()) await this.drop(world)
    this.current.clear()
  }

  // ---- cases ----

  async runCase(area, number) {
    const { world, setup } = await this.enterWorld(area, number)
    const rng = new Rng(`${this.seed}/${area.name}/case/${number}`)
    const made = area.makeCase(rng, world, `${this.prefix}-${area.name}-own-${number}`)
    const testCase = {
      id: `${this.seed}:${area.name}-${number}`,
      area: area.name,
      world: made.world ?? world,
      steps: made.steps,
      ownsWorld: Boolean(made.world),
    }
    let { differences, unusable, trouble } = setup
    if (testCase.ownsWorld) ({ differences, unusable, trouble } = await this.build(testCase.world))
    if (trouble) return { testCase, differences: [], trouble: true, failed: false }
    if (unusable && differences.length === 0)
      differences = [{ class: 'setup', path: 'world', oracle: 'built', subject: 'could not be built' }]
    if (!unusable) differences = [...differences, ...(await this.runSteps(testCase))]
    if (testCase.ownsWorld) await this.drop(testCase.world)
    differences = differences.filter((d) => !this.ignore.has(d.class))
    return { testCase, differences, unusable, refused: testCase.refused, failed: isFailure(differences, this.strict) }
  }

  /** After the first step that fails only those marked `always` (cleaning up) still run: what follows would only echo it. */
  async runSteps(testCase) {
    const memories = [{}, {}]
    const found = []
    let ended = false
    for (const [at, step] of testCase.steps.entries()) {
      if (ended && !step.always) continue
      const kind = stepKind(step)
      const [a, b] = await Promise.all([
        kind.run(this.oracle, step, testCase.world, memories[0]),
        kind.run(this.subject, step, testCase.world, memories[1]),
      ])
      const first = a.failure ?? a
      // An overloaded oracle may have done the step or not: nothing after it can be compared.
      if (isTrouble(first)) ended = true
      if (ended) continue
      if (first.status >= 400) testCase.refused = true
      const differences = [
        ...kind.compare(a, b, step, testCase.world, { strict: this.strict }),
        ...this.brokenPromises(kind, a, b, step, testCase.world),
      ].map((d) => ({ ...d, step: at }))
      found.push(...differences)
      ended = isFailure(
        differences.filter((d) => !this.ignore.has(d.class)),
        this.strict,
      )
    }
    return found
  }

  /** What must hold for the subject alone, as far as the oracle keeps it too. */
  brokenPromises(kind, a, b, step, world) {
    if (!kind.check || kind.check(a, step, world).length > 0) return []
    return kind.check(b, step, world)
  }

  /** A smaller case that fails in the same class, or null. */
  async shrinkCase(testCase, differences) {
    const wanted = worst(differences)
    if (this.shrinkBudget <= 0 || wanted === 'setup') return null
    const deadline = Date.now() + 30000
    const original = { ...testCase, ...renamed(testCase, `${this.prefix}-shrink-${this.scratch++}`) }
    let built = null
    let fresh = true
    const stillFails = async (candidate) => {
      if (Date.now() > deadline) return false
      // A rejected change of the documents, or steps that write, leave a world that must be made anew.
      if (built !== candidate.world || candidate.ownsWorld) fresh = true
      if (fresh) {
        const { unusable } = await this.build(candidate.world)
        if (unusable) return false
        built = candidate.world
        fresh = false
      }
      return worst(await this.runSteps(candidate)) === wanted
    }
    try {
      if (!(await stillFails(original))) return null
      const best = await shrink(original, stillFails, this.shrinkBudget)
      await this.build(best.world)
      return { ...best, differences: await this.runSteps(best) }
    } finally {
      await this.drop(original.world)
    }
  }
}

/** The same case on indices of another name, so that shrinking does not disturb the shared world. */
function renamed(testCase, name) {
  const from = testCase.world.target.split(',')[0]
  const swap = (value) => {
    if (typeof value === 'string') return value.split(from).join(name)
    if (Array.isArray(value)) return value.map(swap)
    if (value && typeof value === 'object')
      return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, swap(v)]))
    return value
  }
  return swap({ world: testCase.world, steps: testCase.steps })
}
