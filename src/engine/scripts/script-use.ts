/**
 * Whether the running search runs scripts. A script may work for a long time, so the main thread runs none for searches that it
 * tries: there a search may only read values that another thread has computed.
 */
import { runningSearch } from '../running/running-search.ts'

/** A script is about to run. */
export function noteScriptRun(): void {
  const { refuseScript, columns, progress } = runningSearch()
  refuseScript?.()
  columns?.scriptRuns()
  progress.hasRunScript = true
}

/** Whether the running search, or one inside it, has run a script. */
export const hasRunScript = (): boolean => runningSearch().progress.hasRunScript
