/** `getByPath`: follows a dotted path through maps and lists. */
import { illegalArgument, nullPointer, numberFormat } from '../../errors/java-throwable.ts'
import { classOf } from '../class-of.ts'

/** A map or list that a path can lead through. */
export interface PathContainer {
  /** The value under a name or an index; undefined if there is none. Lists throw if the index is not valid. */
  stepTo(step: string, path: string, position: number): { value: unknown } | undefined
}

const isContainer = (value: unknown): value is PathContainer =>
  typeof value === 'object' && value !== null && 'stepTo' in value

/** The value at a path. A missing last name is an error if there is no fallback; a missing name before it always is. */
export function getByPath(root: PathContainer, path: string, fallback: { value: unknown } | undefined): unknown {
  if (path === '') throw illegalArgument('Missing path')
  if (path.endsWith('.')) throw illegalArgument(`Trailing '.' in path [${path}]`)
  const steps = path.split('.')
  const empty = steps.indexOf('')
  if (empty >= 0) throw illegalArgument(`Extra '.' in path [${path}] at index [${empty}]`)
  let current: unknown = root
  for (const [i, step] of steps.entries()) {
    if (!isContainer(current)) throw notContainer(current, step, path, i)
    const found = current.stepTo(step, path, i)
    if (found === undefined) {
      if (i < steps.length - 1)
        throw illegalArgument(`Container does not have [${step}], for non-terminal index [${i}] in path [${path}]`)
      if (fallback !== undefined) return fallback.value
      throw illegalArgument(`Could not find value at path [${path}]`)
    }
    current = found.value
  }
  return current
}

/** The index of a list that a step of a path means. */
export function pathIndex(step: string, path: string, position: number): number {
  const index = /^[-+]?\d+$/.test(step) ? Number(step) : Number.NaN
  if (index === (index | 0)) return index
  throw illegalArgument(
    `Could not parse [${step}] as a int index into list at path [${path}] and index [${position}]`,
    numberFormat(`For input string: "${step}"`),
  )
}

function notContainer(value: unknown, step: string, path: string, position: number) {
  if (value === null || value === undefined)
    return nullPointer('Cannot invoke "Object.getClass()" because "obj" is null')
  return illegalArgument(`Non-container [${classOf(value)}] at [${step}], index [${position}] in path [${path}]`)
}
