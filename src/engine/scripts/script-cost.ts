/**
 * The time that a search spends in each of its scripts, for the slow log. Clocks are read only while times are collected, so other
 * searches pay nothing for this. The times are those of the thread that leads the search, and include what a script reads.
 */
import type { CompiledScript, ScriptInstance } from '../painless/index.ts'
import { inSearch, runningSearch, type SyncWork } from '../running/running-search.ts'

export interface ScriptCost {
  /** The source or the id of the script, or the name of the runtime field. */
  readonly script: string
  readonly ms: number
}

export const collectsScriptCosts = (): boolean => runningSearch().scriptCosts !== undefined

/** Runs `work` and names the scripts that it ran, the most expensive first; none without `collects`. */
export function withScriptCosts<T>(
  collects: boolean,
  work: SyncWork<T>,
): { result: T; scripts: readonly ScriptCost[] } {
  if (!collects) return { result: work(), scripts: [] }
  const scriptCosts = new Map<string, number>()
  const result = inSearch({ scriptCosts }, work)
  const scripts = [...scriptCosts].map(([script, ms]) => ({ script, ms })).sort((a, b) => b.ms - a.ms)
  return { result, scripts }
}

export function timed<T>(script: string, work: () => T): T {
  const startedMs = performance.now()
  try {
    return work()
  } finally {
    const costs = runningSearch().scriptCosts
    costs?.set(script, (costs.get(script) ?? 0) + performance.now() - startedMs)
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
