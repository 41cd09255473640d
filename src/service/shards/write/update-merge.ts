/** Merges a partial document into a source: objects are merged member by member, everything else is replaced. */
import { Double } from '../../../base/json/json-writer.ts'
import type { SourceObject } from './source-value.ts'

/**
 * Merges `changes` into `source` in place. Returns whether anything changed: a value of another type or an unequal
 * value is a change, so `1` to `1.0` is one.
 */
export function mergeSource(source: SourceObject, changes: SourceObject): boolean {
  let changed = false
  for (const [name, change] of changes) {
    const old = source.get(name)
    if (old instanceof Map && change instanceof Map) {
      if (mergeSource(old, change)) changed = true
      continue
    }
    if (!changed && !(source.has(name) && sameValue(old, change))) changed = true
    source.set(name, change)
  }
  return changed
}

function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (a instanceof Double) return b instanceof Double && Object.is(a.value, b.value)
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((value, i) => sameValue(value, b[i]))
  }
  if (!(a instanceof Map) || !(b instanceof Map) || a.size !== b.size) return false
  for (const [name, value] of a) if (!b.has(name) || !sameValue(value, b.get(name))) return false
  return true
}
