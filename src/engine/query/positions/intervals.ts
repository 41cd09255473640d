/**
 * Minimal intervals inside one document: ranges of text that match and contain no shorter match. Both ends are
 * inclusive. Lists are sorted by start and by end alike.
 */
export interface Interval {
  readonly start: number
  readonly end: number
  /** Positions inside that belong to none of its parts. */
  readonly gaps: number
}

const width = ({ start, end }: Interval) => end - start + 1

const covered = (parts: readonly Interval[]) => parts.reduce((sum, part) => sum + width(part), 0)

/** In sequence. Of intervals with the same end only the one with the latest start is minimal. */
export function ordered(lists: readonly (readonly Interval[])[]): Interval[] {
  const found: Interval[] = []
  const at = lists.map(() => 0)
  for (const first of lists[0]!) {
    const parts = [first]
    for (let i = 1; i < lists.length; i++) {
      const list = lists[i]!
      const { end } = parts[i - 1]!
      while (at[i]! < list.length && list[at[i]!]!.start <= end) at[i] = at[i]! + 1
      const next = list[at[i]!]
      if (next === undefined) return found
      parts.push(next)
    }
    const { start } = first
    const { end } = parts[parts.length - 1]!
    if (found[found.length - 1]?.end === end) found.pop()
    found.push({ start, end, gaps: end - start + 1 - covered(parts) })
  }
  return found
}

/** In any order, overlaps allowed. The leftmost part advances as long as the right end stays. */
export function unordered(lists: readonly (readonly Interval[])[]): Interval[] {
  const found: Interval[] = []
  const at = lists.map(() => 0)
  const current = (i: number) => lists[i]![at[i]!]
  let right = Math.max(...lists.map((list) => list[0]!.end))
  let last = Number.NEGATIVE_INFINITY
  /** Advances the leftmost part; false at the end of its list. */
  const advance = (top: number): boolean => {
    at[top] = at[top]! + 1
    const next = current(top)
    if (next === undefined) return false
    right = Math.max(right, next.end)
    return true
  }
  for (;;) {
    let top = leftmost(lists.map((_, i) => current(i)!))
    while (current(top)!.start === last) {
      if (!advance(top)) return found
      top = leftmost(lists.map((_, i) => current(i)!))
    }
    let open = true
    let interval: Interval
    let end: number
    do {
      top = leftmost(lists.map((_, i) => current(i)!))
      const { start } = current(top)!
      end = right
      const parts = lists.map((_, i) => current(i)!)
      interval = { start, end, gaps: end - start + 1 - covered(parts) }
      if (current(top)!.end === end) break
      open = advance(top)
    } while (open && end === right)
    found.push(interval)
    if (!open) return found
    last = interval.start
  }
}

/** The earliest start; of equal ones the latest end. */
function leftmost(parts: readonly Interval[]): number {
  let top = 0
  for (let i = 1; i < parts.length; i++) {
    const [part, best] = [parts[i]!, parts[top]!]
    if (part.start < best.start || (part.start === best.start && part.end > best.end)) top = i
  }
  return top
}

/** Directly adjacent, in sequence. */
export function block(lists: readonly (readonly Interval[])[]): Interval[] {
  const found: Interval[] = []
  for (const first of lists[0]!) {
    let { end } = first
    let whole = true
    for (let i = 1; i < lists.length && whole; i++) {
      const next = lists[i]!.find(({ start }) => start === end + 1)
      whole = next !== undefined
      if (next !== undefined) end = next.end
    }
    if (whole) found.push({ start: first.start, end, gaps: 0 })
  }
  return found
}

/** Any of them, in the order of their ends; an interval that contains the previous one is not minimal. */
export function anyOf(lists: readonly (readonly Interval[])[]): Interval[] {
  const all = lists.flat().sort((a, b) => a.end - b.end || b.start - a.start)
  const found: Interval[] = []
  for (const interval of all) {
    const previous = found[found.length - 1]
    if (previous === undefined || !(interval.start <= previous.start && previous.end <= interval.end)) {
      found.push(interval)
    }
  }
  return found
}

/** The same rule several times. */
export function repeated(list: readonly Interval[], times: number): Interval[] {
  const found: Interval[] = []
  for (let i = 0; i + times <= list.length; i++) {
    const { start } = list[i]!
    const { end } = list[i + times - 1]!
    found.push({ start, end, gaps: Math.max(0, end - start + 1 - covered(list.slice(i, i + times))) })
  }
  return found
}

export type IntervalRelation = 'containing' | 'contained_by' | 'overlapping'

export function related(relation: IntervalRelation, a: Interval, b: Interval): boolean {
  if (relation === 'containing') return a.start <= b.start && b.end <= a.end
  if (relation === 'contained_by') return b.start <= a.start && a.end <= b.end
  return a.start <= b.end && b.start <= a.end
}
