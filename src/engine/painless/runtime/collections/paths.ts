/** `getByPath`: follows a dotted path through maps and lists. */
import { illegalArgument } from '../../errors/java-throwable.ts'

/** A map or list that a path can lead through. */
export interface PathContainer {
  /** The value under a name or an index; undefined if there is none. */
  stepTo(step: string): { value: unknown } | undefined
}

const isContainer = (value: unknown): value is PathContainer =>
  typeof value === 'object' && value !== null && 'stepTo' in value

/** The value at a path. A missing step is an error if there is no fallback. */
export function getByPath(root: PathContainer, path: string, fallback: { value: unknown } | undefined): unknown {
  if (path === '') throw illegalArgument('Missing path')
  let current: unknown = root
  for (const [i, step] of path.split('.').entries()) {
    if (step === '') throw illegalArgument(`Extra '.' in path [${path}]`)
    const found = isContainer(current) ? current.stepTo(step) : undefined
    if (found === undefined) {
      if (fallback !== undefined) return fallback.value
      throw illegalArgument(
        isContainer(current)
          ? `Could not find value at path [${path}]`
          : `Non-container [${current === null ? 'null' : typeof current}] at [${step}], index [${i}] in path [${path}]`,
      )
    }
    current = found.value
  }
  return current
}
