/** `getByPath`: walks maps and lists along a dotted path. */
import { illegalArgument } from '../../errors/java-throwable.ts'
import { JList } from './list.ts'
import { JMap } from './map.ts'

/** Without a fallback a missing step is an error. */
export function getByPath(root: JMap | JList, path: string, fallback: { value: unknown } | undefined): unknown {
  if (path === '') throw illegalArgument('Missing path')
  const steps = path.split('.')
  let current: unknown = root
  for (const [i, step] of steps.entries()) {
    if (step === '') throw illegalArgument(`Extra '.' in path [${path}]`)
    const found = stepInto(current, step)
    if (found === undefined) {
      if (fallback !== undefined) return fallback.value
      throw illegalArgument(missing(current, step, path, i))
    }
    current = found.value
  }
  return current
}

function stepInto(current: unknown, step: string): { value: unknown } | undefined {
  if (current instanceof JMap) return current.containsKey_1(step) ? { value: current.get_1(step) } : undefined
  if (current instanceof JList && /^\d+$/.test(step)) {
    const index = Number(step)
    return index < current.items.length ? { value: current.items[index] } : undefined
  }
  return undefined
}

function missing(current: unknown, step: string, path: string, at: number): string {
  if (current instanceof JMap || current instanceof JList) return `Could not find value at path [${path}]`
  return `Non-container [${current === null ? 'null' : typeof current}] at [${step}], index [${at}] in path [${path}]`
}
