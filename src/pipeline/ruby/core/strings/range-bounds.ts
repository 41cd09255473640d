/** Resolves a range to start and length: `1..-2` of five items starts at 1 and has length 3. */
import { toInt } from '../../runtime/convert.ts'
import type { RRange } from '../../runtime/model.ts'

/** Null if the range starts outside. */
export function rangeBounds(
  { from, to, isExclusive }: RRange,
  length: number,
): { start: number; length: number } | null {
  let start = from === null ? 0 : toInt(from)
  let end = to === null ? length : toInt(to)
  if (start < 0) start += length
  if (start < 0 || start > length) return null
  if (end < 0) end += length
  if (to !== null && !isExclusive) end++
  return { start, length: Math.max(0, Math.min(end, length) - start) }
}
