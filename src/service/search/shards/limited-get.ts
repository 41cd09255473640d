/**
 * Reads a document by id for a caller who may not read all documents or fields of the index. Only a view can be limited,
 * so a realtime get refreshes the shard first.
 */
import { hasBit } from '../../../base/bit-set.ts'
import { limitedContext } from '../../../engine/limits/limited-search.ts'
import type { IndexLimits } from '../../../engine/limits/read-limits.ts'
import { withScripts } from '../../../engine/scripts/script-environment.ts'
import type { SegmentView, ShardView } from '../../../engine/segment/segment-reader-api.ts'
import { readDocument } from '../../../engine/shard/get-document.ts'
import type { IndexContext } from '../../catalog/index-context.ts'
import { clusterScripts } from '../../scripts/script-environment.ts'
import type { GetAnswer, GetRequest } from '../../shards/shard-host.ts'
import { shardQueryContext } from './index-search-context.ts'

export async function limitedGet(
  context: IndexContext,
  { key, id, realtime, storedFields }: GetRequest,
  limits: IndexLimits,
): Promise<GetAnswer | undefined> {
  const { host } = context.shards
  if (realtime) await host.refresh(key)
  await host.wake?.(key)
  const index = context.store.state.indexByUuid(key.indexUuid)
  if (index === undefined) return undefined
  const held = host.holdView(key)
  try {
    return withScripts(clusterScripts(context.store, index.name), () => {
      const whole = shardQueryContext(index, key.shard, held.view, context.mappings, context.clock.nowMs())
      const found = findDocument(limitedContext(whole, limits).view, id)
      return found && answerOf(found, storedFields)
    })
  } finally {
    held.release()
  }
}

function answerOf({ segment, doc }: FoundDocument, wanted: readonly string[]): GetAnswer {
  const { source, storedFields, ...document } = readDocument(segment.reader, doc)
  const fields = Object.entries(storedFields ?? {}).filter(([name]) => wanted.includes(name))
  return {
    ...document,
    source: source && Uint8Array.from(source),
    storedFields: fields.length === 0 ? undefined : Object.fromEntries(fields),
  }
}

export interface FoundDocument {
  readonly segment: SegmentView
  readonly doc: number
}

/** The live document with this id. */
export function findDocument(view: ShardView, id: string): FoundDocument | undefined {
  const bytes = Buffer.from(id)
  for (const segment of view.segments) {
    const doc = segment.reader.findId(bytes)
    if (doc >= 0 && (segment.live === undefined || hasBit(segment.live, doc))) return { segment, doc }
  }
  return undefined
}
