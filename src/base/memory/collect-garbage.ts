/** Garbage collection on demand, for code that knows better than V8 how little memory is left. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

let collect: (() => void) | undefined

/** Takes about ten milliseconds and returns the memory of request bodies to the system. */
export function collectGarbage(): void {
  if (collect === undefined) {
    // V8 exposes its collector only through a flag, which may be set at any time.
    setFlagsFromString('--expose-gc')
    collect = runInNewContext('gc') as () => void
  }
  collect()
}
