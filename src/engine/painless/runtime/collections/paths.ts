/** `getByPath`: walks maps and lists along a dotted path. */
import { illegalArgument } from '../../errors/java-throwable.ts'

/** A map or list: something a path leads through. */
export interface PathContainer {
  /** What a name or an index leads to; undefined where there is nothing. */
  stepTo(step: string): { value: unknown } | undefined
}

const isContainer = (value: unknown): value is PathContainer =>
  typeof value === 'object' && value !== null && 'stepTo' in value

/** Without a fallback a missing step is an error. */
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
