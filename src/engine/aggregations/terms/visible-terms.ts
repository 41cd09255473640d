/** The terms of live documents, for `min_doc_count: 0` under document-level security: other terms must not be listed. */
import { hasBit } from '../../../base/bit-set.ts'
import type { ShardView } from '../../segment/segment-reader-api.ts'
import type { GlobalOrdinals } from '../values/global-ordinals.ts'

/** 1 for each global ordinal that a live document has. */
export function visibleTerms(view: ShardView, field: string, ordinals: GlobalOrdinals): Uint8Array {
  const visible = new Uint8Array(ordinals.termCount)
  for (const segment of view.segments) {
    const { reader, live } = segment
    const docValues = reader.sortedSetDocValues(field)
    if (docValues === undefined) continue
    const toGlobal = ordinals.ofSegment(segment)
    for (let doc = 0; doc < reader.docCount; doc++) {
      if ((live !== undefined && !hasBit(live, doc)) || !docValues.has(doc)) continue
      for (let slot = docValues.start(doc); slot < docValues.end(doc); slot++) {
        const ordinal = docValues.ordinalAt(slot)
        visible[toGlobal === undefined ? ordinal : toGlobal[ordinal]!] = 1
      }
    }
  }
  return visible
}
