/**
 * Moves indices along their lifecycle policies. An index enters a phase when it is old enough and through with the one
 * before; it then runs the actions that the phase had at that moment. A failed step is tried again with the next run.
 */
import { ApiError, errorObject } from '../../base/api-error.ts'
import type { Log } from '../../base/log.ts'
import { putIndex } from '../catalog/index-context.ts'
import { managerOf } from '../definitions/stream-lifecycle.ts'
import type { IndexLifecycle, IndexMetadata, JsonObject } from '../metadata/metadata.ts'
import { type PolicyPhase, phasesOf } from './ilm-policy.ts'
import { ILM_ACTIONS, type LifecycleServices } from './ilm-steps.ts'

const COMPLETE = 'complete'
/** A policy has at most five phases of six actions. */
const STEPS_MAX = 64

export class IlmRunner {
  readonly #services: LifecycleServices
  readonly #log: Log

  constructor(services: LifecycleServices, log: Log) {
    this.#services = services
    this.#log = log
  }

  async run(): Promise<void> {
    const seen = new Set<string>()
    // An index that a rollover makes starts its own policy at once.
    for (let found = this.#unseen(seen); found.length > 0; found = this.#unseen(seen)) {
      for (const { uuid } of found) {
        seen.add(uuid)
        for (let step = 0; step < STEPS_MAX; step++) if (!(await this.#advance(uuid))) break
      }
    }
  }

  #unseen(seen: ReadonlySet<string>): IndexMetadata[] {
    const { state } = this.#services.context.store
    return [...state.indices.values()].filter((index) => !seen.has(index.uuid) && this.isManaged(index))
  }

  isManaged(index: IndexMetadata): boolean {
    const stream = this.#services.context.store.state.streamOf(index.name)
    return managerOf(index.settings, stream?.lifecycle) === 'Index Lifecycle Management'
  }

  /** Takes one step, or none: returns whether the index moved. */
  async #advance(uuid: string): Promise<boolean> {
    const { store, clock } = this.#services.context
    const index = store.state.indexByUuid(uuid)
    if (index === undefined || index.state !== 'open') return false
    const policyName = String(index.settings['index.lifecycle.name'])
    const policy = store.state.lifecyclePolicies.get(policyName)
    const now = clock.nowMs()
    if (policy === undefined) {
      const info = { type: 'illegal_argument_exception', reason: `policy [${policyName}] does not exist` }
      await this.#fail(index, startOf(policyName, now), info)
      return false
    }
    const at = index.lifecycle?.policy === policyName ? index.lifecycle : undefined
    if (at === undefined) return await this.#move(uuid, startOf(policyName, now))
    if (at.step === COMPLETE) {
      const next = nextPhase(phasesOf(policy.policy), at.phase)
      if (next === undefined || now - lifecycleDate(index) < next.minAgeMs) return false
      const { version, modifiedMs } = policy
      const entered = {
        ...at,
        phase: next.name,
        phaseTimeMs: now,
        definition: { version, modifiedMs, phase: next.shown },
      }
      return await this.#move(uuid, atAction(entered, next.actions[0]?.name, now))
    }
    return await this.#runAction(index, at)
  }

  async #runAction(index: IndexMetadata, at: IndexLifecycle): Promise<boolean> {
    const { clock } = this.#services.context
    const [phase] = phasesOf({ phases: { [at.phase]: at.definition?.phase ?? {} } })
    const position = phase?.actions.findIndex(({ name }) => name === at.action) ?? -1
    const action = phase?.actions[position]
    if (action === undefined) return await this.#move(index.uuid, atAction(at, undefined, clock.nowMs()))
    try {
      const result = await ILM_ACTIONS[action.name]!.run(this.#services, index, action.options)
      if (result === 'waits') {
        if (at.failure !== undefined) await this.#move(index.uuid, atAction(at, action.name, clock.nowMs()))
        return false
      }
      if (result === 'removed') return false
      return await this.#move(index.uuid, atAction(at, phase?.actions[position + 1]?.name, clock.nowMs()))
    } catch (error) {
      if (!(error instanceof ApiError))
        this.#log.error('a lifecycle step failed', { index: index.name, error: String(error) })
      const info =
        error instanceof ApiError ? errorObject(error) : { type: 'exception', reason: (error as Error).message }
      await this.#fail(index, at, info)
      return false
    }
  }

  async #fail(index: IndexMetadata, at: IndexLifecycle, info: JsonObject): Promise<void> {
    const { failure } = at
    const step = failure?.step ?? at.step
    const retries = failure === undefined ? 0 : failure.retries + 1
    const stepTimeMs = failure === undefined ? this.#services.context.clock.nowMs() : at.stepTimeMs
    await this.#move(index.uuid, { ...at, step: 'ERROR', stepTimeMs, failure: { step, info, retries } })
  }

  async #move(uuid: string, lifecycle: IndexLifecycle): Promise<boolean> {
    let moved = false
    await this.#services.context.store.update((state) => {
      const current = state.indexByUuid(uuid)
      if (current === undefined) return []
      moved = true
      return [putIndex({ ...current, lifecycle })]
    })
    return moved
  }
}

/** The moment from which the age of an index counts. */
export function lifecycleDate({ settings, creationDate, rolledOver }: IndexMetadata): number {
  const origin = Number(settings['index.lifecycle.origination_date'] ?? -1)
  return origin >= 0 ? origin : (rolledOver?.timeMs ?? creationDate)
}

function startOf(policy: string, nowMs: number): IndexLifecycle {
  const times = { phaseTimeMs: nowMs, actionTimeMs: nowMs, stepTimeMs: nowMs }
  return { policy, phase: 'new', action: COMPLETE, step: COMPLETE, ...times }
}

/** Without an action, the phase is complete. */
function atAction(
  { failure: _over, ...at }: IndexLifecycle,
  action: string | undefined,
  nowMs: number,
): IndexLifecycle {
  const name = action ?? COMPLETE
  const step = action === undefined ? COMPLETE : ILM_ACTIONS[action]!.step
  return { ...at, action: name, actionTimeMs: nowMs, step, stepTimeMs: nowMs }
}

/** The phase after one that may no longer be in the policy. */
function nextPhase(phases: readonly PolicyPhase[], current: string): PolicyPhase | undefined {
  const order = ['new', 'hot', 'warm', 'cold', 'frozen', 'delete']
  return phases.find(({ name }) => order.indexOf(name) > order.indexOf(current))
}
