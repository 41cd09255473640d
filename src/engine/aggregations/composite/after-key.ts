/** Converts the `after` of the request to a key of the shard: one signed code per source. */
import { ApiError, illegalArgument, parseFailure } from '../../../base/api-error.ts'
import type { BoundSource } from './bound-source.ts'
import { missingCode } from './segment-keys.ts'

export function bindAfter(
  name: string,
  after: Readonly<Record<string, unknown>> | undefined,
  sources: readonly BoundSource[],
): Float64Array | undefined {
  if (after === undefined) return undefined
  const given = Object.keys(after).length
  if (given !== sources.length) {
    throw illegalArgument(`[after] has ${given} value(s) but [sources] has ${sources.length}`)
  }
  for (const { settings } of sources) checkValue(settings, after)
  return Float64Array.from(sources, (source, i) => position(name, source, after[source.settings.name], i))
}

function checkValue(
  { name, missingBucket }: { readonly name: string; readonly missingBucket: boolean },
  after: Readonly<Record<string, unknown>>,
): void {
  if (!Object.hasOwn(after, name)) throw illegalArgument(`Missing value for [after.${name}]`)
  const value = after[name]
  if (value === null && missingBucket) return
  if (value !== null && typeof value !== 'object') return
  const shown = value === null ? 'null' : Array.isArray(value) ? 'ArrayList' : 'HashMap'
  throw illegalArgument(`Invalid value for [after.${name}], expected comparable, got [${shown}]`)
}

function position(name: string, source: BoundSource, value: unknown, at: number): number {
  if (value === null) return missingCode(source)
  try {
    const code = source.position(value)
    return source.settings.descending ? -code : code
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    // The error of a formatted date is complete by itself.
    if (error.type === 'parse_exception') throw error
    const inner = illegalArgument(`incompatible value in the position ${at}: ${error.message}`, error)
    throw parseFailure(`Cannot set after key in the composite aggregation [${name}] - ${inner.message}`, inner)
  }
}
