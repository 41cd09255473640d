/** Stable sorting with Java's comparators. */
import { compareTo } from './equality.ts'
import type { JFunction } from './java-object.ts'
import { spendSteps } from './limits.ts'

/** Sorts by a Comparator, or by natural order if it is null. */
export function sortInPlace(items: unknown[], order: JFunction | null): void {
  const compare = order === null ? compareTo : (a: unknown, b: unknown) => order.call(a, b) as number
  spendSteps(items.length)
  // Java's binary insertion compares the later element with the earlier one, and errors name the classes in that order.
  const sorted = mergeSort(items, (a, b) => compare(a, b))
  for (let i = 0; i < sorted.length; i++) items[i] = sorted[i]
}

function mergeSort(items: readonly unknown[], compare: (a: unknown, b: unknown) => number): unknown[] {
  if (items.length < 2) return [...items]
  if (items.length === 2) return compare(items[1], items[0]) < 0 ? [items[1], items[0]] : [...items]
  const middle = items.length >> 1
  const left = mergeSort(items.slice(0, middle), compare)
  const right = mergeSort(items.slice(middle), compare)
  spendSteps(items.length)
  const merged: unknown[] = []
  let i = 0
  let j = 0
  while (i < left.length && j < right.length) merged.push(compare(right[j], left[i]) < 0 ? right[j++] : left[i++])
  while (i < left.length) merged.push(left[i++])
  while (j < right.length) merged.push(right[j++])
  return merged
}
