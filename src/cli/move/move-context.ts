/** What the steps of a move share. */
import type { Progress } from '../transfer/progress.ts'
import type { Cluster } from './cluster.ts'
import type { MoveOptions } from './move-options.ts'
import type { MovedIndex, MoveRecord, MoveState } from './move-state.ts'

export interface MoveContext {
  readonly from: Cluster
  readonly to: Cluster
  readonly options: MoveOptions
  readonly state: MoveState
  readonly record: MoveRecord
  readonly progress: Progress
}

/** The path of an index. */
export const pathOf = (name: string) => `/${encodeURIComponent(name)}`

/** The name of the lease at the source. */
export const leaseOf = ({ id }: MoveState) => `move-${id}`

/** Documents that the target refuses are listed up to this number. */
const REJECTED_MAX = 1000

/** Remembers documents that the target refuses; the comparison reports them too. */
export function rejecter({ progress }: MoveContext, item: MovedIndex): (id: string, reason: string) => void {
  return (id, reason) => {
    const known = Object.keys(item.rejected).length
    if (known === 0) progress.note(`${item.name}: the target refuses ${id}: ${reason}`)
    if (known < REJECTED_MAX) item.rejected[id] = reason
  }
}
