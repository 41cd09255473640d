/** Combines filters of single terms into one function. */
import type { TokenFilter } from './registry/component.ts'

export type TermFunction = (term: string) => string | undefined

/** Undefined if a filter needs more than one term at a time. The function returns undefined for a dropped term. */
export function termFunctionOf(filters: readonly TokenFilter[]): TermFunction | undefined {
  const steps: TermFunction[] = []
  for (const { onTerm } of filters) {
    if (onTerm === undefined) return undefined
    steps.push(onTerm)
  }
  if (steps.length === 1) return steps[0]
  return (term) => {
    let result: string | undefined = term
    for (const step of steps) {
      result = step(result)
      if (result === undefined) return undefined
    }
    return result
  }
}
