/** Whether a name can match both patterns, in which `*` matches anything. */
export function patternsOverlap(a: string, b: string): boolean {
  const seen = new Set<number>()
  const walk = (i: number, j: number): boolean => {
    if (i === a.length && j === b.length) return true
    const key = i * (b.length + 1) + j
    if (seen.has(key)) return false
    seen.add(key)
    if (a[i] === '*') return walk(i + 1, j) || (j < b.length && walk(i, j + 1))
    if (b[j] === '*') return walk(i, j + 1) || (i < a.length && walk(i + 1, j))
    return i < a.length && j < b.length && a[i] === b[j] && walk(i + 1, j + 1)
  }
  return walk(0, 0)
}

export const anyOverlap = (a: readonly string[], b: readonly string[]): boolean =>
  a.some((one) => b.some((other) => patternsOverlap(one, other)))
