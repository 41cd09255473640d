/**
 * The time that a search spends in each of its scripts, for the slow log. Clocks are read only while times are collected, so other
 * searches pay nothing for this. The times are those of the thread that leads the search, and include what a script reads.
 */
import type { CompiledScript, ScriptInstance } from '../painless/index.ts'

export interface ScriptCost {
  /** The source or the id of the script, or the name of the runtime field. */
  readonly script: string
  readonly ms: number
}

let spentMs: Map<string, number> | undefined

export function collectScriptCosts(): void {
  spentMs = new Map()
}

export const collectsScriptCosts = (): boolean => spentMs !== undefined

/** The scripts that have run since the collection began, the most expensive first. The collection ends. */
export function collectedScriptCosts(): ScriptCost[] {
  const costs = [...(spentMs ?? [])].map(([script, ms]) => ({ script, ms }))
  spentMs = undefined
  return costs.sort((a, b) => b.ms - a.ms)
}

/** The scripts that `work` runs; none are collected without `collects`. */
export function scriptCostsOf(collects: boolean, work: () => void): ScriptCost[] {
  if (!collects) {
    work()
    return []
  }
  collectScriptCosts()
  let costs: ScriptCost[] = []
  try {
    work()
  } finally {
    costs = collectedScriptCosts()
  }
  return costs
}

export function timed<T>(script: string, work: () => T): T {
  const startedMs = performance.now()
  try {
    return work()
  } finally {
    spentMs?.set(script, (spentMs.get(script) ?? 0) + performance.now() - startedMs)
  }
}

/** A script whose runs are timed. It is used by one search only. */
export const timedScript = (script: string, compiled: CompiledScript): CompiledScript => ({
  source: compiled.source,
  context: compiled.context,
  traits: compiled.traits,
  newInstance: (bindings) => new TimedInstance(script, compiled.newInstance(bindings)),
  link: (params, field) => compiled.link?.(params, field),
})

class TimedInstance implements ScriptInstance {
  readonly #script: string
  readonly #instance: ScriptInstance

  constructor(script: string, instance: ScriptInstance) {
    this.#script = script
    this.#instance = instance
  }

  execute(...args: Parameters<ScriptInstance['execute']>): unknown {
    return timed(this.#script, () => this.#instance.execute(...args))
  }

  executeBlock(...args: Parameters<ScriptInstance['executeBlock']>): number {
    return timed(this.#script, () => this.#instance.executeBlock(...args))
  }

  set(variable: string, value: unknown): void {
    this.#instance.set(variable, value)
  }

  isWithin(...args: Parameters<NonNullable<ScriptInstance['isWithin']>>): boolean {
    return this.#instance.isWithin?.(...args) ?? false
  }

  get failure(): unknown {
    return this.#instance.failure
  }
}
