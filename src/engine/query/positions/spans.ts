/** How spans are combined inside one document. A span is [start, end) with the gap between its words. */
export interface Span {
  readonly start: number
  readonly end: number
  /** Smaller is better: 0 for adjacent words. */
  readonly width: number
}

/** A part of an ordered sequence: spans, or a gap of this many positions. */
export type SequencePart = readonly Span[] | number

/** Consecutive spans; each is taken as early as the previous one allows. */
export function inOrder(parts: readonly SequencePart[], slop: number): Span[] {
  const found: Span[] = []
  const at = parts.map(() => 0)
  for (const first of parts[0] as readonly Span[]) {
    let end = first.end
    let width = 0
    for (let i = 1; i < parts.length; i++) {
      const part = parts[i]!
      if (typeof part === 'number') {
        end += part
        continue
      }
      while (at[i]! < part.length && part[at[i]!]!.start < end) at[i] = at[i]! + 1
      const next = part[at[i]!]
      if (next === undefined) return found
      width += next.start - end
      end = next.end
    }
    if (width <= slop) found.push({ start: first.start, end, width })
  }
  return found
}

/** Spans in any order, with at most `slop` positions between them. */
export function inAnyOrder(lists: readonly (readonly Span[])[], slop: number): Span[] {
  const found: Span[] = []
  const at = lists.map(() => 0)
  let covered = lists.reduce((sum, list) => sum + length(list[0]!), 0)
  let end = Math.max(...lists.map((list) => list[0]!.end))
  for (;;) {
    let top = 0
    for (let i = 1; i < lists.length; i++) if (before(lists[i]![at[i]!]!, lists[top]![at[top]!]!)) top = i
    const first = lists[top]![at[top]!]!
    if (end - first.start - covered <= slop) found.push({ start: first.start, end, width: end - first.start })
    at[top] = at[top]! + 1
    const next = lists[top]![at[top]!]
    if (next === undefined) return found
    covered += length(next) - length(first)
    end = Math.max(end, next.end)
  }
}

export function merged(lists: readonly (readonly Span[])[]): Span[] {
  return lists.flat().sort((a, b) => a.start - b.start || a.end - b.end)
}

/** Spans without an excluded one within `pre` positions before them or `post` after. */
export function without(list: readonly Span[], excluded: readonly Span[], pre: number, post: number): Span[] {
  let at = 0
  return list.filter((span) => {
    while (at < excluded.length && excluded[at]!.end <= span.start - pre) at++
    const next = excluded[at]
    return next === undefined || next.start - post >= span.end
  })
}

/** Big spans that contain a little one. */
export function containing(big: readonly Span[], little: readonly Span[]): Span[] {
  const found: Span[] = []
  let at = 0
  for (const span of big) {
    while (at < little.length && little[at]!.start < span.start) at++
    const inside = little[at]
    if (inside === undefined) return found
    if (span.end >= inside.end) found.push(span)
  }
  return found
}

/** Little spans inside a big one. */
export function within(little: readonly Span[], big: readonly Span[]): Span[] {
  const found: Span[] = []
  let at = 0
  for (const span of little) {
    while (at < big.length && big[at]!.end < span.end) at++
    const around = big[at]
    if (around === undefined) return found
    if (around.start <= span.start) found.push(span)
  }
  return found
}

const length = ({ start, end }: Span) => end - start

function before(a: Span, b: Span): boolean {
  return a.start < b.start || (a.start === b.start && a.end < b.end)
}
