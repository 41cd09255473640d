/** Garbage collection on demand, for a thread that knows better than V8 how little memory is left. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

let collect: (() => void) | undefined

/** Takes some ten milliseconds, and gives memory of request bodies back to the system. */
export function collectGarbage(): void {
  if (collect === undefined) {
    // V8 offers its collector to programs only by a flag, which may be set at any time.
    setFlagsFromString('--expose-gc')
    collect = runInNewContext('gc') as () => void
  }
  collect()
}
