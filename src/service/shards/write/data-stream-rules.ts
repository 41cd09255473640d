/** Restrictions for writes to a data stream or to one of its backing indices. */
import {
  noAppendToBackingIndex,
  noCustomRouting,
  onlyCreateInDataStream,
} from '../../../base/errors/document-errors.ts'
import type { WriteTarget } from '../shard-host.ts'

type FoundTarget = Exclude<WriteTarget, { error: unknown }>

export function checkDataStreamRules(
  target: FoundTarget,
  action: 'index' | 'create' | 'update' | 'delete',
  routing: string | undefined,
  conditional: boolean,
): void {
  if (target.appendOnly && action !== 'create') throw onlyCreateInDataStream()
  if (target.backingOf !== undefined) {
    if (action === 'create' || (action === 'index' && !conditional)) {
      throw noAppendToBackingIndex(action, target.backingOf)
    }
  }
  if (target.routingRefusedBy !== undefined && routing !== undefined) throw noCustomRouting(target.routingRefusedBy)
}
