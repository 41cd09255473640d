/** Passes computed doc values from searchers to the main thread, which may then answer repeated searches that only read them. */
import type { ReadColumns } from '../../engine/runtime-fields/column-use.ts'
import { keepDocValues } from '../../engine/runtime-fields/doc-values-cache.ts'
import { type SharedColumn, shareColumn, sharedDocValues } from '../../engine/runtime-fields/shared-column.ts'
import type { SegmentOnLoan, ViewLender } from '../../service/shards/shard-host.ts'
import type { RemoteViews } from '../lending/remote-views.ts'

export interface ColumnOnLoan extends SegmentOnLoan {
  /** The name of the runtime field that segments know, which identifies its definition. */
  readonly field: string
  readonly column: SharedColumn
}

/** The columns of a request that only read known values; none for other requests. */
export function columnsOnLoan(read: ReadColumns, views: RemoteViews): ColumnOnLoan[] {
  const columns: ColumnOnLoan[] = []
  for (const { reader, name, values } of read.list()) {
    const segment = views.nameOf(reader)
    const column = segment && shareColumn(values)
    if (column === undefined) return []
    columns.push({ ...segment!, field: name, column })
  }
  return columns
}

/** Keeps columns for searches of this thread. */
export function keepColumns(columns: readonly ColumnOnLoan[], lender: ViewLender): void {
  for (const lent of columns) {
    const reader = lender.segment(lent)
    if (reader !== undefined) keepDocValues(reader, lent.field, sharedDocValues(lent.column))
  }
}
