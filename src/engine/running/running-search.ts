/**
 * The state of the search that this thread runs. Scorers, collectors and scripts need it far below the code that knows the request,
 * so it is kept here instead of being passed, and nowhere else.
 *
 * This relies on one rule: a search never waits. Otherwise the state of another request would be in its place when it continues. So the
 * work of `inSearch` must not return a promise, which the compiler checks, and `inSearch` again where it cannot. A search inside
 * another one, such as that of inner hits, inherits what it does not change. When work ends, also by an exception, the state before it is back.
 */
import { AssertionFailure, ensure } from '../../base/assert.ts'
import type { ScriptEnvironment } from './script-settings.ts'

export interface EvaluationGuard {
  isOver(steps?: number): boolean
}

export interface ColumnList {
  /** The request reads values that an earlier search has computed. */
  add(reader: object, name: string, values: object): void
  /** The request does more than read values. */
  scriptRuns(): void
}

export interface FilterUse {
  readonly index: string
  /** Filters already counted: the segments of a search count as one use. */
  counted: Set<string> | undefined
}

/** What happened in a search and those inside it. */
class Progress {
  hasRunScript = false
  /** The runtime fields that are being computed. Each one is read by the script of the one before it. */
  readonly computing: string[] = []
  /** The fields whose dependencies are being listed. */
  readonly resolving: string[] = []
}

export class RunningSearch {
  /** Can end the search while it computes the values of runtime fields. */
  guard: EvaluationGuard | undefined
  /** Undefined outside of a cluster. */
  scripts: ScriptEnvironment | undefined
  /** Throws if the search must not run the script that is about to run. */
  refuseScript: (() => never) | undefined
  /** The milliseconds of each script; undefined if nobody asks for them. */
  scriptCosts: Map<string, number> | undefined
  /** Lists the computed doc values that the request reads. */
  columns: ColumnList | undefined
  /** The use of cached filters; undefined if the index caches none. */
  filters: FilterUse | undefined
  /** Whether what is read of the fields counts as used by searches. */
  countsUsage: boolean
  readonly progress: Progress

  constructor(outer: RunningSearch | undefined, progress: Progress) {
    this.guard = outer?.guard
    this.scripts = outer?.scripts
    this.refuseScript = outer?.refuseScript
    this.scriptCosts = outer?.scriptCosts
    this.columns = outer?.columns
    this.filters = outer?.filters
    this.countsUsage = outer?.countsUsage ?? false
    this.progress = progress
  }
}

/** The state while no search runs. */
const NO_SEARCH = new RunningSearch(undefined, new Progress())

let current = NO_SEARCH

export const runningSearch = (): RunningSearch => current

/** Work that returns its result, and no promise of it. */
export type SyncWork<T> = (() => T) & ([Extract<T, PromiseLike<unknown>>] extends [never] ? unknown : never)

/** Runs work of a search with the given state, and returns its result. */
export function inSearch<T>(change: Partial<Omit<RunningSearch, 'progress'>>, work: SyncWork<T>): T {
  const outer = current
  const progress = outer === NO_SEARCH ? new Progress() : outer.progress
  current = Object.assign(new RunningSearch(outer, progress), change)
  try {
    const result = work()
    if (result instanceof Promise) throw waiting(result)
    return result
  } finally {
    current = outer
  }
}

/** A request that begins inside a search would take over its state. */
export function ensureNoSearch(): void {
  ensure(current === NO_SEARCH, 'a request begins while no search runs')
}

function waiting(result: Promise<unknown>): AssertionFailure {
  result.catch(() => {}) // The failure below is reported in place of its own.
  return new AssertionFailure('a search never waits')
}
