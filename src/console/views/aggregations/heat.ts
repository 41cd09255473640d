/** Colour steps for counts, and the grid of a heat map. */
import type { Bucket } from './run.ts'

/** 0 for zero, 1 to 6 for increasing counts. */
export function heatStep(value: number, most: number): number {
  if (value <= 0 || most <= 0) return 0
  return Math.max(1, Math.min(6, Math.ceil((value / most) * 6)))
}

export interface Grid {
  readonly rows: readonly string[]
  readonly columns: readonly string[]
  /** By `row column`. */
  readonly cells: ReadonlyMap<string, Bucket>
  readonly most: number
  /** The number of rows and columns that are not shown. */
  readonly hiddenRows: number
  readonly hiddenColumns: number
}

const ROWS_MAX = 40
const COLUMNS_MAX = 120

export function gridOf(buckets: readonly Bucket[]): Grid {
  const rows = [...new Set(buckets.map(({ names }) => names[0]!))]
  const columns = [...new Set(buckets.map(({ names }) => names[1]!))].sort()
  const shownRows = rows.slice(0, ROWS_MAX)
  const shownColumns = columns.slice(0, COLUMNS_MAX)
  const cells = new Map(buckets.map((bucket) => [`${bucket.names[0]} ${bucket.names[1]}`, bucket]))
  return {
    rows: shownRows,
    columns: shownColumns,
    cells,
    most: Math.max(0, ...buckets.map(({ count }) => count)),
    hiddenRows: rows.length - shownRows.length,
    hiddenColumns: columns.length - shownColumns.length,
  }
}
