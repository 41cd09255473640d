/**
 * Runs work that may be ended from outside. An expression that backtracks for ever cannot be interrupted by anything
 * written in JavaScript;
 * the engine itself can stop a script after a time, and does so inside expressions too.
 *
 * Starting the engine's watch costs some tens of microseconds, so a whole batch runs under one.
 */
import { Script } from 'node:vm'

const KEY = 'sandpiper.pipeline.guarded'
let work: (() => void) | undefined
let script: Script | undefined

/** How long items may take together, and one of them alone. */
export interface WatchTimes {
  readonly togetherMs: number
  readonly aloneMs: number
}

/**
 * Runs `task` for each item under one watch. An item that is interrupted is tried once more alone. Returns those that took too long:
 * for them the task may have stopped anywhere, so it must not change anything that lasts.
 */
export function runEachWithin<T>(
  items: readonly T[],
  task: (item: T) => void,
  { togetherMs, aloneMs }: WatchTimes,
): T[] {
  const tooSlow: T[] = []
  let at = 0
  while (at < items.length) {
    const isFinished = runWithin(togetherMs, () => {
      for (; at < items.length; at++) task(items[at]!)
    })
    // The watch may also strike when the last item is done.
    if (isFinished || at >= items.length) break
    const item = items[at++]!
    if (!runWithin(aloneMs, () => task(item))) tooSlow.push(item)
  }
  return tooSlow
}

/** False when the time was over before the work was done. Nothing of it runs any more, not even its `finally`. */
export function runWithin(timeoutMs: number, task: () => void): boolean {
  if (script === undefined) {
    script = new Script(`globalThis[Symbol.for('${KEY}')]()`)
    ;(globalThis as Record<symbol, unknown>)[Symbol.for(KEY)] = () => work!()
  }
  work = task
  try {
    script.runInThisContext({ timeout: Math.max(1, Math.ceil(timeoutMs)) })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false
    throw error
  } finally {
    work = undefined
  }
}
