/**
 * Runs code that can be interrupted. No JavaScript code can interrupt an expression that backtracks forever. V8 can
 * terminate a script after a timeout, even inside an expression.
 *
 * Starting V8's watchdog costs tens of microseconds, so a whole batch runs under one.
 */
import { Script } from 'node:vm'

const KEY = 'sandpiper.pipeline.guarded'
let work: (() => void) | undefined
let script: Script | undefined

/** Time limits for all items together, and for a single item. */
export interface WatchTimes {
  readonly togetherMs: number
  readonly aloneMs: number
}

/**
 * Runs `task` for each item under one watchdog. An interrupted item is tried once more alone. Returns the items that
 * took too long. The task may stop anywhere in them, so it must not make lasting changes.
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
    // The watchdog may also strike after the last item is done.
    if (isFinished || at >= items.length) break
    const item = items[at++]!
    if (!runWithin(aloneMs, () => task(item))) tooSlow.push(item)
  }
  return tooSlow
}

/** Returns false if the time was up before the work was done. None of the task continues, not even its `finally`. */
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
