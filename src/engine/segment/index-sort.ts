/**
 * `index.sort`: the order of documents inside a segment. Missing and multiple values are handled as in Elasticsearch:
 * `missing` is `_last` by default, `mode` is min for ascending and max for descending.
 */

export interface IndexSortField {
  readonly field: string
  readonly descending: boolean
  readonly missingFirst: boolean
  readonly mode: 'min' | 'max'
}

/**
 * Sort keys of one field, one per root: comparable numbers (values or term ordinals), NaN if the root has none. Exact
 * 64-bit values are given as ranks.
 */
export type SortKeys = Float64Array

/** Roots (as positions in the list of roots) in index-sort order; undefined if they are already sorted. */
export function sortRoots(
  rootCount: number,
  sort: readonly IndexSortField[],
  keys: readonly SortKeys[],
): Int32Array | undefined {
  const compare = (a: number, b: number): number => {
    for (let i = 0; i < sort.length; i++) {
      const order = compareKeys(keys[i]![a]!, keys[i]![b]!, sort[i]!)
      if (order !== 0) return order
    }
    return a - b
  }
  let ordered = true
  for (let root = 1; root < rootCount && ordered; root++) ordered = compare(root - 1, root) <= 0
  if (ordered) return undefined
  const order = new Int32Array(rootCount)
  for (let root = 0; root < rootCount; root++) order[root] = root
  return order.sort(compare)
}

function compareKeys(a: number, b: number, sort: IndexSortField): number {
  const aMissing = Number.isNaN(a)
  const bMissing = Number.isNaN(b)
  if (aMissing || bMissing) {
    if (aMissing === bMissing) return 0
    return aMissing === sort.missingFirst ? -1 : 1
  }
  return sort.descending ? b - a : a - b
}

/** Keeps the smallest or largest of several values. */
export function combineKey(current: number, value: number, mode: 'min' | 'max'): number {
  if (Number.isNaN(current)) return value
  return mode === 'min' ? Math.min(current, value) : Math.max(current, value)
}
